"""A gateway with a scripted page behind it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from scripted.gateway import Backstage, wait_until
from scripted.http_client import Reply, ask
from scripted.patience import PATIENCE_S
from scripted.supervised_page import PROGRAM, SETTINGS

from serving.app import create_app
from serving.cli.server import build_server
from serving.gateway.route_table import OPENAPI, ROUTES
from serving.http.server import DrainingServer
from serving.page import WebPage
from serving.settings import LimitsSettings, Settings


@dataclass(frozen=True, kw_only=True, slots=True)
class PageGateway:
    """A gateway with its page, on ``port``."""

    port: int
    page: WebPage
    server: DrainingServer

    async def get(self, target: str, *, method: str = "GET", **headers: str) -> Reply:
        return await ask(self.port, request(target, method=method, **headers))

    def stop(self) -> None:
        """As a signal would."""
        self.server.handle_exit(signal.SIGTERM, None)

    async def seen(self) -> dict[str, object]:
        """What the page saw until now."""
        return (await self.get("/seen")).json

    async def last_seen(self, target: str) -> dict[str, object]:
        """The last request for ``target`` as the page saw it."""
        seen = cast("list[dict[str, object]]", (await self.seen())["seen"])
        return next(asked for asked in reversed(seen) if asked["target"] == target)


def request(target: str, body: bytes = b"", /, *, method: str = "GET", **headers: str) -> bytes:
    """A request as bytes; an underscore in a header's name stands for a hyphen."""
    fields = {"host": "127.0.0.1", "connection": "close", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + body


@contextmanager
def page_gateway(
    folder: Path,
    *,
    fault: str | None = None,
    limits: LimitsSettings | None = None,
    answer_s: float = PATIENCE_S,
) -> Iterator[PageGateway]:
    """A served gateway whose page may not be ready yet."""
    settings = Settings(
        data_dir=folder, port=0, page=SETTINGS, limits=limits or LimitsSettings(drain_s=0.2)
    )
    program = (*PROGRAM, *((fault,) if fault else ()))
    page = WebPage(
        settings,
        owned=(OPENAPI, *(route.path for route in ROUTES)),
        program=program,
        answer_s=answer_s,
    )
    app = create_app(settings, open_assembly=Backstage().open, page=page)
    server = build_server(settings, app, page=page)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        yield PageGateway(port=int(server.url.rpartition(":")[2]), page=page, server=server)
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)


@contextmanager
def ready_page_gateway(
    folder: Path, *, limits: LimitsSettings | None = None, answer_s: float = PATIENCE_S
) -> Iterator[PageGateway]:
    """A served gateway whose page is ready."""
    with page_gateway(folder, limits=limits, answer_s=answer_s) as gateway:
        wait_until(lambda: gateway.page.process.address is not None, PATIENCE_S)
        yield gateway
