"""Requests sent behind the one being answered: all answered, never without bounds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import uvicorn
from anyio import CancelScope
from scripted.patience import PATIENCE_S
from starlette.types import Receive, Scope, Send

from serving.http.departure import Departure
from serving.http.direct import DirectProtocol
from serving.settings import LimitsSettings

LIMITS = LimitsSettings(head_bytes=4_096, body_bytes=100_000)
MOST = LIMITS.head_bytes + LIMITS.body_bytes
READ = 262_144
"""What the loop reads of a socket at once, at most."""
FIRST = b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n"
SHORTEST = b"GET / HTTP/1.1\r\n\r\n"


def post(body: bytes, path: str = "/") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Application:
    """Answers each request with its path and the length of its body, ``/first`` when told to."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.over = asyncio.Event()
        self.has_left = False
        self.protocol: DirectProtocol | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        size, message = 0, await receive()
        while message.get("more_body"):
            size += len(message["body"])
            message = await receive()
        size += len(message.get("body", b""))
        if scope["path"] == "/first":
            self.begun.set()
            await self._wait(scope, receive)
            self.over.set()
        told = f"{scope['path']} {size}\n".encode()
        headers = [(b"content-length", str(len(told)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": told})

    async def _wait(self, scope: Scope, receive: Receive) -> None:
        work = CancelScope()
        async with Departure(scope, receive, work) as departure:
            with work:
                await self.may_answer.wait()
        if departure.has_left:
            self.has_left = (await receive())["type"] == "http.disconnect"


@asynccontextmanager
async def asked_first() -> AsyncIterator[
    tuple[Application, asyncio.StreamReader, asyncio.StreamWriter]
]:
    """A connection on which a first request is being answered."""
    application = Application()

    def protocol(*given: object, **named: object) -> DirectProtocol:
        application.protocol = partial(DirectProtocol, limits=LIMITS)(*given, **named)  # type: ignore[arg-type]  # uvicorn's own
        return application.protocol

    config = uvicorn.Config(application, http=protocol, lifespan="off", log_config=None, port=0)  # type: ignore[arg-type]  # any protocol
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE_S):
        while not server.started:  # noqa: ASYNC110 (uvicorn tells nobody)
            await asyncio.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(FIRST)
        await application.begun.wait()
        yield application, reader, writer
        writer.transport.abort()
        server.should_exit = server.force_exit = True
        await serving


@pytest.mark.parametrize(
    "more",
    [
        SHORTEST,
        SHORTEST * 20_000,
        post(b"x" * 90_000),
        post(b"x" * 90_000)[:-1],
        post(b"x")[:30],
        post(b"x" * 4 * MOST),
    ],
    ids=["one", "many", "body", "half body", "half head", "too much"],
)
async def test_a_client_that_sent_more_is_heard_leaving(more: bytes) -> None:
    async with asked_first() as (application, _, writer):
        writer.write(more)
        writer.close()
        await application.over.wait()

    assert application.has_left


async def test_a_client_that_sends_more_and_more_is_cut_and_holds_little() -> None:
    async with asked_first() as (application, _, writer):
        protocol = application.protocol
        assert protocol is not None
        held = []
        while not application.over.is_set():
            writer.write(SHORTEST * 100)
            await asyncio.sleep(0)
            held.append((len(protocol.pipeline), len(protocol._ahead)))

    assert max(waiting for waiting, _ in held) <= 8_192 / len(SHORTEST)
    assert MOST / 2 < max(ahead for _, ahead in held) < MOST + READ
    assert application.has_left


async def test_all_are_answered_in_their_order_however_they_come() -> None:
    sizes = (0, 3, 20_000, 0, 70_000, 1)
    more = b"".join(post(b"x" * size, f"/{place}") for place, size in enumerate(sizes))
    async with asked_first() as (application, reader, writer):
        for start in range(0, len(more), 9_000):
            writer.write(more[start : start + 9_000])
            await writer.drain()
        application.may_answer.set()
        bodies = [await body_of(reader) for _ in range(1 + len(sizes))]

    assert bodies == ["/first 0", *(f"/{place} {size}" for place, size in enumerate(sizes))]


async def body_of(reader: asyncio.StreamReader) -> str:
    await reader.readuntil(b"\r\n\r\n")
    return (await reader.readline()).decode().strip()
