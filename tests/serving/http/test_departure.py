"""Work ends with its client, whichever server tells of it; silence is filled meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import uvicorn
from anyio import CancelScope
from scripted.patience import NEVER_S, PATIENCE_S
from starlette.types import Receive, Scope, Send

from serving.http.departure import Departure
from serving.http.direct import DirectProtocol
from serving.http.sse import HEARTBEAT, EventStream

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
SERVERS = pytest.mark.parametrize("http", [DirectProtocol, "httptools"])

Play = Callable[[EventStream], Awaitable[None]]


class Line:
    """A served application that plays one stream a request, and what became of the requests."""

    def __init__(self, play: Play, *, heartbeat_s: float) -> None:
        self._play = play
        self._heartbeat_s = heartbeat_s
        self.left: list[bool] = []
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stream = EventStream(
            scope, receive, send, heartbeat_s=self._heartbeat_s, write_s=PATIENCE_S
        )
        self.begun.set()
        work = CancelScope()
        async with Departure(scope, receive, work) as departure, stream.keep_alive(work):
            with work:
                await self._play(stream)
        self.left.append(departure.has_left)
        self.ended.set()


@asynccontextmanager
async def served(
    play: Play, *, http: object, heartbeat_s: float = NEVER_S
) -> AsyncIterator[tuple[Line, int]]:
    """The application, and the port that it is served on."""
    line = Line(play, heartbeat_s=heartbeat_s)
    config = uvicorn.Config(line, http=http, lifespan="off", log_config=None, port=0)  # type: ignore[arg-type]  # any protocol
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_S):
        while not server.started:  # noqa: ASYNC110 (uvicorn tells nobody)
            await asyncio.sleep(0.005)
        yield line, server.servers[0].sockets[0].getsockname()[1]
        server.should_exit = server.force_exit = True
        await serving


async def say_nothing(_stream: EventStream) -> None:
    await asyncio.sleep(NEVER_S)


async def say_one_thing(stream: EventStream) -> None:
    await stream.write(b"data: a\n\n")
    await asyncio.sleep(NEVER_S)


async def say_all(stream: EventStream) -> None:
    await stream.write(b"data: a\n\n")
    await stream.end()


@SERVERS
@pytest.mark.parametrize("play", [say_nothing, say_one_thing])
async def test_work_ends_with_its_client(http: object, play: Play) -> None:
    async with served(play, http=http) as (line, port):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST)
        await line.begun.wait()
        writer.close()
        await line.ended.wait()

    assert line.left == [True]


async def test_a_client_that_stays_has_not_left() -> None:
    async with served(say_all, http=DirectProtocol) as (line, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(REQUEST)
            await reader.readuntil(b"0\r\n\r\n")
        writer.close()

    assert line.left == [False, False]


async def test_a_client_that_asked_for_more_at_once_is_heard_leaving() -> None:
    async with served(say_one_thing, http=DirectProtocol) as (line, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST + REQUEST)
        await reader.readuntil(b"data: a\n\n")
        writer.transport.abort()
        await line.ended.wait()

    assert line.left == [True]


@SERVERS
async def test_silence_is_filled_before_the_first_event_and_after(http: object) -> None:
    async with served(say_one_thing, http=http, heartbeat_s=0.02) as (line, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST)
        await reader.readuntil(b"data: a\n\n")
        for _ in range(3):
            await reader.readuntil(HEARTBEAT)
        writer.close()
        await line.ended.wait()

    async with served(say_nothing, http=http, heartbeat_s=0.02) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST)
        assert b"200 OK" in await reader.readuntil(HEARTBEAT)
        await reader.readuntil(HEARTBEAT)
        writer.close()


@SERVERS
async def test_an_error_leaves_as_it_is(http: object) -> None:
    class Odd(Exception):
        """A bug."""

    seen: list[type[BaseException]] = []

    async def fail(_stream: EventStream) -> None:
        raise Odd

    line = Line(fail, heartbeat_s=NEVER_S)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await line(scope, receive, send)
        except Exception as error:  # noqa: BLE001 (what it is, is the question)
            seen.append(type(error))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(app, http=http, lifespan="off", log_config=None, port=0)  # type: ignore[arg-type]  # any protocol
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_S):
        while not server.started:  # noqa: ASYNC110 (uvicorn tells nobody)
            await asyncio.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST)
        await reader.readuntil(b"\r\n\r\n")
        writer.close()
        server.should_exit = server.force_exit = True
        await serving

    assert seen == [Odd]
