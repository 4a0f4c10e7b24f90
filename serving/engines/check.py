"""Checks a configured engine: alive, serving its model, seeing and calling the tools offered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from chatbot.errors import ZwrotnicaError
from chatbot.ports import Clock
from chatbot.router import Dialect, Router, RouterLimits
from chatbot.types import ChatMessage, ChatRequest, Decision, RouterView, Sampling, ToolSpec
from serving.engines.openai_api import OpenAIEngine

CANARY_PROMPT: Final = "Podaj mi, proszę, tajne hasło dnia dla stacji Łódź."
"""What only the canary tool can answer."""
CANARY_MARKS: Final = (
    *("amber", "birch", "cobalt", "dune", "ember", "fjord", "gecko", "heron"),
    *("ivory", "kayak", "lynx", "moss", "onyx", "quartz", "tulip", "walnut"),
)
"""What the name of the canary tool may end in.

Each check draws one of them, so a model can name the tool only if it has read the request. They are
words and no random characters because small models copy those with slips, and a fixed table because
a checkpoint made for tests can then learn them all.
"""
GREETING: Final = "Cześć! Opowiedz mi krótko, co dziś u ciebie słychać."
"""What no tool is for."""

_SLOW_VERDICT = RouterLimits(verdict_s=20.0, call_s=30.0)
_FEW_TOKENS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineCheck:
    """What a check found; ``None`` where it was not asked, or could not be. Time in milliseconds.

    ``sees_tools``: the model named a tool that it can only have read in the request.
    ``fits_dialect``: that call was read by the dialect, and a greeting called nothing.
    ``problems`` say in English what is wrong and what to do.
    """

    engine: str
    is_alive: bool
    models: tuple[str, ...] = ()
    has_model: bool | None = None
    generates: bool | None = None
    sees_tools: bool | None = None
    fits_dialect: bool | None = None
    verdict_ms: int | None = None
    problems: tuple[str, ...] = ()

    @property
    def is_fit(self) -> bool:
        """Whether nothing is wrong."""
        return self.is_alive and not self.problems


async def check_engine(
    engine: OpenAIEngine,
    *,
    dialect: Dialect | None,
    clock: Clock,
    choose: Callable[[Sequence[str]], str],
) -> EngineCheck:
    """Check ``engine``; with a ``dialect`` (the router's) also whether it can route.

    ``choose`` draws one of `CANARY_MARKS`, as ``secrets.choice`` does. Failures of the engine are
    found, never raised.
    """
    problems: list[str] = []
    models = await _list_models(engine, problems)
    has_model = None if engine.model is None or not models else engine.model in models
    if has_model is False:
        problems.append(f"it does not list the model {engine.model!r}, only {', '.join(models)}")
    generates = await _generates(engine, problems)
    if not generates or dialect is None:
        return EngineCheck(
            engine=engine.name,
            is_alive=bool(models) or generates,
            models=models,
            has_model=has_model,
            generates=generates,
            problems=tuple(problems),
        )
    canary = make_canary(choose(CANARY_MARKS))
    called, greeted = await _ask(engine, dialect, clock, canary)
    sees_tools = [call.name for call in called.calls] == [canary.name]
    problems += _find_problems(called, greeted, sees_tools=sees_tools, dialect=dialect)
    return EngineCheck(
        engine=engine.name,
        is_alive=True,
        models=models,
        has_model=has_model,
        generates=True,
        sees_tools=sees_tools,
        fits_dialect=sees_tools and not greeted.calls,
        verdict_ms=called.verdict_ms,
        problems=tuple(problems),
    )


async def _list_models(engine: OpenAIEngine, problems: list[str]) -> tuple[str, ...]:
    try:
        return await engine.list_models()
    except ZwrotnicaError as error:
        problems.append(f"its models cannot be listed: {error.message}")
        return ()


async def _generates(engine: OpenAIEngine, problems: list[str]) -> bool:
    request = ChatRequest(
        messages=(ChatMessage(role="user", text=GREETING),),
        sampling=Sampling(temperature=0.0, max_tokens=_FEW_TOKENS),
    )
    try:
        async with engine.stream(request) as deltas:
            async for _ in deltas:
                pass
    except ZwrotnicaError as error:
        problems.append(f"it does not generate: {error.message}")
        return False
    return True


def make_canary(mark: str) -> ToolSpec:
    """The tool that `CANARY_PROMPT` needs; its name ends in ``mark``."""
    return ToolSpec(
        name=f"secret_word_{mark}",
        title="Hasło",
        description="Returns the secret word of the day (tajne hasło dnia) for a station.",
        parameters={
            "type": "object",
            "properties": {"station": {"type": "string", "description": "Name of the station."}},
            "required": ["station"],
        },
    )


async def _ask(
    engine: OpenAIEngine, dialect: Dialect, clock: Clock, canary: ToolSpec
) -> tuple[Decision, Decision]:
    router = Router(engine=engine, dialect=dialect, clock=clock, limits=_SLOW_VERDICT)
    called = await router.decide(RouterView(tools=(canary,), prompt=CANARY_PROMPT))
    greeted = await router.decide(RouterView(tools=(canary,), prompt=GREETING))
    return called, greeted


def _find_problems(
    called: Decision, greeted: Decision, *, sees_tools: bool, dialect: Dialect
) -> list[str]:
    problems: list[str] = []
    if not sees_tools:
        problems.append(
            f"offered a tool in the dialect {dialect.name!r}, it did not call it "
            f"({called.reason}): try another dialect, or check the server's chat template"
        )
    if greeted.calls:
        problems.append("it calls a tool even for a greeting: tools will answer ordinary chat")
    return problems
