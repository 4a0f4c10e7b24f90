"""Puts a run together: settings, the chatbot whose router is evaluated, scorers, workers."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time as dt_time
from functools import partial
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from chatbot.bot import Chatbot
from chatbot.ports import ChatEngine
from chatbot.router.detector import Detector
from chatbot.tools.workers import ProcessWorkers
from evals.asking import PATIENCE, AskingSolver, Patience, Rate, RecordingSolver
from evals.cases import Case, CaseSet
from evals.exchanges import TracedEngine
from evals.expressions import match_expression
from evals.modes import HistoryEngine, Mode, ModeError, RewritingSolver, settings_for
from evals.record import Record
from evals.run import Log, run
from evals.scorers import Scorer, measures
from evals.solver import RouteSolver, Solver
from evals.turns import TurnSolver, with_idle_tools
from evals.written import ReadingSolver
from serving.assembly import assemble, choose_dialect
from serving.settings import EMBEDDED, Settings

_WARM_UP = "Dzień dobry"
_WARSAW = ZoneInfo("Europe/Warsaw")

Runner: TypeAlias = Literal["route", "chatbot"]
"""The decision alone, as ``POST /api/route``; or whole turns, in which no tool does anything."""

VALUE_S = 10.0
"""Seconds for comparing two expressions, in which a loaded machine also starts a worker."""


class StoppedClock:
    """Implements `chatbot.ports.Clock`: durations are true, the date is always the same."""

    def __init__(self, now: datetime) -> None:
        """Stop at ``now``, which is aware."""
        self._now = now.astimezone(UTC)

    def now(self) -> datetime:
        """Always the same moment, in UTC."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How a run is carried out.

    ``mode`` is what the router model is shown (``None``: what the settings say); ``per_minute``
    bounds the requests; ``record`` holds what need not be asked, and takes what is; without
    ``may_ask`` it must hold all.
    """

    mode: Mode | None = None
    runner: Runner = "route"
    per_minute: int | None = None
    patience: Patience = PATIENCE
    record: Record | None = None
    may_ask: bool = True


async def evaluate_router(
    settings: Settings,
    case_set: CaseSet,
    *,
    plan: Plan = Plan(),
    today: date | None = None,
    parallel: int = 1,
    value_s: float = VALUE_S,
    on_case: Callable[[Case], None] | None = None,
) -> Log:
    """Run ``case_set`` through the router that ``settings`` describe; one case warms it up.

    Args:
        settings: A chatbot; its router is evaluated.
        case_set: The cases.
        plan: What the router model is shown, and how it is asked.
        today: The date on which everything happens, at noon in Warsaw; ``None``: the machine's.
        parallel: Cases at once.
        value_s: Seconds for comparing two expressions.
        on_case: Told of each case when it has been decided.

    Raises:
        ModeError: the mode needs a language model as the default model.
        NoAnswerError: an engine answers not even the warm-up.
        RecordError: the record does not hold what may not be asked.
    """
    settings = settings_for(plan.mode, settings)
    clock = StoppedClock(_noon(today) if today else datetime.now(UTC))
    async with (
        assemble(settings, clock=clock, wrap=partial(_wrap, plan)) as assembly,
        ProcessWorkers(workers=1, preload=("evals.values",)) as workers,
    ):
        chatbot = assembly.chatbot
        scorer = Scorer(
            {
                **measures(_date_of(clock)),
                "expression": match_expression(workers, limit_s=value_s),
            },
            chatbot.tools.specs(),
        )
        if plan.runner == "chatbot":
            chatbot = with_idle_tools(chatbot, workers=workers, clock=clock)
        inner = _make_solver(settings, chatbot, clock, plan)
        asking = AskingSolver(inner, Rate(plan.per_minute, clock.monotonic), plan.patience)
        if plan.may_ask and _is_missing_some(plan, case_set):
            await asking.warm_up(Case(id="warm-up", prompt=_WARM_UP))
        return await run(
            case_set,
            _with_record(inner, asking, plan),
            scorer,
            engine=settings.router.engine,
            dialect=_dialect(settings),
            mode=plan.mode,
            parallel=parallel,
            on_case=on_case,
        )


def _make_solver(settings: Settings, chatbot: Chatbot, clock: StoppedClock, plan: Plan) -> Solver:
    if plan.runner == "chatbot":
        solver: Solver = TurnSolver(chatbot, clock.monotonic)
    else:
        confidence = _confidence(settings, chatbot, clock)
        solver = RouteSolver(chatbot, clock.monotonic, confidence=confidence)
    solver = ReadingSolver(solver, choose_dialect(settings), chatbot.tools.names)
    if plan.mode != "rewrite":
        return solver
    if not chatbot.phrases:
        raise ModeError("mode 'rewrite' needs a language model as the default model")
    return RewritingSolver(solver, chatbot.engine, clock.monotonic)


def _is_missing_some(plan: Plan, case_set: CaseSet) -> bool:
    """Whether the record, if there is one, leaves something to ask."""
    if plan.record is None:
        return True
    kept = (plan.record.find(plan.mode, case.id) for case in case_set.cases)
    return any(one is None or one.failed for one in kept)


def _with_record(solver: Solver, asking: AskingSolver, plan: Plan) -> Solver:
    if plan.record is None:
        return asking
    may_ask = asking if plan.may_ask else None
    return RecordingSolver(solver, may_ask, plan.record, mode=plan.mode)


def _wrap(plan: Plan, engine: ChatEngine) -> ChatEngine:
    traced = TracedEngine(engine)
    return HistoryEngine(traced) if plan.mode == "history" else traced


def take(case_set: CaseSet, limit: int | None) -> CaseSet:
    """At most ``limit`` cases, spread evenly over the set."""
    count = len(case_set.cases)
    if limit is None or limit >= count:
        return case_set
    kept = tuple(case_set.cases[number * count // limit] for number in range(limit))
    return replace(case_set, fingerprint=f"{case_set.fingerprint}/{limit}", cases=kept)


def _dialect(settings: Settings) -> str:
    engine = settings.engines.get(settings.router.engine)
    return settings.router.dialect or (engine.dialect if engine else None) or "embedded"


def _noon(day: date) -> datetime:
    return datetime.combine(day, dt_time(12), tzinfo=_WARSAW)


def _date_of(clock: StoppedClock) -> date:
    return clock.now().astimezone(_WARSAW).date()


def _confidence(
    settings: Settings, chatbot: Chatbot, clock: StoppedClock
) -> Callable[[str], float] | None:
    """How sure the detector is of a prompt, where it is what decides."""
    engine = settings.engines.get(settings.router.engine)
    if engine is not None and engine.kind != EMBEDDED:
        return None
    detector, today, tools = Detector.load(), _date_of(clock), chatbot.tools.specs()
    return lambda prompt: detector.detect(prompt, tools, today=today).confidence
