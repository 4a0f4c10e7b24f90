"""Reads the calls as the router model wrote them: also repeated ones and unknown functions."""

from collections.abc import Collection
from dataclasses import replace

from chatbot.router import Dialect, RouterLimits
from chatbot.router.calls import RawCall, read_calls
from chatbot.router.verdict import Judge
from chatbot.router.wire import WireReader
from chatbot.types import DEFAULT_FUNCTION
from evals.cases import Case
from evals.exchanges import Exchange, current_trace
from evals.solver import DecidedCall, Solution, Solver

_LIMITS = RouterLimits()


class ReadingSolver:
    """Adds to a solution what the last router model that was asked wrote, as far as it can be read.

    The chatbot runs each offered call once and leaves the rest out; an eval wants to know of it.
    """

    def __init__(self, solver: Solver, dialect: Dialect, tools: Collection[str]) -> None:
        """Solve with ``solver``, whose model writes ``dialect`` and was offered ``tools``."""
        self._solver = solver
        self._dialect = dialect
        self._offered = frozenset({*tools, DEFAULT_FUNCTION})

    async def solve(self, case: Case) -> Solution:
        """Decide for ``case``; what no model was asked for has nothing written."""
        solution = await self._solver.solve(case)
        trace = current_trace()
        asked = [one for one in trace.exchanges if one.is_routing] if trace else []
        if not asked:
            return solution
        calls = (call for call in self._read(asked[-1]) if call.name != DEFAULT_FUNCTION)
        written = tuple(DecidedCall(tool=one.name, arguments=one.arguments) for one in calls)
        return replace(solution, written=written)

    def _read(self, exchange: Exchange) -> tuple[RawCall, ...]:
        wire = WireReader(self._offered, _LIMITS)
        text = ""
        for _, delta in exchange.deltas:
            text += delta.text
            for call in delta.calls:
                wire.feed(call)
        if not wire.is_empty:
            return wire.finish().written
        judge = Judge(self._dialect, self._offered, _LIMITS)
        if judge.feed(text) != "tool":
            return ()
        return read_calls(judge.held, self._dialect, self._offered, _LIMITS).written
