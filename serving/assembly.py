"""Builds a chatbot from settings: where engines, router and tools are put together."""

import difflib
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from chatbot.bot import Chatbot, TurnLimits
from chatbot.errors import InvalidRequest
from chatbot.language import morphology
from chatbot.ports import ChatEngine, Clock, ImageEngine
from chatbot.router import (
    DIALECTS,
    Dialect,
    Dispatcher,
    DispatchPolicy,
    Router,
    RouterLimits,
)
from chatbot.router.detector import Detector
from chatbot.sanitizer.sensitive import OnFind, Safety
from chatbot.tools import Registry
from chatbot.tools.mathematics import WORKER_MODULE
from chatbot.tools.workers import ProcessWorkers
from serving.clock import SystemClock
from serving.engines.defaults import (
    find_dialect_name,
    read_sampling,
    read_system_prompt,
)
from serving.engines.embedded import EmbeddedEngine
from serving.engines.kinds import remote_engines
from serving.engines.remote import make_image_engine, open_chat_engines, probe_chat_engines
from serving.safety import read_rules
from serving.settings import EMBEDDED, EngineSettings, Settings, SettingsError
from serving.storage import Keyring, StoredImages, load_keyring, open_data_dir
from serving.telemetry import EngineWatch, TurnSteps

if TYPE_CHECKING:
    from serving.engines.connection import Alarm
    from serving.engines.pictures.image_api import Inspect, OpenAIImageEngine
    from serving.engines.replicas.fallback import ServedEngine

PRELOADED = (WORKER_MODULE,)
"""What the workers' server imports once, so that a fresh worker starts in milliseconds."""

Wrap: TypeAlias = Callable[[ChatEngine], ChatEngine]
"""Gives an engine that stands in front of another."""

ID_BYTES = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Assembly:
    """A chatbot ready to answer, with the parts that its surroundings need.

    ``engines`` are the configured model servers by name, without the embedded engine;
    ``image_engine`` draws pictures, if one is configured;
    ``settings.data_dir`` is absolute and exists. ``warm`` gets ready what the
    first turns would else wait for: worth it for a server, not for a single turn. ``probe`` looks
    after the servers of engines as long as it runs, which is as long as others run beside it.
    """

    settings: Settings
    chatbot: Chatbot
    engines: Mapping[str, "ServedEngine"]
    images: StoredImages
    keyring: Keyring
    clock: Clock
    warm: Callable[[], None]
    probe: Callable[[], Coroutine[object, object, None]]
    image_engine: "OpenAIImageEngine | None" = None


def new_id() -> str:
    """A fresh opaque id."""
    return secrets.token_hex(ID_BYTES)


@asynccontextmanager
async def assemble(
    settings: Settings,
    *,
    alarm: "Alarm | None" = None,
    watch: EngineWatch | None = None,
    clock: Clock | None = None,
    wrap: Wrap | None = None,
    on_find: OnFind | None = None,
) -> AsyncIterator[Assembly]:
    """Open everything that ``settings`` ask for; leaving closes it in reverse.

    ``alarm`` hears of whatever is strange about an engine, ``watch`` of every request to one.
    ``clock`` replaces the machine's own time, ``wrap`` each chat engine of the chatbot by one
    around it: evals listen in there. ``on_find`` hears of sensitive content.

    Raises:
        SettingsError: an engine, dialect or tool that cannot be built from the settings.
    """
    settings = settings.model_copy(update={"data_dir": open_data_dir(settings.data_dir)})
    clock = clock or SystemClock()
    keyring = load_keyring(settings, settings.data_dir)
    images = make_images(settings, settings.data_dir, keyring=keyring, clock=clock)
    async with AsyncExitStack() as stack:
        workers = await stack.enter_async_context(ProcessWorkers(preload=PRELOADED))
        image_engine = await stack.enter_async_context(
            open_image_engine(
                settings, clock=clock, alarm=alarm, watch=watch, inspect=images.inspect
            )
        )
        registry = build_registry(settings, workers=workers, clock=clock, images=image_engine)
        engines = await stack.enter_async_context(
            open_chat_engines(_served_engines(settings), clock=clock, alarm=alarm, watch=watch)
        )
        chatbot = _build_chatbot(
            settings,
            engines=engines,
            tools=await stack.enter_async_context(registry),
            images=images,
            clock=clock,
            wrap=wrap,
            on_find=on_find,
        )
        yield Assembly(
            settings=settings,
            chatbot=chatbot,
            engines=engines,
            images=images,
            keyring=keyring,
            clock=clock,
            warm=partial(_warm, workers),
            probe=partial(probe_chat_engines, tuple(engines.values()), settings.data_dir),
            image_engine=image_engine,
        )


