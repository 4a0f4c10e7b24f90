"""Bodies written straight to the socket: the same bytes as by ASGI, and never without bounds."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import uvicorn
from anyio import CancelScope
from scripted.patience import NEVER_S, PATIENCE_S
from starlette.types import Receive, Scope, Send

from serving.http.direct import DirectProtocol, direct_body_of
from serving.http.sse import EventStream

EVENTS = (b"data: a\n\n", b"data: \xc4\x85\n\n", b"data: " + b"x" * 10_000 + b"\n\n")
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
MOST = 262_144

Play = Callable[[EventStream], Awaitable[None]]


@asynccontextmanager
async def served(play: Play, *, http: object, write_s: float = NEVER_S) -> AsyncIterator[int]:
    """An ASGI application that plays one event stream, and the port that it is served on."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        stream = EventStream(scope, receive, send, heartbeat_s=NEVER_S, write_s=write_s)
        work = CancelScope()
        async with stream.keep_alive(work):
            with work:
                await play(stream)

    config = uvicorn.Config(app, http=http, lifespan="off", log_config=None, port=0)  # type: ignore[arg-type]  # any protocol
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_S):
        while not server.started:  # noqa: ASYNC110 (uvicorn tells nobody)
            await asyncio.sleep(0.005)
        yield server.servers[0].sockets[0].getsockname()[1]
        server.should_exit = server.force_exit = True
        await serving


async def say_all(stream: EventStream) -> None:
    for event in EVENTS:
        await stream.write(event)
    await stream.end()


async def push_all(stream: EventStream) -> None:
    await stream.write(EVENTS[0])
    assert stream.is_direct
    for event in EVENTS[1:]:
        assert stream.push(event)
    await stream.end()


async def exchange(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    raw = await reader.read(-1)
    writer.close()
    return raw


async def replies(play: Play, request: bytes, *, http: object) -> list[bytes]:
    """What follows the head of each response."""
    async with served(play, http=http) as port:
        raw = await exchange(port, request)
    return [reply.partition(b"\r\n\r\n")[2] for reply in raw.split(b"HTTP/1.1 200 OK")[1:]]


@pytest.mark.parametrize("play", [say_all, push_all])
@pytest.mark.parametrize("first", [b"", REQUEST, REQUEST + REQUEST])
async def test_direct_writes_are_the_same_bytes_as_by_asgi(play: Play, first: bytes) -> None:
    direct = await replies(play, first + LAST, http=DirectProtocol)
    plain = await replies(say_all, first + LAST, http="httptools")

    assert direct == plain
    assert len(direct) == 1 + first.count(b"GET")


async def test_a_question_for_the_head_alone_gets_no_body() -> None:
    request = LAST.replace(b"GET", b"HEAD")

    assert await replies(say_all, request, http=DirectProtocol) == [b""]


async def test_a_client_of_http_1_0_gets_its_body_without_chunks_until_the_end() -> None:
    request = LAST.replace(b"HTTP/1.1", b"HTTP/1.0")
    async with served(say_all, http=DirectProtocol) as port:
        head, _, body = (await exchange(port, request)).partition(b"\r\n\r\n")

    assert body == b"".join(EVENTS)
    assert b"transfer-encoding" not in head
    assert b"connection: close" in head


async def test_without_the_extension_asgi_carries_every_event() -> None:
    seen: list[EventStream] = []

    async def look(stream: EventStream) -> None:
        await stream.write(EVENTS[0])
        seen.extend([stream][: stream.is_direct])
        await stream.end()

    assert await replies(look, LAST, http="httptools")
    assert not seen
    assert await replies(look, LAST, http=DirectProtocol)
    assert len(seen) == 1


@asynccontextmanager
async def reader_that_stops(port: int) -> AsyncIterator[socket.socket]:
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        sock.settimeout(0)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, ("127.0.0.1", port))
        await loop.sock_sendall(sock, LAST)
        yield sock


async def left_of(flood: Play, is_over: asyncio.Event) -> bytes:
    """What a client that reads nothing of ``flood`` still gets once that is over and it is cut."""
    async with (
        served(flood, http=DirectProtocol, write_s=0.2) as port,
        reader_that_stops(port) as sock,
    ):
        await is_over.wait()
        return await drained(sock)


@pytest.mark.parametrize("size", [100, 60_000])
async def test_a_client_that_does_not_read_holds_little_and_is_cut(size: int) -> None:
    held: list[int] = []
    is_cut = asyncio.Event()

    async def flood(stream: EventStream) -> None:
        try:
            while True:
                await stream.write(b"x" * size)
                held.append(unread(stream))
        finally:
            is_cut.set()

    assert await left_of(flood, is_cut)

    assert 0 < max(held) < MOST


async def test_a_client_that_does_not_read_the_end_is_cut() -> None:
    is_over = asyncio.Event()

    async def flood(stream: EventStream) -> None:
        try:
            await stream.write(EVENTS[0])
            while stream.push(b"x" * 60_000):
                pass
            await stream.end()
        finally:
            is_over.set()

    assert await left_of(flood, is_over)


async def test_a_client_that_reads_again_gets_the_rest() -> None:
    whole = 400

    async def push(stream: EventStream) -> None:
        room = asyncio.Event()
        await stream.write(b"#" * 10_000)
        stream.call_when_there_is_room(room.set)
        for _ in range(whole - 1):
            if not stream.push(b"#" * 10_000):
                await room.wait()
                room.clear()
        stream.call_when_there_is_room(None)
        await stream.end()

    async with served(push, http=DirectProtocol) as port, reader_that_stops(port) as sock:
        await asyncio.sleep(0.1)
        raw = await drained(sock)

    assert raw.count(b"#") == whole * 10_000
    assert raw.endswith(b"0\r\n\r\n")


def unread(stream: EventStream) -> int:
    body = stream._direct
    assert body is not None
    return body._cycle.transport.get_write_buffer_size()


async def drained(sock: socket.socket) -> bytes:
    """Everything until the other end closes or resets."""
    raw = bytearray()
    try:
        while piece := await asyncio.get_running_loop().sock_recv(sock, 1_048_576):
            raw += piece
    except ConnectionError:
        raw += b"reset"
    return bytes(raw)


def test_a_scope_of_another_server_has_no_direct_body() -> None:
    found = [
        direct_body_of({}),
        direct_body_of({"extensions": {}}),
        direct_body_of({"extensions": 1}),
    ]

    assert found == [None, None, None]
