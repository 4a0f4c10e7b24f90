"""Events that are poured from socket to socket are those that a task would have read."""

import asyncio
import json
from itertools import pairwise

import pytest
from hypothesis import assume, example, given, strategies as st
from scripted.engine_under_test import QUESTION, SPEED, engine_against
from scripted.pieces import Pieces

from chatbot.errors import EngineLost, EngineTimeout, ZwrotnicaError
from chatbot.ports import PouringDeltas
from chatbot.testing import ManualClock
from chatbot.types import Delta, JsonObject, Usage
from serving.engines.address import Address
from serving.engines.connection import Connection
from serving.engines.forward import ForwardedStream
from serving.engines.reading import StreamLimits
from serving.engines.stream import ChunkStream, DeltaStream

BODY: JsonObject = {"messages": [{"role": "user", "content": "Opowiedz coś."}]}
WITH_USAGE: JsonObject = {**BODY, "stream_options": {"include_usage": True}}
LIMITS = StreamLimits(idle_s=60.0, max_event_bytes=4_000, largest_usage=100)
SECOND_CHOICE = (
    'data: {"choices": [{"index": 1, "delta": {"content": "b"}, "finish_reason": null}]}\n\n'
)
TEXTS = (
    "a",
    'słowo "w" \\ cudzysłowie\n',
    '"finish_reason":"stop"',
    '"usage":{"x":1}',
    "[DONE]",
    "",
)


def text_event(text: str, **more: object) -> str:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return (
        "data: " + json.dumps({"id": "c", "choices": [choice], **more}, ensure_ascii=False) + "\n\n"
    )


events = st.one_of(
    st.sampled_from(TEXTS).map(text_event),
    st.text(max_size=8).map(text_event),
    st.sampled_from([
        ": comment\n\n",
        "event: x\n\n",
        "data: {\n\n",
        'data: {"choices": [{"index": 0, "delta": {"content": "ha\n\n',
        'data: {"choices": []}\n\n',
        'data: {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}\n\n',
        'data: {"choices": [], "usage": {"prompt_tokens": -1}}\n\n',
        'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n',
        SECOND_CHOICE,
        'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "abort"}]}\n\n',
        'data: {"error": {"message": "no"}}\n\n',
        'data: {"choices":\ndata: [{"delta": {"content": "c"}}]}\n\n',
        "data: [DONE]\n\n",
        "data: " + "x" * 5_000 + "\n\n",
        text_event("d").replace("\n", "\r\n"),
    ]),
)


def cut(raw: bytes, places: list[int]) -> list[bytes]:
    marks = [0, *sorted({place % (len(raw) + 1) for place in places}), len(raw)]
    return [raw[start:end] for start, end in pairwise(marks) if start < end]


async def forward(
    pieces: list[bytes], *, shows_usage: bool, is_poured: bool, waits: bool = False
) -> tuple[bytes, str, Usage | None, str | None, dict[str, int]]:
    connection = Connection(engine="e", address=Address(url=""), clock=ManualClock())
    chunks = ChunkStream(
        Pieces(left=list(pieces)), connection=connection, deadline=1e12, limits=LIMITS
    )
    stream = ForwardedStream(chunks, engine="e", shows_usage=shows_usage)
    seen = bytearray()

    def write(piece: bytes) -> bool:
        seen.extend(piece)
        return True

    error = ""
    try:
        if waits:
            await stream.begin()
        if is_poured:
            await stream.pour(write)
        else:
            async for piece in stream:
                write(piece)
    except ZwrotnicaError as caught:
        error = f"{type(caught).__name__}: {caught}"
    oddities = {str(name): times for name, times in connection.oddities.items()}
    return bytes(seen), error, stream.usage, stream.finish, oddities


@given(
    said=st.lists(events, max_size=8),
    places=st.lists(st.integers(0, 5_000), max_size=6),
    shows_usage=st.booleans(),
)
def test_for_every_content_and_split_pouring_is_parsing(
    said: list[str], places: list[int], shows_usage: bool
) -> None:
    raw = "".join(said).encode()
    by_event = [event.encode() for event in said]

    async def both(pieces: list[bytes]) -> None:
        poured = await forward(pieces, shows_usage=shows_usage, is_poured=True)
        read = await forward(pieces, shows_usage=shows_usage, is_poured=False)
        assert poured == read

    for pieces in (cut(raw, places), by_event):
        asyncio.run(both(pieces))


