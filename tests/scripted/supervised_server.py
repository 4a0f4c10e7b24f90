"""The supervisor of one engine, at work in the test's own loop on a `scripted.model_server`."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from scripted.full_stack import wait_for
from scripted.ports import free_port

from serving.clock import SystemClock
from serving.engines.claims import claim_engine
from serving.engines.states import EngineState, engines_folder, read_states
from serving.engines.supervision import ServerPlan, plan_servers
from serving.engines.supervision.supervisor import Supervisor
from serving.settings import Settings

PROGRAM = (sys.executable, "-S", str(Path(__file__).with_name("model_server.py")))
NAME = "router"
KEY = "sk-0123456789abcdef"
QUICK: dict[str, object] = {"rest_s": 0.05, "probe_s": 0.1, "stop_s": 5.0}


def write_settings(folder: Path, play: str = "", **launch: object) -> dict[str, object]:
    """Settings with one engine whose server plays ``play``."""
    table = {
        **QUICK,
        "program": PROGRAM,
        "environment": {
            "PLAY": play,
            "CHILD": str(folder / "child"),
            "AWAKE": str(folder / "awake"),
            "MENDED": str(folder / "mended"),
        },
        **launch,
    }
    engine = {
        "kind": "transformers",
        "port": free_port(),
        "model": "model",
        "api_key": KEY,
        "first_token_s": 0.5,
        "launch": table,
    }
    return {"data_dir": str(folder), "engines": {NAME: engine}}


def plan(folder: Path, play: str = "", **launch: object) -> ServerPlan:
    """The plan of that engine's server."""
    [only] = plan_servers((), Settings.model_validate(write_settings(folder, play, **launch)))
    return only


@dataclass(frozen=True, kw_only=True, slots=True)
class Supervised:
    """The supervisor at work; ``told`` is what a person was told."""

    folder: Path
    supervisor: Supervisor
    told: list[str] = field(default_factory=list)

    @property
    def state(self) -> EngineState | None:
        """The engine's state as others read it."""
        return next(iter(read_states(self.folder)), None)

    @property
    def log(self) -> Path:
        """The server's log."""
        return engines_folder(self.folder) / f"{NAME}.log"

    async def wait_told(self, words: str, *, times: int = 1) -> None:
        """Wait until ``words`` were told."""
        await wait_for(lambda: sum(words in line for line in self.told) >= times)

    async def wait_ready(self, *, times: int = 1) -> EngineState:
        """Wait until the server is ready for the ``times``-th time."""
        await self.wait_told("ready after", times=times)
        assert self.state is not None
        return self.state


@asynccontextmanager
async def supervised(folder: Path, play: str = "", **launch: object) -> AsyncIterator[Supervised]:
    """The supervisor of a server that plays ``play``; it is told to stop when the block ends."""
    told: list[str] = []
    engines = engines_folder(folder)
    with claim_engine(engines, NAME):
        supervisor = Supervisor(
            plan(folder, play, **launch), folder=engines, clock=SystemClock(), tell=told.append
        )
        async with anyio.create_task_group() as group:
            group.start_soon(supervisor.run)
            yield Supervised(folder=folder, supervisor=supervisor, told=told)
            group.cancel_scope.cancel()
