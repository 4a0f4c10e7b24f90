"""Makes the engines that are model servers, importing their client with the first of them.

The ``openai`` client and its transport take 0.4 s to import, a third of a start. The embedded
engine, and so a first start and a turn in the terminal, does without them.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from chatbot.ports import Clock
from serving.engines.kinds import ENGINE_KINDS
from serving.settings import EngineSettings, ImageEngineSettings
from serving.telemetry import EngineWatch

if TYPE_CHECKING:
    from serving.engines.connection import Alarm
    from serving.engines.openai_api import OpenAIEngine
    from serving.engines.pictures.image_api import Inspect, OpenAIImageEngine
    from serving.engines.replicas.fallback import ServedEngine


def make_chat_engine(
    name: str,
    settings: EngineSettings,
    *,
    clock: Clock,
    alarm: "Alarm | None" = None,
    watch: EngineWatch | None = None,
) -> "OpenAIEngine":
    """One server that speaks the OpenAI protocol, at ``url`` alone; nothing is opened yet."""
    kind: type[OpenAIEngine] = resolve_name("serving.engines.openai_api:OpenAIEngine")
    return kind(
        name=name,
        settings=settings,
        kind=ENGINE_KINDS[settings.kind],
        clock=clock,
        alarm=alarm,
        watch=watch,
    )


@asynccontextmanager
async def open_chat_engines(
    engines: Mapping[str, EngineSettings],
    *,
    clock: Clock,
    alarm: "Alarm | None" = None,
    watch: EngineWatch | None = None,
) -> "AsyncIterator[Mapping[str, ServedEngine]]":
    """The engines that are model servers, by name, with all their servers and fallbacks."""
    if not engines:
        yield {}
        return
    open_engines: Callable[..., AbstractAsyncContextManager[Mapping[str, ServedEngine]]] = (
        resolve_name("serving.engines.replicas.opening:open_engines")
    )
    async with open_engines(engines, clock=clock, alarm=alarm, watch=watch) as opened:
        yield opened


async def probe_chat_engines(engines: "Collection[ServedEngine]", data_dir: Path) -> None:
    """Look after the servers of ``engines``, for ever; at once done where none has several."""
    if engines:
        probe: Callable[..., Awaitable[None]] = resolve_name(
            "serving.engines.replicas.probing:probe_engines"
        )
        await probe(engines, data_dir)


def make_image_engine(
    settings: ImageEngineSettings,
    *,
    clock: Clock,
    alarm: "Alarm | None" = None,
    watch: EngineWatch | None = None,
    inspect: "Inspect | None" = None,
) -> "OpenAIImageEngine":
    """An image engine behind a server that speaks the OpenAI protocol; nothing is opened yet."""
    kind: type[OpenAIImageEngine] = resolve_name(
        "serving.engines.pictures.image_api:OpenAIImageEngine"
    )
    return kind(
        name="images", settings=settings, clock=clock, alarm=alarm, watch=watch, inspect=inspect
    )