async def read_deltas(
    pieces: list[bytes], *, every: int | None
) -> tuple[str, str, list[object], str | None, dict[str, int]]:
    """What the deltas say; poured, where ``every`` so many-th text makes the sink refuse more."""
    connection = Connection(engine="e", address=Address(url=""), clock=ManualClock())
    chunks = ChunkStream(
        Pieces(left=list(pieces)), connection=connection, deadline=1e12, limits=LIMITS
    )
    said = {False: "", True: ""}
    taken, told, error = 0, [], None

    def take(delta: Delta) -> bool:
        nonlocal taken
        assert not (delta.finish)
        assert not (delta.usage)
        assert not (delta.calls)
        said[False] += delta.text
        said[True] += delta.reasoning
        taken += 1
        return bool(every) and taken % (every or 1) != 0

    stream = DeltaStream(chunks)
    try:
        async for delta in stream:
            said[False] += delta.text
            said[True] += delta.reasoning
            told += [each for each in (delta.finish, delta.usage, delta.calls) if each]
            if every is not None:
                await stream.pour(take)
    except ZwrotnicaError as caught:
        error = f"{type(caught).__name__}: {caught}"
    oddities = {str(name): times for name, times in connection.oddities.items()}
    return said[False], said[True], [*told, chunks.received], error, oddities


@given(
    said=st.lists(events, max_size=8),
    places=st.lists(st.integers(0, 5_000), max_size=6),
    every=st.integers(1, 4),
)
def test_deltas_say_the_same_where_they_are_poured(
    said: list[str], places: list[int], every: int
) -> None:
    raw = "".join(said).encode()
    by_event = [event.encode() for event in said]

    async def both(pieces: list[bytes]) -> None:
        poured = await read_deltas(pieces, every=every)
        assert poured == await read_deltas(pieces, every=None)

    for pieces in (cut(raw, places), by_event):
        asyncio.run(both(pieces))


@pytest.mark.parametrize("kind", ["vllm", "compatible"])
async def test_events_are_poured_up_to_done_through_either_transport(kind: str) -> None:
    poured = bytearray()

    def write(piece: bytes) -> bool:
        poured.extend(piece)
        return True

    async with engine_against("fault=none;tokens=30", kind=kind) as (engine, server):
        async with engine.forward(WITH_USAGE) as stream:
            await stream.pour(write)
        async with engine.forward(WITH_USAGE) as again:
            read = b"".join([piece async for piece in again])

    assert bytes(poured) == read
    assert stream.usage == Usage(prompt_tokens=7, completion_tokens=30)
    assert server.connections == 1


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("stall:after=3", EngineTimeout),
        ("cut:how=rst", EngineLost),
        ("cut:how=fin", EngineLost),
        ("big_event", EngineLost),
        ("endless:of=line", EngineLost),
    ],
)
async def test_a_fault_ends_what_is_poured(fault: str, error: type[ZwrotnicaError]) -> None:
    poured = bytearray()

    def write(piece: bytes) -> bool:
        poured.extend(piece)
        return True

    async with (
        engine_against(f"fault={fault}", speed=SPEED) as (engine, _),
        engine.forward(BODY) as stream,
    ):
        with pytest.raises(error):
            await stream.pour(write)

    assert poured.startswith(b"data: ")
    assert b"[DONE]" not in poured


@pytest.mark.parametrize("kind", ["vllm", "compatible"])
async def test_a_silence_is_told_as_one_to_whoever_reads_on_behind_poured_deltas(kind: str) -> None:
    poured: list[Delta] = []

    def take(delta: Delta) -> bool:
        poured.append(delta)
        return True

    async with (
        engine_against("fault=stall:after=9;pace=5", kind=kind, speed=SPEED) as (engine, _),
        engine.stream(QUESTION) as stream,
    ):
        assert isinstance(stream, PouringDeltas)
        first = await anext(stream)
        await stream.pour(take)
        with pytest.raises(EngineTimeout):
            await anext(stream)

    assert first.text
    assert poured


async def test_nothing_more_is_read_while_nobody_takes_it() -> None:
    taken: list[bytes] = []

    def write(piece: bytes) -> bool:
        taken.append(piece)
        return False

    async with (
        engine_against("fault=none;tokens=400;pace=1") as (engine, server),
        engine.forward(BODY) as stream,
    ):
        pouring = asyncio.create_task(stream.pour(write))
        while not taken:  # noqa: ASYNC110 (the sink is no task)
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.1)
        before = len(taken)
        stream.resume()
        while len(taken) == before:  # noqa: ASYNC110 (as above)
            await asyncio.sleep(0.001)
        pouring.cancel()
        await asyncio.wait([pouring])

    assert before == 1
    assert server.last.sent_tokens < 400


@given(
    said=st.lists(events, max_size=8),
    places=st.lists(st.integers(0, 5_000), max_size=6),
    shows_usage=st.booleans(),
    is_poured=st.booleans(),
)
@example(said=[SECOND_CHOICE], places=[], shows_usage=False, is_poured=False)
def test_who_waits_for_the_first_token_loses_nothing(
    said: list[str], places: list[int], shows_usage: bool, is_poured: bool
) -> None:
    pieces = cut("".join(said).encode(), places)
    at_once, waited = (
        asyncio.run(forward(pieces, shows_usage=shows_usage, is_poured=is_poured, waits=waits))
        for waits in (False, True)
    )
    assume(not at_once[1].startswith("EngineUnavailable"))  # then nothing shall be shown at all

    assert waited == at_once
