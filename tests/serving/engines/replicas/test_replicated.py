"""One engine with several servers: shared work, another server before the first token only."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace

import pytest
from scripted.engine_under_test import QUESTION
from scripted.replica_set import NAME, ReplicaSet, replicas_with

from chatbot.errors import (
    EngineBusy,
    EngineError,
    EngineLost,
    EngineTimeout,
    EngineUnavailable,
    ErrorCode,
    InvalidRequest,
)
from chatbot.types import ChatMessage, ChatRequest, JsonObject
from serving.engines.replicas.fallback import FallbackEngine

BODY: JsonObject = {"messages": [{"role": "user", "content": "Opowiedz coś."}], "max_tokens": 50}
GOOD = "fault=none;tokens=3"
SLOW = "fault=none;tokens=200;pace=20"
NO_AFFINITY = {"affinity_factor": 0.0}


def question(number: int) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", text=f"Pytanie {number}."),))


async def answer(around: ReplicaSet | FallbackEngine, request: ChatRequest = QUESTION) -> str:
    engine = around if isinstance(around, FallbackEngine) else around.engine
    async with engine.stream(request) as deltas, aclosing(deltas):
        return "".join([delta.text async for delta in deltas])


async def forward(around: ReplicaSet) -> bytes:
    async with around.engine.forward(BODY) as events:
        return b"".join([event async for event in events])


async def test_requests_at_the_same_time_are_shared_evenly() -> None:
    async with (
        replicas_with(SLOW, SLOW, SLOW, balance=NO_AFFINITY) as around,
        AsyncExitStack() as stack,
    ):
        for number in range(12):
            await stack.enter_async_context(around.engine.stream(question(number)))

        assert around.asked == [4, 4, 4]


async def test_one_server_is_asked_as_if_there_were_no_set() -> None:
    async with replicas_with(GOOD) as around:
        assert await answer(around) == around.servers[0].last.script.text


@pytest.mark.parametrize(
    "fault",
    [
        "dead",
        "fault=status:code=500",
        "fault=status:code=404",
        "fault=status:code=429:after=3600",
        "fault=cut:how=rst:after=0",
        "fault=error_event:after=0",
        "fault=html",
    ],
)
async def test_what_fails_before_its_first_token_is_answered_by_another(fault: str) -> None:
    async with replicas_with(fault, GOOD, balance=NO_AFFINITY) as around:
        good = around.servers[-1]
        texts = [await answer(around, question(number)) for number in range(8)]
        events = await forward(around)
        whole = await around.engine.forward_whole(BODY)

    assert set(texts) == {good.last.script.text}
    assert events.endswith(b"data: [DONE]\n\n")
    assert whole.body["usage"] == {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 0}


async def test_no_server_is_asked_twice_for_one_request() -> None:
    refusal = "fault=status:code=503"
    async with replicas_with(refusal, refusal, refusal, balance={"retries": 9}) as around:
        with pytest.raises(EngineUnavailable):
            await answer(around)

        assert around.asked == [1, 1, 1]


@pytest.mark.parametrize(("balance", "asked"), [({}, 2), ({"retries": 2}, 3), ({"retries": 0}, 1)])
async def test_no_more_servers_are_asked_than_the_setting_allows(
    balance: dict[str, object], asked: int
) -> None:
    refusals = ["fault=status:code=503"] * 4
    async with replicas_with(*refusals, balance=balance) as around:
        with pytest.raises(EngineUnavailable):
            await answer(around)

        assert sum(around.asked) == asked


@pytest.mark.parametrize("way", ["stream", "forward"])
async def test_what_has_begun_ends_where_it_began(way: str) -> None:
    cut = "fault=cut:how=rst:after=5"
    async with replicas_with(cut, cut) as around:
        with pytest.raises(EngineLost):
            await (answer(around) if way == "stream" else forward(around))

        assert sorted(around.asked) == [0, 1]


async def test_a_request_that_is_refused_for_what_it_is_goes_nowhere_else() -> None:
    refusal = "fault=status:code=400:say=maximum_context_length"
    async with replicas_with(refusal, refusal) as around:
        with pytest.raises(InvalidRequest):
            await answer(around)

        assert sum(around.asked) == 1


async def test_silence_is_not_tried_again_the_prompt_is_being_read_there() -> None:
    async with replicas_with("fault=silent", "fault=silent", first_token_s=0.3) as around:
        with pytest.raises(EngineTimeout):
            await answer(around)

        assert sum(around.asked) == 1


async def test_a_conversation_comes_back_to_its_server() -> None:
    first = question(1)
    turns = [
        ChatMessage(role="assistant", text="Odpowiedź."),
        ChatMessage(role="user", text="A dalej?"),
    ]
    async with replicas_with(GOOD, GOOD, GOOD) as around:
        for length in range(3):
            await answer(around, replace(first, messages=(*first.messages, *turns[:length])))

        assert sorted(around.asked) == [0, 0, 3]


async def test_a_failing_server_is_left_alone_and_tried_again_later() -> None:
    bad = "fault=status:code=500"
    async with replicas_with(bad, GOOD, balance=NO_AFFINITY, failures_allowed=2) as around:
        for number in range(20):
            await answer(around, question(number))
        resting = around.asked[0]
        around.clock.advance(5.0)
        around.servers[0].default = GOOD
        for number in range(20):
            await answer(around, question(number))

        assert resting == 2
        assert around.asked[0] > resting


async def test_where_none_can_be_asked_it_says_when_to_come_back() -> None:
    async with replicas_with("dead", "dead", failures_allowed=1) as around:
        with pytest.raises(EngineUnavailable):
            await answer(around)
        around.clock.advance(2.0)
        with pytest.raises(EngineUnavailable) as caught:
            await answer(around)

    assert caught.value.retry_after_s == 3.0


async def test_a_silent_server_gets_nothing_until_it_answers() -> None:
    async with replicas_with(GOOD, GOOD, balance=NO_AFFINITY) as around:
        silent = around.engine.replicas[0]
        changes = [silent.take_probe(answers=False) for _ in range(3)]
        for number in range(6):
            await answer(around, question(number))
        without = around.asked[0]
        changes.append(silent.take_probe(answers=True))
        share = silent.standing.share
        around.clock.advance(15.0)
        grown = silent.standing.share
        around.clock.advance(15.0)

        assert changes == [False, True, False, True]
        assert without == 0
        assert [share, grown, silent.standing.share] == pytest.approx([0.1, 0.55, 1.0])


async def test_work_is_counted_until_it_ends_its_prompt_until_it_is_read() -> None:
    long = ChatRequest(messages=(ChatMessage(role="user", text="x" * 3_000),))
    async with replicas_with(SLOW, SLOW, default_max_tokens=100) as around:
        async with around.engine.stream(long):
            during = sorted(one.standing.tokens for one in around.engine.replicas)
        after = [one.standing.tokens for one in around.engine.replicas]

    assert (during, after) == ([0, 100], [0, 0])


async def test_a_full_engine_says_so_with_a_measured_wait() -> None:
    async with replicas_with(SLOW, SLOW, max_outstanding=2) as around, AsyncExitStack() as stack:
        for number in range(2):
            await stack.enter_async_context(around.engine.stream(question(number)))
        around.clock.advance(7.0)
        with pytest.raises(EngineBusy) as caught:
            await answer(around, question(3))

        assert caught.value.code == ErrorCode.QUEUE_FULL
        assert caught.value.retry_after_s == 14.0


async def test_the_router_finds_a_place_and_a_connection_where_answers_fill_all() -> None:
    async with (
        replicas_with(SLOW, max_outstanding=1, max_connections=1, router_connections=1) as around,
        AsyncExitStack() as stack,
    ):
        await stack.enter_async_context(around.engine.stream(question(1)))
        async with around.engine.stream(replace(question(2), priority=-1)) as deltas:
            assert (await anext(deltas)).text


async def test_the_next_engine_answers_and_says_so() -> None:
    async with replicas_with("dead", "dead") as down, replicas_with(GOOD) as spare:
        spare.engine.name = "zapas"
        engine = FallbackEngine(down.engine, [spare.engine])
        async with engine.stream(QUESTION) as deltas:
            told = [delta async for delta in deltas]
        reply = await engine.forward_whole(BODY)

    assert [delta.engine for delta in told][:2] == ["zapas", None]
    assert "".join(delta.text for delta in told) == spare.servers[0].exchanges[0].script.text
    assert reply.body["object"] == "chat.completion"
    assert Counter(engine.oddities)["fallback_used"] == 2


async def test_a_full_engine_has_its_fallback_too() -> None:
    async with (
        replicas_with(SLOW, max_outstanding=1) as full,
        replicas_with(GOOD) as spare,
        full.engine.stream(question(1)),
    ):
        engine = FallbackEngine(full.engine, [spare.engine])
        assert await answer(engine, question(2)) == spare.servers[0].last.script.text


async def test_an_answer_that_has_begun_falls_back_on_nobody() -> None:
    async with replicas_with("fault=cut:how=rst:after=5") as cut, replicas_with(GOOD) as spare:
        with pytest.raises(EngineLost):
            await answer(FallbackEngine(cut.engine, [spare.engine]))

        assert spare.asked == [0]


async def test_where_all_fail_the_failure_is_that_of_the_engine_asked_for() -> None:
    async with replicas_with("dead") as first, replicas_with("dead") as second:
        second.engine.name = "zapas"
        with pytest.raises(EngineError) as caught:
            await answer(FallbackEngine(first.engine, [second.engine]))

    assert caught.value.engine == NAME


async def test_a_client_that_leaves_frees_the_place_and_the_server() -> None:
    async with replicas_with(SLOW, SLOW) as around:
        task = asyncio.create_task(answer(around))
        while not sum(around.asked):  # noqa: ASYNC110 - the server has no event for any of several
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.gather(*(server.wait_idle() for server in around.servers))

        assert [one.standing.requests for one in around.engine.replicas] == [0, 0]