def make_images(
    settings: Settings, folder: Path, *, keyring: Keyring, clock: Clock
) -> StoredImages:
    """The pictures in the data folder ``folder``."""
    return StoredImages(
        folder=folder / "images",
        keyring=keyring,
        settings=settings.images,
        clock=clock,
        kept=timedelta(days=settings.storage.picture_days),
    )


@asynccontextmanager
async def open_image_engine(
    settings: Settings,
    *,
    clock: Clock,
    alarm: "Alarm | None" = None,
    watch: EngineWatch | None = None,
    inspect: "Inspect | None" = None,
) -> AsyncIterator["OpenAIImageEngine | None"]:
    """The engine that draws pictures, open until the block is left; ``None`` without one.

    ``inspect`` looks at each picture before the tool says that it is ready.
    """
    configured = settings.images.engine
    if configured is None:
        yield None
        return
    engine = make_image_engine(configured, clock=clock, alarm=alarm, watch=watch, inspect=inspect)
    async with engine:
        yield engine


def _warm(workers: ProcessWorkers) -> None:
    """Start the workers; meanwhile load the dictionary, which would hold up every other turn."""
    workers.warm()
    morphology()


def check_settings(settings: Settings) -> None:
    """Find out without opening anything whether `assemble` can build these settings.

    Raises:
        SettingsError: it cannot; the message names the setting.
    """
    for name, engine in remote_engines(settings).items():
        read_sampling(name, engine)
        read_system_prompt(name, engine)
    choose_dialect(settings)
    choose_second_dialect(settings)
    _check_routing_fallbacks(settings)
    read_rules(settings.safety)
    build_registry(settings, workers=ProcessWorkers(), clock=SystemClock())


def build_registry(
    settings: Settings,
    *,
    workers: ProcessWorkers,
    clock: Clock,
    images: ImageEngine | None = None,
) -> Registry:
    """The registry of the enabled tools, not opened yet; ``images`` draws for them.

    Raises:
        SettingsError: an unknown tool, or a tool's setting that is unknown or cannot be used.
    """
    try:
        return Registry(
            enabled=settings.tools.enabled,
            settings=settings.tools.tables,
            workers=workers,
            images=images,
            clock=clock,
            user_agent=settings.tools.user_agent,
        )
    except InvalidRequest as error:
        raise SettingsError(error.message) from error


def _build_chatbot(
    settings: Settings,
    *,
    engines: Mapping[str, "ServedEngine"],
    tools: Registry,
    images: StoredImages,
    clock: Clock,
    wrap: Wrap | None,
    on_find: OnFind | None,
) -> Chatbot:
    detector = Detector.load()
    embedded = EmbeddedEngine(detector=detector, clock=clock)
    known: dict[str, ChatEngine] = {
        EMBEDDED: embedded,
        **dict.fromkeys(settings.engines, embedded),
        **engines,
    }
    if wrap is not None:
        known = {name: wrap(engine) for name, engine in known.items()}
    name = settings.answering_engine
    answering = _engine_settings(settings, name)
    return Chatbot(
        dispatcher=_build_dispatcher(settings, known, detector=detector, clock=clock),
        engine=known[name],
        tools=tools,
        images=images,
        clock=clock,
        new_id=new_id,
        limits=_turn_limits(settings),
        context_tokens=answering.context_tokens,
        answer_tokens=answering.default_max_tokens,
        sampling=read_sampling(name, answering),
        system_prompt=read_system_prompt(name, answering),
        phrases=answering.kind != EMBEDDED,
        plain_links=settings.attribution.plain_links,
        trusted_hosts=settings.attribution.trusted_hosts,
        safety=Safety(read_rules(settings.safety), on_find=on_find),
        tracer=TurnSteps(),
    )


