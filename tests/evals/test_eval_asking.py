"""Asking politely: a rate in any minute, waits that grow and end, other errors left alone."""

import anyio
import pytest
from scripted.tables import every_row

from chatbot.errors import EngineBusy, EngineTimeout, EngineUnavailable, InvalidRequest
from chatbot.testing import ManualClock, ScriptedEngine
from chatbot.types import ChatMessage, ChatRequest, RouteReason
from evals.asking import AskingSolver, NoAnswerError, Patience, Rate
from evals.cases import Case
from evals.exchanges import TracedEngine
from evals.solver import Solution

CASE = Case(id="c", prompt="p")
AT_ONCE = Patience(tries=3, first_s=0.0)


class OneRequest:
    """A solver that asks an engine once and hides what goes wrong, as a router does."""

    def __init__(self, engine: ScriptedEngine) -> None:
        self._engine = TracedEngine(engine)

    async def solve(self, case: Case) -> Solution:
        request = ChatRequest(messages=(ChatMessage(role="user", text=case.prompt),))
        try:
            async with self._engine.stream(request) as deltas:
                text = "".join([delta.text async for delta in deltas])
        except (EngineBusy, EngineTimeout, EngineUnavailable, InvalidRequest):
            text = ""
        reason: RouteReason = "called" if text else "router_down"
        return Solution(tool=text or None, reason=reason, verdict_ms=1, decision_ms=1.0)


def asking(engine: ScriptedEngine) -> AskingSolver:
    return AskingSolver(OneRequest(engine), Rate(None, ManualClock().monotonic), AT_ONCE)


async def test_a_case_is_given_up_after_some_tries() -> None:
    engine = ScriptedEngine(script=(EngineBusy("later", engine="e", retry_after_s=0.0),))
    solution = await asking(engine).solve(CASE)
    assert (solution.reason, solution.is_answered) == ("router_down", False)
    assert len(engine.requests) == 3


async def test_what_is_too_slow_is_a_result() -> None:
    engine = ScriptedEngine(script=(EngineTimeout("slow", engine="e"),))
    assert (await asking(engine).solve(CASE)).is_answered
    assert len(engine.requests) == 1


async def test_an_engine_that_never_answers_is_not_measured() -> None:
    failures = iter(("wrong key", "left alone", "left alone"))
    engine = ScriptedEngine(script=lambda _: (EngineUnavailable(next(failures), engine="e"),))
    with pytest.raises(NoAnswerError, match="wrong key"):
        await asking(engine).warm_up(CASE)
    assert len(engine.requests) == 3


async def test_an_engine_that_refuses_the_request_is_not_asked_again() -> None:
    engine = ScriptedEngine(script=(InvalidRequest("unknown field"),))
    with pytest.raises(NoAnswerError, match="unknown field"):
        await asking(engine).warm_up(CASE)
    assert len(engine.requests) == 1


async def test_an_engine_that_answers_in_the_end_is_measured() -> None:
    scripts = iter(((EngineBusy("later", engine="e", retry_after_s=0.0),), ("tak",)))
    engine = ScriptedEngine(script=lambda _: next(scripts))
    await asking(engine).warm_up(CASE)
    assert len(engine.requests) == 2


@every_row(
    ("number", "asked_s", "waited_s"),
    [(0, None, 1.0), (3, None, 8.0), (0, 7.0, 7.0), (20, None, 60.0), (0, 3600.0, 60.0)],
)
def test_a_wait_is_what_is_asked_for_and_bounded(
    number: int, asked_s: float | None, waited_s: float
) -> None:
    assert Patience(longest_s=60.0).wait_s(number, asked_s) == waited_s


async def test_the_rate_lets_so_many_through_and_no_more() -> None:
    clock = ManualClock()
    rate = Rate(2, clock.monotonic)
    await rate.take()
    await rate.take()
    with anyio.move_on_after(0.05) as limit:
        await rate.take()
    assert limit.cancelled_caught
    clock.advance(60.0)
    await rate.take()


async def test_requests_beside_the_first_count_too() -> None:
    rate = Rate(3, ManualClock().monotonic)
    await rate.take()
    rate.count(2)
    with anyio.move_on_after(0.05) as limit:
        await rate.take()
    assert limit.cancelled_caught
