"""The Wikipedia tool in a registry of its own, and a probe of the loop that it runs on."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median

import anyio
from scripted.ticking import TickingClock

from chatbot.testing import InlineWorkers
from chatbot.tools import Registry, ToolRun
from chatbot.tools.wikipedia import search_wikipedia
from chatbot.types import JsonObject, ToolCall

USER_AGENT = "zwrotnica/0.1"
PROBE_S = 0.01


def open_registry(url: str, **settings: object) -> Registry:
    """A registry with this tool alone; ``url`` is the folder of ``api.php``."""
    return Registry(
        tools=[search_wikipedia],
        settings={"wikipedia": {"url": url, **settings}},
        workers=InlineWorkers(),
        clock=TickingClock(),
        user_agent=USER_AGENT,
    )


def call(query: str, language: str | None = None) -> ToolCall:
    arguments: JsonObject = {"query": query} | ({"language": language} if language else {})
    return ToolCall(
        call_id="c", name="search_wikipedia", arguments=arguments, raw_arguments=arguments
    )


async def look_up(url: str, query: str, language: str | None = None, **settings: object) -> ToolRun:
    """One call, in a registry that is open for it alone."""
    async with open_registry(url, **settings) as registry:
        return await registry.run(call(query, language))


@asynccontextmanager
async def loop_probe() -> AsyncIterator[list[float]]:
    """Seconds by which the event loop was late, each hundredth of a second."""
    lags: list[float] = []

    async def probe() -> None:
        while True:
            before = time.monotonic()
            await anyio.sleep(PROBE_S)
            lags.append(time.monotonic() - before - PROBE_S)

    async with anyio.create_task_group() as group:
        group.start_soon(probe)
        yield lags
        group.cancel_scope.cancel()


def typical(lags: list[float]) -> float:
    """The median lag, in seconds; none where all was over before the first look."""
    return median(lags) if lags else 0.0
