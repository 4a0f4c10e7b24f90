"""The whole gateway, served in a thread of its own, with fault servers as its model servers."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from scripted.databases import put_tables
from scripted.engine_under_test import engine_settings
from scripted.fault_server import FaultServer
from scripted.patience import PATIENCE_S

from serving.app import create_app
from serving.cli.server import build_server
from serving.settings import (
    LimitsSettings,
    RouterSettings,
    Settings,
    TelemetrySettings,
    ToolsSettings,
)

ENGINE = "bielik"
ROUTER = "llama"
DEFAULT_CALL = "fault=calls:kind=default"


@dataclass(frozen=True, kw_only=True, slots=True)
class Gateway:
    """A gateway that is served, and the fault server behind each of its engines."""

    port: int
    engine: FaultServer
    router: FaultServer
    portal: BlockingPortal

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def tasks(self) -> int:
        """Tasks of the gateway's event loop."""
        return self.portal.call(_count_tasks)


async def _count_tasks() -> int:
    return len(asyncio.all_tasks())


def gateway_settings(
    folder: Path,
    *,
    engine: str,
    router: str | None = None,
    speed: float = 1.0,
    engine_changes: Mapping[str, object] | None = None,
    telemetry: TelemetrySettings = TelemetrySettings(),  # noqa: B008 - frozen
) -> Settings:
    """``engine`` answers; ``router``, where given, routes in place of the embedded engine."""
    changes = {"failures_allowed": 100_000, **(engine_changes or {})}
    answering = engine_settings(engine, speed=speed).model_copy(update=changes)
    routing = engine_settings(router or engine, speed=speed).model_copy(update=changes)
    limits = LimitsSettings(
        heartbeat_s=10.0 / speed, write_s=20.0 / speed, body_s=20.0 / speed, turns=1_024
    )
    return Settings(
        port=0,
        data_dir=folder,
        engines={ENGINE: answering, ROUTER: routing},
        default_engine=ENGINE,
        client_tools_engine=ENGINE,
        router=(
            RouterSettings(engine=ROUTER, dialect="llama3.1", verdict_s=3.0, call_s=10.0 / speed)
            if router
            else RouterSettings()
        ),
        tools=ToolsSettings(enabled=("mathematics",)),
        limits=limits,
        telemetry=telemetry,
    )


@asynccontextmanager
async def serve(settings: Settings) -> AsyncIterator[int]:
    """Serve the gateway on a free port of 127.0.0.1, which is given."""
    server = build_server(settings, create_app(settings))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve([listening]))
        try:
            with anyio.fail_after(PATIENCE_S):
                while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
                    await anyio.sleep(0.01)
            yield int(listening.getsockname()[1])
        finally:
            server.should_exit = True
            await serving


@contextmanager
def gateway_against(
    folder: Path,
    *,
    has_router: bool = False,
    speed: float = 1.0,
    engine_changes: Mapping[str, object] | None = None,
    router_says: str = DEFAULT_CALL,
    telemetry: TelemetrySettings = TelemetrySettings(),  # noqa: B008 - frozen
) -> Iterator[Gateway]:
    """A served gateway and its fault servers, each in a thread and loop of its own."""
    put_tables(folder)
    with (
        start_blocking_portal() as outside,
        start_blocking_portal(backend_options=UVLOOP) as inside,
    ):
        engine, router = FaultServer(), FaultServer(default=router_says, heeds_requests=False)
        with (
            outside.wrap_async_context_manager(engine),
            outside.wrap_async_context_manager(router),
        ):
            settings = gateway_settings(
                folder,
                engine=engine.url,
                router=router.url if has_router else None,
                speed=speed,
                engine_changes=engine_changes,
                telemetry=telemetry,
            )
            with inside.wrap_async_context_manager(serve(settings)) as port:
                yield Gateway(port=port, engine=engine, router=router, portal=inside)


UVLOOP = {"use_uvloop": True}
"""The event loop that `zwrotnica serve` has."""
