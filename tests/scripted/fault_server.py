"""A raw-socket server that plays a model server with any fault, and remembers what happened."""

import asyncio
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, cast

from scripted.faults import FAULTS
from scripted.line import ClientLeft, Line, Script, read_script
from scripted.patience import PATIENCE_S
from scripted.picture_faults import PNG

MODELS = b"/models"
IMAGES = b"/images/generations"
FAULT = re.compile(rb"fault=[^\s\"\\]+")
HEADER_LIMIT = 65_536


@dataclass(kw_only=True, slots=True)
class Exchange:
    """One request and what was done about it; times are the event loop's, in seconds."""

    path: bytes
    headers: Mapping[str, str]
    body: bytes
    script: Script
    began_at: float
    sent_tokens: int = 0
    sent_bytes: int = 0
    client_left_at: float | None = None
    ended_at: float | None = None

    @property
    def json(self) -> dict[str, object]:
        return cast("dict[str, object]", json.loads(self.body))


@dataclass(slots=True)
class FaultServer:
    """``async with FaultServer() as server``: an OpenAI server at ``server.url``.

    The fault is taken from the header ``X-Fault``, else from the first such text in the request
    (its ``model`` or a message), else it is ``default``: ``fault=stall:after=17;seed=3``. See
    `scripted.faults` for all of them. With ``heeds_last`` it is the last such text: what was said
    last in a conversation.
    Where there are ``permits``, a stream needs one after each token.
    """

    default: str = "fault=none"
    heeds_requests: bool = True
    heeds_last: bool = False
    models: list[str] = field(default_factory=lambda: ["fault=none"])
    exchanges: list[Exchange] = field(default_factory=list)
    connections: int = 0
    open_connections: int = 0
    permits: asyncio.Semaphore | None = None
    _server: asyncio.Server | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def last(self) -> Exchange:
        return self.exchanges[-1]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, limit=HEADER_LIMIT, backlog=512
        )
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def wait_idle(self, limit_s: float = PATIENCE_S) -> None:
        """Wait until every exchange has ended and nobody is connected with one under way."""
        async with asyncio.timeout(limit_s):
            while any(exchange.ended_at is None for exchange in self.exchanges):
                await self._wait_change()

    async def wait_exchanges(self, count: int, limit_s: float = PATIENCE_S) -> None:
        """Wait until so many requests have come."""
        async with asyncio.timeout(limit_s):
            while len(self.exchanges) < count:
                await self._wait_change()

    async def wait_disconnected(self, limit_s: float = PATIENCE_S) -> None:
        """Wait until no connection is open."""
        async with asyncio.timeout(limit_s):
            while self.open_connections:
                await self._wait_change()

    async def _wait_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        self.open_connections += 1
        try:
            # a cancelled task would be logged as an error by asyncio's own callback
            with suppress(
                ConnectionError, asyncio.IncompleteReadError, ClientLeft, asyncio.CancelledError
            ):
                await self._converse(reader, writer)
        finally:
            self.open_connections -= 1
            self._changed.set()
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ahead = b""
        while True:
            exchange = await self._receive(reader, ahead)
            self.exchanges.append(exchange)
            self._changed.set()
            line = Line(reader, writer, exchange.script, self.permits)
            try:
                await self._answer(exchange, line)
            finally:
                loop = asyncio.get_running_loop()
                exchange.ended_at = loop.time()
                exchange.sent_tokens = line.sent_tokens
                exchange.sent_bytes = line.sent_bytes
                exchange.client_left_at = line.client_left_at
                self._changed.set()
                ahead = await line.stop_watching()
            if line.is_closed:
                return

    async def _receive(self, reader: asyncio.StreamReader, ahead: bytes) -> Exchange:
        head = ahead + await reader.readuntil(b"\r\n\r\n")
        first, *rest = head[:-4].split(b"\r\n")
        headers = {
            name.decode("latin-1").lower(): value.strip().decode("latin-1")
            for name, _, value in (line.partition(b":") for line in rest)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        return Exchange(
            path=first.split(b" ")[1],
            headers=headers,
            body=body,
            script=self._choose_script(headers, body),
            began_at=asyncio.get_running_loop().time(),
        )

    def _choose_script(self, headers: Mapping[str, str], body: bytes) -> Script:
        if not self.heeds_requests:
            return read_script(self.default)
        if "x-fault" in headers:
            return read_script(headers["x-fault"])
        found = FAULT.findall(body)
        return read_script(found[-self.heeds_last].decode() if found else self.default)

    async def _answer(self, exchange: Exchange, line: Line) -> None:
        if exchange.path.endswith(MODELS) and exchange.script.name == "none":
            models = [{"id": name} for name in self.models]
            await line.reply(200, json.dumps({"data": models}).encode())
        elif exchange.path.endswith(IMAGES) and exchange.script.name == "none":
            await line.reply(200, json.dumps({"data": [{"b64_json": PNG}]}).encode())
        else:
            options = exchange.json.get("stream_options") if exchange.body else None
            line.body, line.is_get = exchange.body, not exchange.body
            line.host = exchange.headers.get("host", "")
            line.wants_usage = isinstance(options, dict) and bool(options.get("include_usage"))
            await FAULTS[exchange.script.name](line)
