"""The address that a server is given: had at once, or refused in plain words."""

import socket
from collections.abc import Iterator

import pytest
from scripted.patience import NEVER_S
from starlette.types import Receive, Scope, Send

from serving.http.binding import bind_all, bind_one
from serving.http.server import DrainingServer, configure
from serving.settings import LimitsSettings, SettingsError

LOOPBACK = "127.0.0.1"


class Nobody:
    """Has nothing to drain."""

    turns = 0

    async def drain(self, limit_s: float) -> None:
        """Be done."""


class Application:
    """Takes the port for itself while it opens, as another process may."""

    def __init__(self, *wanted: tuple[str, int]) -> None:
        self._wanted = wanted
        self.told: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "lifespan"
        taken = [socket.create_server(address) for address in self._wanted]
        for step in ("startup", "shutdown"):
            self.told.append((await receive())["type"])
            await send({"type": f"lifespan.{step}.complete"})
        for one in taken:
            one.close()


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
    assert (refused.value.message, application.told) == (words, [])


def test_a_port_that_another_takes_meanwhile_is_told_so_and_all_is_closed() -> None:
    with bind_one(LOOPBACK, 0) as free:
        port = int(free.getsockname()[1])
    application = Application((LOOPBACK, port))
    with pytest.raises(SettingsError, match=f"port {port} of '{LOOPBACK}' is in use"):
        server_of(application, port).run()

    assert application.told == ["lifespan.startup", "lifespan.shutdown"]


def test_an_address_that_this_machine_has_not_is_told_so() -> None:
    with pytest.raises(SettingsError, match=r"of '192\.0\.2\.1' fails: Cannot assign"):
        bind_all("192.0.2.1", 0)


def test_a_name_that_nobody_knows_is_told_so() -> None:
    with pytest.raises(SettingsError, match=r"host 'no\.such\.invalid' cannot be used"):
        bind_all("no.such.invalid", 0)


def test_every_address_of_a_name_is_served_at_one_port(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("127.0.0.1", "192.0.2.1", "127.0.0.2")
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (name, 0)) for name in names]
    with monkeypatch.context() as patched:
        patched.setattr("serving.http.binding.socket.getaddrinfo", lambda *_, **__: found)
        first, second = bind_all("several.example", 0)
    with first, second:
        port = first.getsockname()[1]
        assert first.getsockname() == ("127.0.0.1", port)
        assert second.getsockname() == ("127.0.0.2", port)
