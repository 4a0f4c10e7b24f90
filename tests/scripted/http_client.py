"""A client on a raw socket: sees every byte as it comes, leaves whenever it likes."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from scripted.patience import PATIENCE_S


@dataclass(kw_only=True, slots=True)
class Reply:
    """What a server answered; ``body`` is without chunked framing; ``seconds`` till its end.

    ``ended_at`` is the machine's monotonic time.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    first_byte_s: float
    ended_at: float
    is_whole: bool = True

    @property
    def json(self) -> dict[str, object]:
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value

    @property
    def events(self) -> list[str]:
        """The data of each event, comments left out."""
        blocks = self.body.decode().split("\n\n")
        return [
            block.removeprefix("data: ").replace("\ndata: ", "\n")
            for block in blocks
            if block.startswith("data: ")
        ]


def post(path: str, body: bytes, **headers: str) -> bytes:
    """A POST request as bytes; ``Connection: close``."""
    fields = {
        "host": "127.0.0.1",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body


@dataclass(slots=True)
class RawClient:
    """One connection: ``async with RawClient(port) as client``; leaving the block closes it."""

    port: int
    _reader: asyncio.StreamReader = field(init=False)
    _writer: asyncio.StreamWriter = field(init=False)

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._writer.transport.abort()

    async def send(self, raw: bytes) -> None:
        self._writer.write(raw)
        await self._writer.drain()

    async def read_some(self, size: int) -> bytes:
        """Up to ``size`` bytes, fewer only at the end."""
        try:
            return await self._reader.readexactly(size)
        except asyncio.IncompleteReadError as error:
            return error.partial

    async def read_until(self, mark: bytes) -> bytes:
        return await self._reader.readuntil(mark)

    async def exchange(self, raw: bytes) -> Reply:
        """Send ``raw`` and read the whole reply."""
        clock = asyncio.get_running_loop().time
        began = clock()
        await self.send(raw)
        first = await self._reader.readexactly(1)
        first_byte_s = clock() - began
        head = first + await self._reader.readuntil(b"\r\n\r\n")
        rest = await self._reader.read()
        ended_at = clock()
        status_line, *lines = head[:-4].decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
        }
        body, is_whole = rest, True
        if headers.get("transfer-encoding") == "chunked":
            body, is_whole = _unchunk(rest)
        return Reply(
            status=int(status_line.split(" ")[1]),
            headers=headers,
            body=body,
            seconds=ended_at - began,
            first_byte_s=first_byte_s,
            ended_at=ended_at,
            is_whole=is_whole,
        )


async def ask(port: int, raw: bytes) -> Reply:
    """One request over a connection of its own."""
    async with RawClient(port) as client:
        return await client.exchange(raw)


def _unchunk(raw: bytes) -> tuple[bytes, bool]:
    body = bytearray()
    while raw:
        size, _, rest = raw.partition(b"\r\n")
        length = int(size or b"0", 16)
        if length == 0:
            return bytes(body), True
        body += rest[:length]
        raw = rest[length + 2 :]
    return bytes(body), False


async def wait_for(is_so: Callable[[], bool], limit_s: float = PATIENCE_S) -> float:
    """Wait until something of another thread is so; gives the seconds it took."""
    clock = asyncio.get_running_loop().time
    began = clock()
    async with asyncio.timeout(limit_s):
        while not is_so():  # noqa: ASYNC110 - another thread's state has no event for this loop
            await asyncio.sleep(0.01)
    return clock() - began
