"""Asks for cases: within a rate, again after errors that pass, and only what is not recorded."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import anyio

from chatbot.errors import ZwrotnicaError
from evals.cases import Case
from evals.exchanges import Exchange, Trace, following
from evals.record import CaseRecord, Record, RecordError, SavedExchange
from evals.solver import Solution, Solver

MINUTE_S: Final = 60.0
LONGEST_WAIT_S: Final = 120.0
FIRST_WAIT_S: Final = 1.0


class NoAnswerError(ZwrotnicaError):
    """An engine answers not even the first request, so there is nothing to measure."""


class Rate:
    """At most so many requests in any minute."""

    def __init__(self, per_minute: int | None, monotonic: Callable[[], float]) -> None:
        """``None``: as many as come."""
        self._most = per_minute
        self._monotonic = monotonic
        self._sent: deque[float] = deque()
        self._lock = anyio.Lock()

    async def take(self) -> None:
        """Wait until another request may be sent, and count it."""
        if self._most is None:
            return
        async with self._lock:
            while len(self._sent) >= self._most:
                wait_s = self._sent[0] + MINUTE_S - self._monotonic()
                if wait_s > 0:
                    await anyio.sleep(wait_s)
                else:
                    self._sent.popleft()
            self.count(1)

    def count(self, requests: int) -> None:
        """Count requests that were sent besides."""
        self._sent.extend([self._monotonic()] * requests)


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How often a case is asked that an engine's error spoils, and how long is waited each time.

    The wait is the engine's own ``Retry-After``, else it doubles from ``first_s``; never more than
    ``longest_s`` seconds.
    """

    tries: int = 6
    first_s: float = FIRST_WAIT_S
    longest_s: float = LONGEST_WAIT_S

    def wait_s(self, number: int, asked_s: float | None) -> float:
        """Seconds after the failure ``number`` (from 0)."""
        return min(max(asked_s or 0.0, self.first_s * (1 << number)), self.longest_s)


PATIENCE: Final = Patience()
"""Six tries; about half a minute, where an engine names no time."""


class AskingSolver:
    """Solves with another solver, politely; a wait is not part of the time that it tells."""

    def __init__(self, solver: Solver, rate: Rate, patience: Patience) -> None:
        """Ask through ``solver``."""
        self._solver = solver
        self._rate = rate
        self._patience = patience

    async def solve(self, case: Case) -> Solution:
        """Decide for ``case``; the last try counts, whatever came of it."""
        solution, trace = await self.ask(case)
        return replace(solution, is_answered=trace.failure is None)

    async def warm_up(self, case: Case) -> None:
        """Have ``case`` decided once, so that the first that counts finds everything loaded.

        Raises:
            NoAnswerError: an engine refuses it, or fails as often as it is asked.
        """
        _, trace = await self._try(case)
        first = refusal = trace.refusal
        for number in range(self._patience.tries - 1):
            if refusal is None or not refusal.may_pass:
                break
            await anyio.sleep(self._patience.wait_s(number, refusal.retry_after_s))
            _, trace = await self._try(case)
            refusal = trace.refusal
        if first is not None and refusal is not None:
            raise NoAnswerError(f"nothing can be measured: {first.message}")

    async def ask(self, case: Case) -> tuple[Solution, Trace]:
        """The decision, and what was asked for it."""
        for number in range(self._patience.tries - 1):
            solution, trace = await self._try(case)
            failure = trace.failure
            if failure is None:
                return solution, trace
            await anyio.sleep(self._patience.wait_s(number, failure.retry_after_s))
        return await self._try(case)

    async def _try(self, case: Case) -> tuple[Solution, Trace]:
        await self._rate.take()
        with following(case) as trace:
            solution = await self._solver.solve(case)
        self._rate.count(max(len(trace.exchanges) - 1, 0))
        return solution, trace


class RecordingSolver:
    """Plays what a record holds, and asks and records the rest."""

    def __init__(
        self, solver: Solver, asking: AskingSolver | None, record: Record, *, mode: str | None
    ) -> None:
        """Play through ``solver``; without ``asking`` nothing may be missing."""
        self._solver = solver
        self._asking = asking
        self._record = record
        self._mode = mode

    async def solve(self, case: Case) -> Solution:
        """Decide for ``case``, with the times that its record tells.

        Raises:
            RecordError: it may not be asked, and its record is missing or of other requests.
        """
        kept = self._record.find(self._mode, case.id)
        if self._asking is not None and (kept is None or kept.failed):
            kept, solution = await self._ask(case, self._asking)
        elif kept is not None:
            solution = await self._play(case, kept)
        else:
            raise RecordError(f"the record does not hold the case {case.id!r}")
        return replace(
            solution,
            verdict_ms=kept.verdict_ms,
            decision_ms=kept.decision_ms,
            is_answered=not kept.failed,
        )

    async def _ask(self, case: Case, asking: AskingSolver) -> tuple[CaseRecord, Solution]:
        solution, trace = await asking.ask(case)
        kept = CaseRecord(
            case=case.id,
            mode=self._mode,
            exchanges=tuple(map(_save, trace.exchanges)),
            verdict_ms=solution.verdict_ms,
            decision_ms=round(solution.decision_ms, 3),
            failed=trace.failure is not None,
        )
        self._record.add(kept)
        return kept, solution

    async def _play(self, case: Case, kept: CaseRecord) -> Solution:
        exchanges = [one.read() for one in kept.exchanges]
        with following(case, playing=exchanges) as trace:
            solution = await self._solver.solve(case)
        if trace.unknown:
            raise RecordError(
                f"for the case {case.id!r} other requests are made now than when it was recorded; "
                "record the run anew"
            )
        return solution


def _save(exchange: Exchange) -> SavedExchange:
    return SavedExchange(
        request=exchange.request,
        engine=exchange.engine,
        deltas=tuple(exchange.deltas),
        end=exchange.end,
    )
