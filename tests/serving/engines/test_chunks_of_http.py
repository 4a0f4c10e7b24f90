"""Chunks that pass from socket to socket as they stand hold what a parser would have made."""

import asyncio
from itertools import pairwise

import httptools
import pytest
from anyio import CancelScope
from hypothesis import given, strategies as st

from chatbot.errors import ZwrotnicaError
from chatbot.testing import ManualClock
from serving.engines.address import Address
from serving.engines.connection import Connection
from serving.engines.forward import ForwardedStream
from serving.engines.reading import StreamLimits
from serving.engines.stream import ChunkStream, DeltaStream
from serving.engines.transport.channel import Channel
from serving.engines.transport.reply import Reply

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
LAST = b"0\r\n\r\n"
LIMITS = StreamLimits(idle_s=60.0, max_event_bytes=4_000, largest_usage=100)
FINISH = b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n'
DONE = b"data: [DONE]\n\n"


def token(text: bytes) -> bytes:
    return (
        b'data: {"choices":[{"index":0,"delta":{"content":"%b"},"finish_reason":null}]}\n\n' % text
    )


def chunk(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(body), body)


class Wire:
    """A server's connection as a channel meets it, and the response that a client would get."""

    def __init__(self, *, has_room: bool = True) -> None:
        self.has_room = has_room
        self.is_paused = False
        self.body = bytearray()
        self.passed: list[bytes] = []
        self._client = httptools.HttpResponseParser(self)
        self._client.feed_data(HEAD)
        self.channel = Channel(on_free=_ignore, on_lost=_ignore)
        self.channel.connection_made(self)  # type: ignore[arg-type]  # what a channel uses of it

    def on_body(self, piece: bytes) -> None:
        self.body.extend(piece)

    def put(self, read: bytes) -> None:
        self.channel.data_received(read)

    def write_to_client(self, events: bytes) -> bool:
        self._client.feed_data(chunk(events))
        return self.has_room

    def pass_to_client(self, chunks: bytes) -> bool:
        self.passed.append(chunks)
        self._client.feed_data(chunks)
        return self.has_room

    def write(self, request: bytes) -> None:
        assert request == b"GET"

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        pass


def _ignore(channel: Channel) -> None:
    assert channel is not None


def read_from(wire: Wire) -> tuple[Reply, ChunkStream]:
    """A reply whose head has come, and what reads its chunks."""
    loop = asyncio.get_running_loop()
    reply = wire.channel.begin(b"GET", loop)
    wire.put(HEAD)
    connection = Connection(engine="e", address=Address(url=""), clock=ManualClock())
    chunks = ChunkStream(reply, connection=connection, deadline=loop.time() + 60, limits=LIMITS)
    return reply, chunks


def begin(wire: Wire) -> tuple[Reply, ForwardedStream]:
    """A reply whose head has come, and what passes its events on."""
    reply, chunks = read_from(wire)
    return reply, ForwardedStream(chunks, engine="e", shows_usage=False)


async def pour(wire: Wire, reads: list[bytes], *, passes: bool) -> tuple[bytes, str]:
    """What the client of one reply has got, and the error that it ended with."""
    _, stream = begin(wire)
    pouring = asyncio.create_task(
        stream.pour(wire.write_to_client, wire.pass_to_client if passes else None)
    )
    await asyncio.sleep(0)
    for read in reads:
        wire.put(read)
    await asyncio.sleep(0)
    wire.channel.connection_lost(None)
    try:
        await pouring
    except ZwrotnicaError as error:
        return bytes(wire.body), type(error).__name__
    return bytes(wire.body), ""


def cut(raw: bytes, places: list[int]) -> list[bytes]:
    marks = [0, *sorted({place % (len(raw) + 1) for place in places}), len(raw)]
    return [raw[start:end] for start, end in pairwise(marks) if start < end]


bodies = st.one_of(
    st.sampled_from([
        b"a",
        b" b",
        "żółw".encode(),
        b"\\n",
        b'\\"x\\"',
        b"",
        b"\\",
        b'"',
        b"\n",
    ]).map(token),
    st.sampled_from([
        FINISH,
        DONE,
        token(b"a") + token(b"b"),
        token(b"a")[:-1],
        b": comment\n\n",
        b"data: {\n\n",
        b'data: {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}\n\n',
        token(b"x" * 5_000),
    ]),
)
frames = st.one_of(
    bodies.map(chunk),
    bodies.map(lambda body: b"%X\r\n%b\r\n" % (len(body), body)),
    bodies.map(lambda body: b"0%x;name=value\r\n%b\r\n" % (len(body), body)),
)


