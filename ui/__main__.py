"""`zwrotnica ui`, and `python -m ui`: the page in a process of its own."""

import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable
from typing import Final

import click
import httpx2
import uvicorn

from ui.app import create_app
from ui.client import Gateway
from ui.credential import credential_of_event
from ui.look.shell import NOTICES

_GRACE_S: Final = 1


class _Server(uvicorn.Server):
    """Says where it listens once it does."""

    def __init__(self, config: uvicorn.Config, *, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()


class _Address(click.ParamType[str]):
    """The address of a gateway."""

    name = "address"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        try:
            url = httpx2.URL(str(value))
        except (httpx2.InvalidURL, UnicodeError):
            url = httpx2.URL()
        if url.scheme not in {"http", "https"} or not url.host:
            self.fail(f"{value!r} is no address such as http://127.0.0.1:7860", param, ctx)
        return str(value)


@click.command()
@click.option(
    "--gateway", type=_Address(), required=True, help="Address of the gateway, http://HOST:PORT."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=7861,
    show_default=True,
    help="Port to listen on; 0: any free.",
)
@click.option(
    "--chats",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Answers that are streamed at once.",
)
@click.option(
    "--notice",
    "notices",
    type=click.Choice(tuple(NOTICES)),
    multiple=True,
    help="A notice of the operator's that the gateway shows and the page links to.",
)
def ui(gateway: str, host: str, port: int, chats: int, notices: tuple[str, ...]) -> None:
    """Serve the web chat of a running gateway until SIGTERM, or the end of standard input."""
    with _listen(host, port) as listening:
        _do_without_plots()
        bound = listening.getsockname()[1]
        config = uvicorn.Config(
            lambda: create_app(
                Gateway(gateway, credential=credential_of_event), chats=chats, notices=notices
            ),
            factory=True,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=_GRACE_S,
            server_header=False,
        )
        server = _Server(config, announce=lambda: click.echo(f"ready http://{host}:{bound}"))
        if _is_held_open():
            threading.Thread(target=_end_with_parent, daemon=True).start()
        server.run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    try:
        host.encode("idna")
    except UnicodeError as error:
        raise click.ClickException(f"{host!r} cannot be the name of a host") from error
    try:
        return socket.create_server((host, port), backlog=2048)
    except OSError as error:
        message = (
            f"cannot listen on port {port} of {host!r}: {error.strerror}; choose another by --port"
        )
        raise click.ClickException(message) from error


def _do_without_plots() -> None:
    """Tell Gradio at once that there is no matplotlib.

    It looks for it twice with every update of a page, which is a quarter of its time.
    """
    sys.modules["matplotlib"] = None  # type: ignore[assignment]  # as importlib documents it


def _is_held_open() -> bool:
    """Whether standard input is a pipe or a socket from another process, no terminal or file."""
    mode = os.fstat(sys.stdin.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _end_with_parent() -> None:
    """Whoever started the page holds its standard input open; its end is the page's."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    ui()
