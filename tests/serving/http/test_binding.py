"""The address that a server is given: had at once, or refused in plain words."""

import socket
from collections.abc import Iterator

import pytest
from scripted.patience import NEVER_S
from scripted.ports import free_port
from starlette.types import Receive, Scope, Send

from serving.http.binding import listen_at
from serving.http.server import DrainingServer, configure
from serving.settings import LimitsSettings, SettingsError

LOOPBACK = "127.0.0.1"


class Nobody:
    """Has nothing to drain."""

    turns = 0

    async def drain(self, limit_s: float) -> None:
        """Be done."""


class Application:
    """Tries to have a port while it opens, as another process may, and opens no further."""

    def __init__(self, port: int = 0) -> None:
        self._port = port
        self.refused: list[str | None] = []
        self.has_begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.has_begun = scope["type"] == "lifespan"
        try:
            socket.create_server((LOOPBACK, self._port)).close()
        except OSError as error:
            self.refused.append(error.strerror)
        await send({"type": "lifespan.startup.failed", "message": "enough"})


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server((LOOPBACK, 0)) as other:
        yield int(other.getsockname()[1])


def server_of(application: Application, port: int) -> DrainingServer:
    limits = LimitsSettings(head_s=NEVER_S)
    config = configure(application, host=LOOPBACK, port=port, limits=limits)  # type: ignore[arg-type]  # any application
    return DrainingServer(config, admission=Nobody(), limits=limits)


def test_a_server_whose_port_is_taken_says_so_before_anything_is_opened(taken: int) -> None:
    application = Application()
    with pytest.raises(SettingsError) as refused:
        server_of(application, taken).run()

    words = f"port {taken} of '{LOOPBACK}' is in use; choose another by --port"
    assert (refused.value.message, application.has_begun) == (words, False)


def test_nobody_takes_the_port_while_the_server_is_opened() -> None:
    port = free_port()
    application = Application(port)
    with pytest.raises(SystemExit):
        server_of(application, port).run()

    assert application.refused == [
        f"Address already in use (while attempting to bind on address ('{LOOPBACK}', {port}))"
    ]


def test_an_address_that_this_machine_has_not_is_told_so() -> None:
    with pytest.raises(SettingsError, match=r"of '192\.0\.2\.1' fails: Cannot assign"):
        listen_at("192.0.2.1", 0)


def test_a_name_that_nobody_knows_is_told_so() -> None:
    with pytest.raises(SettingsError, match=r"host 'no\.such\.invalid' cannot be used"):
        listen_at("no.such.invalid", 0)


def test_every_address_of_a_name_is_served_at_one_port(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("127.0.0.1", "192.0.2.1", "127.0.0.2")
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (name, 0)) for name in names]
    with monkeypatch.context() as patched:
        patched.setattr("serving.http.binding.socket.getaddrinfo", lambda *_, **__: found)
        first, second = listen_at("several.example", 0)
    with first, second:
        port = first.getsockname()[1]
        assert first.getsockname() == ("127.0.0.1", port)
        assert second.getsockname() == ("127.0.0.2", port)