def _build_dispatcher(
    settings: Settings, engines: Mapping[str, ChatEngine], *, detector: Detector, clock: Clock
) -> Dispatcher:
    """The embedded engine is the detector itself: it is neither hurried nor verified by it."""
    router, limits = settings.router, _router_limits(settings)

    def make_router(engine: str, dialect: Dialect) -> Router:
        return Router(engine=engines[engine], dialect=dialect, clock=clock, limits=limits)

    second = choose_second_dialect(settings)
    is_model = _engine_settings(settings, router.engine).kind != EMBEDDED
    return Dispatcher(
        router=make_router(router.engine, choose_dialect(settings)),
        clock=clock,
        detector=detector,
        second=make_router(router.second_engine, second)
        if router.second_engine and second
        else None,
        policy=DispatchPolicy(
            dialogue=router.dialogue,
            fast_path=router.fast_path and is_model,
            verify=router.verify and is_model,
            grounding=router.grounding,
            local=not is_model,
        ),
        limits=limits,
        tracer=TurnSteps(),
    )


def _turn_limits(settings: Settings) -> TurnLimits:
    turn = settings.turn
    return TurnLimits(
        turn_s=turn.turn_s,
        calls=turn.max_calls,
        phrase_chars=turn.phrase_chars,
        phrase_s=turn.phrase_s,
        summary_s=turn.summary_s,
        translate_s=turn.translate_s,
    )


def _served_engines(settings: Settings) -> dict[str, EngineSettings]:
    """The engines that are model servers; where no router asks, it needs no connections."""
    routers = {settings.router.engine, settings.router.second_engine}
    return {
        name: one if name in routers else one.model_copy(update={"router_connections": 0})
        for name, one in remote_engines(settings).items()
    }


def _engine_settings(settings: Settings, name: str) -> EngineSettings:
    return settings.engines.get(name) or EngineSettings(kind=EMBEDDED)


def choose_dialect(settings: Settings) -> Dialect:
    """How the router's model calls tools.

    Raises:
        SettingsError: the dialect is not configured, or does not exist.
    """
    router = settings.router
    dialect = _find_dialect(settings, router.engine, router.dialect)
    return dialect if router.tag_id is None else replace(dialect, tag_id=router.tag_id)


def choose_second_dialect(settings: Settings) -> Dialect | None:
    """How the second router's model calls tools, if there is one; always its engine's own way.

    Raises:
        SettingsError: the dialect is not configured, or does not exist.
    """
    name = settings.router.second_engine
    return None if name is None else _find_dialect(settings, name, None)


def _check_routing_fallbacks(settings: Settings) -> None:
    """What answers in a router's place is read in the router's dialect."""
    router = settings.router
    for name, dialect in (
        (router.engine, choose_dialect(settings)),
        (router.second_engine, choose_second_dialect(settings)),
    ):
        for other in _engine_settings(settings, name).fallback if name and dialect else ():
            own = find_dialect_name(other, settings.engines[other])
            if dialect is not None and own != dialect.name:
                raise SettingsError(
                    f"engines.{name}.fallback: {name!r} routes in the dialect {dialect.name!r}, "
                    f"but {other!r} calls tools in {own!r}; let an engine of the same dialect "
                    "stand in for a router"
                )


def _find_dialect(settings: Settings, engine_name: str, wanted: str | None) -> Dialect:
    engine = _engine_settings(settings, engine_name)
    name = wanted or find_dialect_name(engine_name, engine)
    if name is None and engine.kind == EMBEDDED:
        name = EMBEDDED
    if name is None and engine.family is not None:
        raise SettingsError(
            f"the makers of the family {engine.family!r} document no function calling, so "
            f"{engine_name!r} cannot route; let another engine route, or try "
            f"engines.{engine_name}.dialect all the same"
        )
    if name is None:
        raise SettingsError(
            f"engines.{engine_name}.dialect (or router.dialect) must say how the model of "
            f"{engine_name!r} calls tools; known dialects: {', '.join(sorted(DIALECTS))}"
        )
    if name not in DIALECTS:
        near = difflib.get_close_matches(name, DIALECTS, n=1, cutoff=0.0)
        raise SettingsError(f"there is no dialect {name!r}; did you mean {near[0]!r}?")
    return DIALECTS[name]


def _router_limits(settings: Settings) -> RouterLimits:
    router = settings.router
    return RouterLimits(
        verdict_s=router.verdict_s,
        call_s=router.call_s,
        max_tokens=router.max_tokens,
        max_calls=settings.turn.max_calls,
        undecided_chars=router.undecided_chars,
        prompt_chars=router.prompt_chars,
        long_text_chars=router.long_text_chars,
        priority=router.priority,
    )
