"""Puts a run together: settings, the chatbot whose router is evaluated, scorers, workers."""

from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

from chatbot.tools.workers import ProcessWorkers
from evals.cases import Case, CaseSet
from evals.expressions import match_expression
from evals.run import Log, run
from evals.scorers import Scorer, measures
from evals.solver import RouteSolver
from serving.assembly import assemble
from serving.settings import Settings

_WARM_UP = "Dzień dobry"
_WARSAW = ZoneInfo("Europe/Warsaw")


async def evaluate_router(
    settings: Settings,
    case_set: CaseSet,
    *,
    parallel: int = 1,
    on_case: Callable[[Case], None] | None = None,
) -> Log:
    """Run ``case_set`` through the router that ``settings`` describe; one case warms it up."""
    async with (
        assemble(settings) as assembly,
        ProcessWorkers(workers=1, preload=("evals.values",)) as workers,
    ):
        today = assembly.clock.now().astimezone(_WARSAW).date()
        solver = RouteSolver(assembly.chatbot, assembly.clock.monotonic)
        await solver.solve(replace(case_set.cases[0], prompt=_WARM_UP))
        return await run(
            case_set,
            solver,
            Scorer(
                {**measures(today), "expression": match_expression(workers)},
                assembly.chatbot.tools.specs(),
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
