"""Checks a configured engine: alive, serving its model, seeing and calling the tools offered."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from chatbot.errors import ZwrotnicaError
from chatbot.ports import Clock
from chatbot.router import Dialect, Router
from serving.engines.checking.canary import CANARY_MARKS, canary_view, greeting_view, make_canary
from serving.engines.checking.diagnosis import PATIENT, Suspect, diagnose
from serving.engines.checking.findings import Finding, each_once, explain_failure
from serving.engines.openai_api import OpenAIEngine
from serving.engines.readiness import make_token

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Routing:
    """What a router asks of an engine: its ``dialect``, and the ``setting`` that it comes from."""

    role: str
    dialect: Dialect
    setting: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineCheck:
    """What a check found; ``None`` where it was not asked, or could not be. Time in milliseconds.

    ``is_alive``: something answers, if only with a refusal. ``sees_tools``: the model named a tool
    that it can only have read in the request. ``fits_dialect``: that call was read by the dialect,
    and a greeting called nothing. ``role`` is the router's for which it was checked, ``url`` the
    server's address, where it was one of several.
    """

    engine: str
    is_alive: bool
    url: str | None = None
    role: str | None = None
    dialect: str | None = None
    models: tuple[str, ...] = ()
    has_model: bool | None = None
    generates: bool | None = None
    sees_tools: bool | None = None
    fits_dialect: bool | None = None
    verdict_ms: int | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def is_fit(self) -> bool:
        """Whether nothing is wrong."""
        return self.is_alive and not self.findings


async def check_engine(
    engine: OpenAIEngine,
    *,
    routing: Routing | None,
    clock: Clock,
    choose: Callable[[Sequence[str]], str],
) -> EngineCheck:
    """Check ``engine``; with a ``routing`` also whether it can route.

    ``choose`` draws one of `CANARY_MARKS`, as ``secrets.choice`` does. Failures of the engine are
    found, never raised.
    """
    found = await _check_life(engine)
    if routing is None:
        return found
    found = replace(found, role=routing.role, dialect=routing.dialect.name)
    return await _check_routing(found, engine, routing, clock, choose) if found.generates else found


async def _check_life(engine: OpenAIEngine) -> EngineCheck:
    listed = await _attempt(engine, engine.list_models())
    models = listed if isinstance(listed, tuple) else ()
    written = await _attempt(engine, make_token(engine))
    generates = not isinstance(written, Finding)
    has_model = engine.model in models if models and engine.model is not None else None
    findings = [one for one in (listed, written) if isinstance(one, Finding)]
    if has_model is False:
        findings.append(_unlisted(engine, models))
    refusals = {"other_key", "wrong_address", "busy", "refused_request"}
    return EngineCheck(
        engine=engine.name,
        is_alive=bool(models) or generates or any(one.code in refusals for one in findings),
        models=models,
        has_model=has_model,
        generates=generates,
        findings=each_once(findings),
    )


async def _attempt(engine: OpenAIEngine, step: Awaitable[T]) -> T | Finding:
    before = Counter(engine.oddities)
    try:
        return await step
    except ZwrotnicaError as error:
        noted = Counter(engine.oddities) - before
        return explain_failure(error, engine=engine.name, noted=noted)


def _unlisted(engine: OpenAIEngine, models: Sequence[str]) -> Finding:
    return Finding(
        code="model_unlisted",
        text=f"it does not list the model {engine.model!r}, only {', '.join(models)}: set "
        f"engines.{engine.name}.model to one of them, or look whether its url is another server's",
    )


async def _check_routing(
    found: EngineCheck,
    engine: OpenAIEngine,
    routing: Routing,
    clock: Clock,
    choose: Callable[[Sequence[str]], str],
) -> EngineCheck:
    canary = make_canary(choose(CANARY_MARKS))
    router = Router(engine=engine, dialect=routing.dialect, clock=clock, limits=PATIENT)
    called = await router.decide(canary_view(canary))
    if [call.name for call in called.calls] != [canary.name]:
        suspect = Suspect(
            engine=engine,
            dialect=routing.dialect,
            setting=routing.setting,
            canary=canary,
            clock=clock,
        )
        told = await diagnose(suspect)
        findings = (*found.findings, told.finding)
        return replace(found, sees_tools=told.sees_tools, fits_dialect=False, findings=findings)
    greeted = await router.decide(greeting_view(canary))
    return replace(
        found,
        sees_tools=True,
        fits_dialect=not greeted.calls,
        verdict_ms=called.verdict_ms,
        findings=(*found.findings, *([_calls_for_greeting()] if greeted.calls else [])),
    )


def _calls_for_greeting() -> Finding:
    return Finding(
        code="calls_for_greeting",
        text="it calls a tool even for a greeting, so tools will answer ordinary chat: take a "
        "larger model, or name one as router.second_engine and leave router.verify on",
    )
