"""Puts a run together: settings, the chatbot whose router is evaluated, scorers, workers."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time as dt_time
from zoneinfo import ZoneInfo

from chatbot.bot import Chatbot
from chatbot.router.detector import Detector
from chatbot.tools.workers import ProcessWorkers
from evals.cases import Case, CaseSet
from evals.expressions import match_expression
from evals.run import Log, run
from evals.scorers import Scorer, measures
from evals.solver import RouteSolver
from serving.assembly import assemble
from serving.settings import EMBEDDED, Settings

_WARM_UP = "Dzień dobry"
_WARSAW = ZoneInfo("Europe/Warsaw")

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


async def evaluate_router(
    settings: Settings,
    case_set: CaseSet,
    *,
    today: date | None = None,
    parallel: int = 1,
    value_s: float = VALUE_S,
    on_case: Callable[[Case], None] | None = None,
) -> Log:
    """Run ``case_set`` through the router that ``settings`` describe; one case warms it up.

    Args:
        settings: A chatbot; its router is evaluated.
        case_set: The cases.
        today: The date on which everything happens, at noon in Warsaw; ``None``: the machine's.
        parallel: Cases at once.
        value_s: Seconds for comparing two expressions.
        on_case: Told of each case when it has been decided.
    """
    clock = StoppedClock(_noon(today) if today else datetime.now(UTC))
    async with (
        assemble(settings, clock=clock) as assembly,
        ProcessWorkers(workers=1, preload=("evals.values",)) as workers,
    ):
        chatbot = assembly.chatbot
        solver = RouteSolver(
            chatbot, clock.monotonic, confidence=_confidence(settings, chatbot, clock)
        )
        await solver.solve(replace(case_set.cases[0], prompt=_WARM_UP))
        return await run(
            case_set,
            solver,
            Scorer(
                {
                    **measures(_date_of(clock)),
                    "expression": match_expression(workers, limit_s=value_s),
                },
                chatbot.tools.specs(),
            ),
            engine=settings.router.engine,
            dialect=_dialect(settings),
            parallel=parallel,
            on_case=on_case,
        )


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
