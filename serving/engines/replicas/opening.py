"""Opens the configured chat engines with all their servers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from chatbot.ports import Clock
from serving.engines.connection import Alarm
from serving.engines.replicas.fallback import ServedEngine, add_fallbacks
from serving.engines.replicas.replicated import ReplicatedEngine
from serving.settings import EngineSettings
from serving.telemetry import EngineWatch


@asynccontextmanager
async def open_engines(
    engines: Mapping[str, EngineSettings],
    *,
    clock: Clock,
    alarm: Alarm | None = None,
    watch: EngineWatch | None = None,
) -> AsyncIterator[dict[str, ServedEngine]]:
    """The engines by name, with their fallbacks; leaving closes their connections."""
    async with AsyncExitStack() as stack:
        opened = {
            name: await stack.enter_async_context(
                ReplicatedEngine(name=name, settings=one, clock=clock, alarm=alarm, watch=watch)
            )
            for name, one in engines.items()
        }
        yield add_fallbacks(opened)