@given(sent=st.lists(frames, max_size=8), places=st.lists(st.integers(0, 5_000), max_size=6))
def test_however_chunks_and_reads_are_cut_the_client_gets_the_same(
    sent: list[bytes], places: list[int]
) -> None:
    async def both(reads: list[bytes]) -> None:
        passed = await pour(Wire(), reads, passes=True)
        assert passed == await pour(Wire(), reads, passes=False)

    raw = b"".join(sent) + LAST
    for reads in ([*sent, LAST], cut(raw, places), [raw]):
        asyncio.run(both(reads))


async def test_a_token_in_its_own_chunk_passes_as_it_stands() -> None:
    wire = Wire()
    tokens = [chunk(token(text)) for text in (b"a", b"b", "ż".encode(), b"\\n")]
    body, error = await pour(wire, [*tokens, chunk(FINISH), chunk(DONE), LAST], passes=True)
    assert wire.passed == tokens[1:]  # the first one is learnt from
    assert body == b"".join(map(token, (b"a", b"b", "ż".encode(), b"\\n"))) + FINISH + DONE
    assert error == ""


async def test_several_tokens_of_one_read_pass_together() -> None:
    wire = Wire()
    both = chunk(token(b"b")) + chunk(token(b"c"))
    await pour(wire, [chunk(token(b"a")), both, chunk(FINISH), chunk(DONE), LAST], passes=True)
    assert wire.passed == [both]


@pytest.mark.parametrize(
    "bad",
    [
        b"3\r\n" + token(b"b") + b"\r\n",
        b"+%x\r\n%b\r\n" % (len(token(b"b")), token(b"b")),
        chunk(token(b"b"))[:-2],
        chunk(token(b'b","x":"')),
        chunk(token(b"b\x01")),
        chunk(token(b"\xff")),
        chunk(FINISH),
    ],
)
async def test_what_is_no_token_in_a_plain_chunk_does_not_pass(bad: bytes) -> None:
    wire = Wire()
    await pour(wire, [chunk(token(b"a")), bad], passes=True)
    assert wire.passed == []


async def test_a_client_without_room_pauses_the_engine() -> None:
    wire = Wire()

    def take(chunks: bytes) -> bool:
        wire.has_room = False
        return wire.pass_to_client(chunks)

    _, stream = begin(wire)
    pouring = asyncio.create_task(stream.pour(wire.write_to_client, take))
    await asyncio.sleep(0)
    wire.put(chunk(token(b"a")))
    was_paused = wire.is_paused
    wire.put(chunk(token(b"b")))
    pouring.cancel()
    await asyncio.wait([pouring])
    assert (was_paused, wire.is_paused) == (False, True)
    assert wire.passed == [chunk(token(b"b"))]


async def test_a_connection_is_read_after_a_reply_that_ended_as_it_filled_its_client() -> None:
    wire = Wire(has_room=False)
    reply, stream = begin(wire)
    pouring = asyncio.create_task(stream.pour(wire.write_to_client))
    await asyncio.sleep(0)
    wire.put(chunk(token(b"a")) + chunk(FINISH) + chunk(DONE) + LAST)
    await pouring
    assert wire.is_paused
    await reply.aclose()

    assert not wire.is_paused


async def flood(wire: Wire, event: bytes) -> None:
    """Each turn of the loop has more to read."""
    for _ in range(1_000):
        wire.put(chunk(event))
        await asyncio.sleep(0)


async def test_a_reader_is_cancelled_though_the_socket_never_runs_dry() -> None:
    wire, read = Wire(), 0
    _, stream = begin(wire)
    flooding = asyncio.create_task(flood(wire, token(b"a")))
    with CancelScope() as scope:
        for _ in range(100):
            await anext(stream)
            read += 1
            scope.cancel()
    flooding.cancel()

    assert read == 1


async def test_who_cannot_pour_is_cancelled_though_the_socket_never_runs_dry() -> None:
    wire, read = Wire(), 0
    deltas = DeltaStream(read_from(wire)[1])
    flooding = asyncio.create_task(flood(wire, token(b"a").replace(b"\n", b"\r\n")))
    with CancelScope() as scope:
        for _ in range(100):
            await deltas.pour(lambda _: True)
            await anext(deltas)
            read += 1
            scope.cancel()
    flooding.cancel()

    assert read == 1
