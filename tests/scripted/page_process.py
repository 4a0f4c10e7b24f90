"""Plays the web chat's process: a small page with a script for each path, and what it saw.

`python page_process.py --gateway URL --port 0 --chats N` as the supervisor calls it; the first
argument before them may be a fault: ``early`` (dies before it is ready), ``mute`` (never ready),
``deaf`` (ignores SIGTERM).
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

NEVER_S = 600.0
LARGE = 20_000_000


class Page:
    """Answers each path in its own way; `seen` is told at `/seen`."""

    def __init__(self) -> None:
        self.seen: list[dict[str, object]] = []
        self.departures = 0
        self.pushed: asyncio.Queue[bytes] = asyncio.Queue()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                await self._answer(head.decode("latin-1"), reader, writer)
        writer.close()

    async def _answer(
        self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        start, *lines = head.rstrip().split("\r\n")
        method, target, _ = start.split(" ")
        headers = [line.split(": ", 1) for line in lines]
        fields = {name.lower(): value for name, value in headers}
        body = await reader.readexactly(int(fields.get("content-length", "0")))
        asked: dict[str, object] = {
            "method": method,
            "target": target,
            "headers": headers,
            "body": body.decode(),
        }
        path = target.partition("?")[0]
        if path != "/seen":
            self.seen.append(asked)
        plays = {"/seen": self._tell, "/push": self._push, "/events": self._stream, **PLAYS}
        if path in plays:
            await plays[path](Exchange(reader, writer, body))
        else:
            await _reply(writer, b"" if method == "HEAD" else b"<h1>page</h1>")
        if fields.get("connection") == "close":
            writer.close()

    async def _tell(self, exchange: "Exchange") -> None:
        told = {
            "seen": self.seen,
            "departures": self.departures,
            "env": dict(os.environ),
            "arguments": sys.argv[1:],
        }
        await _reply(exchange.writer, json.dumps(told).encode())

    async def _push(self, exchange: "Exchange") -> None:
        self.pushed.put_nowait(exchange.body)
        await _reply(exchange.writer, b"pushed")

    async def _stream(self, exchange: "Exchange") -> None:
        """Send on whatever is pushed, each as one event, until the client leaves."""
        writer = exchange.writer
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        leaving = asyncio.ensure_future(exchange.reader.read(1))
        while not leaving.done():
            push = asyncio.ensure_future(self.pushed.get())
            await asyncio.wait((leaving, push), return_when=asyncio.FIRST_COMPLETED)
            if not push.done():
                push.cancel()
                break
            event = b"data: " + push.result() + b"\n\n"
            writer.write(b"%x\r\n%b\r\n" % (len(event), event))
            await writer.drain()
        self.departures += 1
        writer.close()


class Exchange(NamedTuple):
    """One request to be answered."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    body: bytes


ODD = (
    b"location: /elsewhere\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n"
    b"connection: keep-alive, X-Odd\r\nx-odd: 1\r\nkeep-alive: timeout=5\r\n"
    b"server: Page\r\ncontent-encoding: br\r\n"
)


async def _large(exchange: Exchange) -> None:
    await _reply(exchange.writer, b"x" * LARGE)


async def _lose(exchange: Exchange) -> None:
    exchange.writer.close()


async def _cut(exchange: Exchange) -> None:
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n"
    exchange.writer.write(head)
    await exchange.writer.drain()
    exchange.writer.close()


async def _fail(exchange: Exchange) -> None:
    _complain("it happened to Ala ma kota")
    await _reply(exchange.writer, b"failed", status=500)


async def _flood(exchange: Exchange) -> None:
    for _ in range(100):
        sys.stderr.write("x" * 10_000)
        print("y" * 1_000)  # noqa: T201 (as a library might)
    await _reply(exchange.writer, b"said")


async def _hang(exchange: Exchange) -> None:
    time.sleep(NEVER_S)  # noqa: ASYNC251 (that is the fault)


async def _die(exchange: Exchange) -> None:
    os._exit(3)


async def _redirect(exchange: Exchange) -> None:
    await _reply(exchange.writer, b"", status=302, extra=ODD)


PLAYS: dict[str, Callable[[Exchange], Awaitable[None]]] = {
    "/large": _large,
    "/lost": _lose,
    "/cut": _cut,
    "/fail": _fail,
    "/hang": _hang,
    "/flood": _flood,
    "/die": _die,
    "/odd": _redirect,
}


async def _reply(
    writer: asyncio.StreamWriter, body: bytes, *, status: int = 200, extra: bytes = b""
) -> None:
    head = f"HTTP/1.1 {status} X\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\n"
    writer.write(head.encode() + extra + b"\r\n" + body)
    await writer.drain()


def _complain(text: str) -> None:
    sys.stderr.write(
        f'Traceback (most recent call last):\n  File "/x/page.py", line 7, in show\n'
        f"    raise ValueError(text)\nValueError: {text}\n"
    )
    sys.stderr.flush()


async def _serve(fault: str) -> None:
    server = await asyncio.start_server(Page().serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print("a line that is not the one", flush=True)  # noqa: T201 (the protocol)
    if fault != "mute":
        print(f"ready http://127.0.0.1:{port}", flush=True)  # noqa: T201 (the protocol)
    await asyncio.Event().wait()


def main() -> None:
    fault = sys.argv[1] if not sys.argv[1].startswith("--") else ""
    if fault == "early":
        sys.exit("no module of that name")
    if fault == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    asyncio.run(_serve(fault))


if __name__ == "__main__":
    main()
