"""What is heard at an engine's port plays back the same: deltas, errors, limits, early ends."""

from collections.abc import Sequence

import anyio
import pytest

from chatbot.errors import EngineBusy, EngineLost, InvalidRequest, ZwrotnicaError
from chatbot.testing import Pause, ScriptedEngine, answer
from chatbot.types import ChatMessage, ChatRequest, Delta, Sampling, ToolSpec
from evals.cases import Case
from evals.exchanges import Exchange, Failure, Trace, TracedEngine, following, request_key
from evals.record import CaseRecord, SavedExchange

CASE = Case(id="c", prompt="p")
REQUEST = ChatRequest(messages=(ChatMessage(role="user", text="p"),))
SILENT = ScriptedEngine(script=lambda _: pytest.fail("nobody may be asked"))


async def read(
    engine: TracedEngine, *, most: int = 100, limit_s: float = 5.0
) -> tuple[list[Delta], str | None]:
    """The deltas that came, and the error that ended them."""
    heard: list[Delta] = []
    try:
        async with engine.stream(REQUEST) as deltas:
            while len(heard) < most:
                with anyio.fail_after(limit_s):
                    heard.append(await anext(deltas))
    except StopAsyncIteration:
        return heard, None
    except (TimeoutError, ZwrotnicaError) as error:
        return heard, type(error).__name__
    return heard, None


def kept(trace: Trace) -> list[Exchange]:
    """The exchanges as a file gives them back."""
    saved = tuple(
        SavedExchange(request=one.request, engine=one.engine, deltas=tuple(one.deltas), end=one.end)
        for one in trace.exchanges
    )
    record = CaseRecord(case="c", mode=None, exchanges=saved, verdict_ms=1, decision_ms=1.0)
    again = CaseRecord.model_validate_json(record.model_dump_json())
    return [one.read() for one in again.exchanges]


@pytest.mark.parametrize(
    ("script", "most", "limit_s"),
    [
        (answer("Dzień ", "dobry"), 100, 5.0),
        (answer("Dzień ", "dobry"), 1, 5.0),
        ((Delta(text="Dz"), EngineLost("broke", engine="e")), 100, 5.0),
        ((EngineBusy("later", engine="e", retry_after_s=7.0),), 100, 5.0),
        ((InvalidRequest("too long"),), 100, 5.0),
        ((Delta(text="Dz"), Pause(seconds=60.0)), 100, 0.05),
    ],
)
async def test_what_was_heard_plays_back(
    script: Sequence[Delta | Exception | Pause], most: int, limit_s: float
) -> None:
    with following(CASE) as trace:
        first = await read(TracedEngine(ScriptedEngine(script=script)), most=most, limit_s=limit_s)
    with following(CASE, playing=kept(trace)) as played:
        second = await read(TracedEngine(SILENT), most=most)
    assert first == second
    assert played.unknown == 0


async def test_a_failure_is_told_with_its_wait() -> None:
    engine = ScriptedEngine(script=(EngineBusy("later", engine="e", retry_after_s=7.0),))
    with following(CASE) as trace:
        await read(TracedEngine(engine))
    assert trace.failure == Failure(error="EngineBusy", message="later", retry_after_s=7.0)


async def test_what_was_not_recorded_is_noticed() -> None:
    with following(CASE, playing=[]) as trace:
        heard = await read(TracedEngine(SILENT))
    assert heard == ([], "EngineUnavailable")
    assert trace.unknown == 1


async def test_outside_a_case_requests_pass() -> None:
    heard, error = await read(TracedEngine(ScriptedEngine(script=("Hej",))))
    assert ([delta.text for delta in heard], error) == (["Hej", ""], None)


def test_a_request_is_known_by_what_a_model_sees() -> None:
    tool = ToolSpec(name="t", title="T", description="D", parameters={"type": "object"})
    others = (
        ChatRequest(messages=(ChatMessage(role="user", text="q"),)),
        ChatRequest(messages=REQUEST.messages, tools=(tool,)),
        ChatRequest(messages=REQUEST.messages, sampling=Sampling(temperature=0.0)),
    )
    same = ChatRequest(messages=REQUEST.messages, request_id="other", priority=5)
    assert request_key(same) == request_key(REQUEST)
    assert len({request_key(one) for one in (REQUEST, *others)}) == 4
