"""One engine of ours against one fault server, with limits as short or as long as wanted."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from scripted.fault_server import FaultServer
from scripted.patience import PATIENCE_S

from chatbot.errors import ZwrotnicaError
from chatbot.testing import ManualClock
from chatbot.types import ChatMessage, ChatRequest, Delta, FinishReason, Usage
from serving.engines.kinds import ENGINE_KINDS
from serving.engines.openai_api import OpenAIEngine
from serving.settings import EngineSettings

QUESTION = ChatRequest(messages=(ChatMessage(role="user", text="Opowiedz coś."),))
SPEED = 10.0
"""How many times shorter the limits are where a test waits them out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What one generation gave, the error it ended with, and how long it took, in seconds."""

    deltas: tuple[Delta, ...]
    error: ZwrotnicaError | None
    seconds: float

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas)

    @property
    def finish(self) -> FinishReason | None:
        return next((delta.finish for delta in self.deltas if delta.finish), None)

    @property
    def usages(self) -> tuple[Usage, ...]:
        return tuple(delta.usage for delta in self.deltas if delta.usage)


def engine_settings(
    url: str,
    *,
    model: str | None = None,
    kind: str = "vllm",
    speed: float = 1.0,
    first_token_s: float | None = None,
) -> EngineSettings:
    return EngineSettings(
        kind=kind,
        url=url,
        model=model,
        connect_s=PATIENCE_S,  # the two ends share the machine's cores
        first_token_s=first_token_s or 30.0 / speed,
        idle_s=15.0 / speed,
        busy_wait_s=5.0 / speed,
    )


@asynccontextmanager
async def engine_against(
    fault: str,
    *,
    kind: str = "vllm",
    speed: float = 1.0,
    first_token_s: float | None = None,
    clock: ManualClock | None = None,
) -> AsyncIterator[tuple[OpenAIEngine, FaultServer]]:
    async with (
        FaultServer() as server,
        OpenAIEngine(
            name="bielik",
            settings=engine_settings(
                server.url, model=fault, kind=kind, speed=speed, first_token_s=first_token_s
            ),
            kind=ENGINE_KINDS[kind],
            clock=clock or ManualClock(),
        ) as engine,
    ):
        yield engine, server


async def generate(
    engine: OpenAIEngine,
    request: ChatRequest = QUESTION,
    *,
    on_delta: Callable[[Delta], None] = lambda _: None,
) -> Outcome:
    """Read one generation to its end, or to its error."""
    clock = asyncio.get_running_loop().time
    began, deltas, error = clock(), list[Delta](), None
    try:
        async with engine.stream(request) as stream, aclosing(stream):
            async for delta in stream:
                deltas.append(delta)
                on_delta(delta)
    except ZwrotnicaError as caught:
        error = caught
    return Outcome(deltas=tuple(deltas), error=error, seconds=clock() - began)
