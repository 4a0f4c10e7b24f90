"""Runs the cases of a set through a solver and keeps what came of each."""

from collections.abc import Callable
from dataclasses import dataclass

import anyio

from chatbot.errors import ZwrotnicaError
from evals.cases import Case, CaseSet
from evals.scorers import Score, Scorer
from evals.solver import Solution, Solver


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One case with its solution and score."""

    case: Case
    solution: Solution
    score: Score


@dataclass(frozen=True, kw_only=True, slots=True)
class Log:
    """Everything that a run gave, in the order of the cases; ``mode``: what the model was shown."""

    cases: str
    fingerprint: str
    engine: str
    dialect: str
    samples: tuple[Sample, ...]
    mode: str | None = None


async def run(
    case_set: CaseSet,
    solver: Solver,
    scorer: Scorer,
    *,
    engine: str,
    dialect: str,
    mode: str | None = None,
    parallel: int = 1,
    on_case: Callable[[Case], None] | None = None,
) -> Log:
    """Solve and score every case, ``parallel`` of them at once.

    Raises:
        ZwrotnicaError: the first error of a case, after the others were cancelled.
    """
    limiter = anyio.CapacityLimiter(parallel)
    solutions: dict[str, Solution] = {}
    errors: list[ZwrotnicaError] = []

    async def solve(case: Case) -> None:
        async with limiter:
            try:
                solutions[case.id] = await solver.solve(case)
            except ZwrotnicaError as error:
                errors.append(error)
                tasks.cancel_scope.cancel()
        if on_case is not None:
            on_case(case)

    async with anyio.create_task_group() as tasks:
        for case in case_set.cases:
            tasks.start_soon(solve, case)
    if errors:
        raise errors[0]
    scored = await anyio.to_thread.run_sync(_score, case_set, solutions, scorer)
    return Log(
        cases=case_set.name,
        fingerprint=case_set.fingerprint,
        engine=engine,
        dialect=dialect,
        samples=scored,
        mode=mode,
    )


def _score(case_set: CaseSet, solutions: dict[str, Solution], scorer: Scorer) -> tuple[Sample, ...]:
    return tuple(
        Sample(case=case, solution=solution, score=scorer.score(case, solution))
        for case in case_set.cases
        for solution in [solutions[case.id]]
    )
