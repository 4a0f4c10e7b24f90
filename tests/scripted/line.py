"""The fault server's side of one conversation: what to play, and the way to the client."""

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

JSON = "application/json"
EVENTS = "text/event-stream; charset=utf-8"
_WORDS = ("zażółć ", "gęślą ", "jaźń, ", "łódź ", "żółw ", "„cudzysłów” ", "–", "🙂 ", "x", "źle ")


class ClientLeft(Exception):
    """The client closed the connection while it was being written to."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Script:
    """One behaviour: ``fault=NAME:key=value:key=value;seed=3;tokens=20;pace=5`` (pace in ms)."""

    name: str = "none"
    options: Mapping[str, str]
    seed: int = 0
    tokens: int = 20
    pace_ms: float = 0.0

    def number(self, key: str, default: int) -> int:
        return int(self.options.get(key, default))

    def word(self, key: str, default: str = "") -> str:
        return self.options.get(key, default)

    def token(self, place: int) -> str:
        return Random(self.seed * 1_000 + place).choice(_WORDS)  # noqa: S311 - repeatable text

    @property
    def text(self) -> str:
        """All that the tokens make when nothing goes wrong."""
        return "".join(self.token(place) for place in range(self.tokens))


def read_script(text: str) -> Script:
    settings = dict(item.partition("=")[::2] for item in text.split(";"))
    name, *options = settings["fault"].split(":")
    return Script(
        name=name,
        options=dict(option.partition("=")[::2] for option in options),
        seed=int(settings.get("seed", "0")),
        tokens=int(settings.get("tokens", "20")),
        pace_ms=float(settings.get("pace", "0")),
    )


class Line:
    """The way to one client: writes a reply piece by piece and notices when the client leaves."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        script: Script,
        permits: asyncio.Semaphore | None,
    ) -> None:
        self.script = script
        self.permits = permits
        self.wants_usage = False
        self.is_get = False
        self.host = ""
        self.body = b""
        self.sent_tokens = 0
        self.sent_bytes = 0
        self.client_left_at: float | None = None
        self.is_closed = False
        self._writer = writer
        self._is_chunked = False
        self._watch = asyncio.ensure_future(self._notice(reader))

    async def _notice(self, reader: asyncio.StreamReader) -> bytes:
        try:
            ahead = await reader.read(1)
        except ConnectionError:
            ahead = b""
        if not ahead:
            self.client_left_at = asyncio.get_running_loop().time()
        return ahead

    async def stop_watching(self) -> bytes:
        """Wait for the client's next byte or its leaving; the byte belongs to its next request."""
        if self.is_closed and not self._watch.done():
            self._watch.cancel()
            return b""
        ahead = await self._watch
        self.is_closed = self.is_closed or not ahead
        return ahead

    async def write(self, raw: bytes) -> None:
        if self.client_left_at is not None:
            raise ClientLeft
        self._writer.write(raw)
        self.sent_bytes += len(raw)
        try:
            await self._writer.drain()
        except ConnectionError as error:
            self.client_left_at = asyncio.get_running_loop().time()
            raise ClientLeft from error
        await asyncio.sleep(0)

    async def reply(self, status: int, body: bytes, **headers: str) -> None:
        fields = {"content-type": JSON, "content-length": str(len(body))}
        fields |= {key.replace("_", "-"): value for key, value in headers.items()}
        await self.head(status, fields)
        await self.write(body)

    async def head(self, status: int, fields: Mapping[str, str]) -> None:
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        await self.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode("latin-1"))

    async def begin(self) -> None:
        await self.head(200, {"content-type": EVENTS, "transfer-encoding": "chunked"})
        self._is_chunked = True
        await self.event(chunk(role="assistant", content=""))

    async def chunked(self, raw: bytes) -> None:
        await self.write(b"%x\r\n%b\r\n" % (len(raw), raw))

    async def event(self, data: Mapping[str, object] | str) -> None:
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        await self.chunked(f"data: {text}\n\n".encode())

    async def tokens(self, first: int, last: int) -> None:
        for place in range(first, last):
            await self.event(chunk(content=self.script.token(place)))
            self.sent_tokens += 1
            if self.script.pace_ms:
                await self.pause(self.script.pace_ms / 1_000)
            if self.permits is not None:
                await self.permits.acquire()

    async def pause(self, seconds: float) -> None:
        await asyncio.wait([self._watch], timeout=seconds)
        if self._watch.done():
            raise ClientLeft

    async def finish(self, reason: str = "stop") -> None:
        await self.event(chunk(finish=reason))
        if self.wants_usage:
            await self.event(usage(7, self.sent_tokens))

    async def done(self) -> None:
        await self.event("[DONE]")
        await self.write(b"0\r\n\r\n")

    async def hang(self) -> None:
        """Say nothing more until the client has left."""
        await asyncio.wait([self._watch])
        raise ClientLeft

    async def hang_up(self) -> None:
        """Close with FIN, whatever was promised."""
        self.is_closed = True
        self._writer.close()
        await asyncio.sleep(0)

    async def reset(self) -> None:
        """Close with RST."""
        self.is_closed = True
        sock: socket.socket = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
        await asyncio.sleep(0)


def chunk(
    *, finish: str | None = None, calls: list[object] | None = None, **delta: str
) -> dict[str, object]:
    content: dict[str, object] = {**delta, **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "delta": content, "logprobs": None, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_763_733_600,
        "model": "scripted",
        "choices": [choice],
    }


def usage(prompt: object, completion: object) -> dict[str, object]:
    figures = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": 0}
    return {**chunk(), "choices": [], "usage": figures}
