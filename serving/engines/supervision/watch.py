"""Watches one life of a server: until it is ready, and while it is, until it is of no use."""

from typing import TYPE_CHECKING, Final

import anyio
from anyio import CancelScope

from chatbot.errors import EngineBusy, EngineTimeout, ZwrotnicaError
from chatbot.ports import Clock
from serving.engines.readiness import make_token
from serving.engines.remote import make_chat_engine
from serving.engines.supervision.plan import ServerPlan
from serving.engines.supervision.report import Report
from serving.processes import GuardedProcess

if TYPE_CHECKING:
    from serving.engines.openai_api import OpenAIEngine

PROBES: Final = 3
"""Probes in a row after whose failure a server is of no use."""
_KNOCK_S: Final = 0.2
_KNOCK_LIMIT_S: Final = 3.0
_NO_BREAKER: Final = {"failures_allowed": 1_000_000_000}


class Watch:
    """One life of a server, as its clients see it."""

    def __init__(self, plan: ServerPlan, *, clock: Clock, report: Report) -> None:
        """``report`` hears what happens."""
        self._plan = plan
        self._clock = clock
        self._report = report
        self._began = clock.monotonic()
        self._ready_at: float | None = None
        self._refusal: str | None = None

    @property
    def ready_s(self) -> float:
        """For how many seconds it has been ready by now."""
        return 0.0 if self._ready_at is None else self._clock.monotonic() - self._ready_at

    async def run(self, server: GuardedProcess) -> None:
        """Watch until the process ends, or is found to be of no use."""
        async with anyio.create_task_group() as group:
            group.start_soon(_cancel_at_end, server, group.cancel_scope)
            self._report.unfit(await self._until_unfit())
            group.cancel_scope.cancel()

    async def _until_unfit(self) -> str:
        """Say what is wrong, as soon as something is."""
        start_s = self._plan.launch.start_s
        settings = self._plan.engine.model_copy(update=_NO_BREAKER)
        async with make_chat_engine(self._plan.name, settings, clock=self._clock) as engine:
            with anyio.move_on_after(start_s):
                await self._until_ready(engine)
            if self._ready_at is None:
                refusal = f": {self._refusal}" if self._refusal else ""
                return f"not ready after {start_s:g} s{refusal}"
            self._report.ready(self._ready_at - self._began)
            await self._until_silent(engine)
        return f"{PROBES} probes in a row without an answer"

    async def _until_ready(self, engine: "OpenAIEngine") -> None:
        """Wait for its port, and for a token."""
        host, port = self._plan.client_address
        while True:
            if await _listens(host, port) and await self._makes_token(engine):
                self._ready_at = self._clock.monotonic()
                return
            await anyio.sleep(_KNOCK_S)

    async def _makes_token(self, engine: "OpenAIEngine") -> bool:
        try:
            await make_token(engine)
        except ZwrotnicaError as error:
            if error.message != self._refusal:
                self._report.refused(error.message)
            self._refusal = error.message
            return False
        return True

    async def _until_silent(self, engine: "OpenAIEngine") -> None:
        failures = 0
        while failures < PROBES:
            await anyio.sleep(self._plan.launch.probe_s)
            failures = 0 if await _answers(engine) else failures + 1


async def _answers(engine: "OpenAIEngine") -> bool:
    """Whether it lists its models, however busy it is; if it cannot, whether it makes a token."""
    try:
        await engine.list_models()
    except EngineBusy:
        return True
    except EngineTimeout:
        return False
    except ZwrotnicaError:
        return await _generates(engine)
    return True


async def _generates(engine: "OpenAIEngine") -> bool:
    try:
        await make_token(engine)
    except EngineBusy:
        return True
    except ZwrotnicaError:
        return False
    return True


async def _listens(host: str, port: int) -> bool:
    try:
        with anyio.fail_after(_KNOCK_LIMIT_S):
            stream = await anyio.connect_tcp(host, port)
    except (OSError, TimeoutError):
        return False
    await stream.aclose()
    return True


async def _cancel_at_end(server: GuardedProcess, scope: CancelScope) -> None:
    await server.wait()
    scope.cancel()
