"""A client that hears any OpenAI-compatible gateway out and notes what it was shown, and when."""

import asyncio
import json
from dataclasses import dataclass, field

import httptools

MOST_BYTES = 4_194_304
"""Of one event, above which the client reads on but keeps nothing."""
_READ_BYTES = 65_536


@dataclass(kw_only=True, slots=True)
class Seen:
    """One reply; times are the machine's monotonic seconds, ``status`` 0: there was no response.

    ``is_whole``: HTTP's own end came. ``is_hung``: the client had to give up.
    """

    began_at: float
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    finishes: list[str] = field(default_factory=list)
    is_done: bool = False
    error: str = ""
    unreadable: int = 0
    usages: list[object] = field(default_factory=list)
    first_at: float | None = None
    error_at: float | None = None
    ended_at: float = 0.0
    is_whole: bool = False
    is_hung: bool = False
    size: int = 0
    head: bytes = b""

    @property
    def seconds(self) -> float:
        """From the request to the end of what was heard."""
        return self.ended_at - self.began_at

    @property
    def told_at(self) -> float | None:
        """When the client could know that its answer has failed: by status, event or a break."""
        if self.error_at is not None or self.is_hung:
            return self.error_at
        return None if self.is_whole and self.status < 400 else self.ended_at

    @property
    def is_told(self) -> bool:
        """Whether the client knows that its answer has failed."""
        return self.told_at is not None

    @property
    def looks_complete(self) -> bool:
        """Whether a client would take what it has for a whole answer."""
        return "stop" in self.finishes or (self.is_done and not self.error)

    @property
    def completion_tokens(self) -> object:
        """What the last usage says, if there is any."""
        last = self.usages[-1] if self.usages else None
        return last.get("completion_tokens") if isinstance(last, dict) else None


class Ear:
    """Reads one HTTP response as it comes: httptools' callbacks, then events, then chunks."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self._parser = httptools.HttpResponseParser(self)
        self._rest = b""
        self._data: list[str] = []
        self._is_stream = False

    def hear(self, raw: bytes) -> None:
        """Take what came."""
        if len(self.seen.head) < 1_000:
            self.seen.head += raw[:1_000]
        self.seen.size += len(raw)
        self._parser.feed_data(raw)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.seen.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.seen.status = self._parser.get_status_code()
        self._is_stream = "event-stream" in self.seen.headers.get("content-type", "")
        if self.seen.status >= 400:
            self.seen.error_at = _now()

    def on_body(self, body: bytes) -> None:
        self._rest += body
        if self._is_stream:
            self._read_lines()
        if len(self._rest) > MOST_BYTES:
            self._rest = b""

    def on_message_complete(self) -> None:
        if self.seen.status < 200:
            return
        if self._is_stream:
            self._rest += b"\n\n" if self._rest else b""
            self._read_lines()
        else:
            self._read_body()
        self.seen.is_whole = True

    def _read_lines(self) -> None:
        """Lines end in LF, CR or CRLF; a CR at the very end may be half of one."""
        rest = self._rest
        if not (b"\n" in rest or b"\r" in rest[:-1]):
            return
        lines = rest.splitlines(keepends=True)
        is_cut = not lines[-1].endswith((b"\n", b"\r")) or lines[-1].endswith(b"\r")
        self._rest = lines.pop() if is_cut else b""
        for line in lines:
            self._read_line(line.rstrip(b"\r\n"))

    def _read_line(self, line: bytes) -> None:
        if not line:
            if self._data:
                self._read_event("\n".join(self._data))
            self._data = []
            return
        name, _, value = line.removeprefix(b"\xef\xbb\xbf").partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" ").decode("utf-8", "replace"))

    def _read_event(self, data: str) -> None:
        if data == "[DONE]":
            self.seen.is_done = True
            return
        try:
            event = json.loads(data)
            self._read_chunk(event)
        except (ValueError, TypeError, AttributeError, KeyError):
            self.seen.unreadable += 1

    def _read_chunk(self, event: dict[str, object]) -> None:
        if event.get("error"):
            self.seen.error = json.dumps(event["error"], ensure_ascii=False)
            self.seen.error_at = self.seen.error_at or _now()
            return
        if event.get("usage"):
            self.seen.usages.append(event["usage"])
        choices = event.get("choices") or []
        assert isinstance(choices, list)
        for choice in choices:
            if content := (choice.get("delta") or {}).get("content"):
                self.seen.first_at = self.seen.first_at or _now()
                self.seen.text += content
            if reason := choice.get("finish_reason"):
                self.seen.finishes.append(reason)

    def _read_body(self) -> None:
        text = self._rest.decode("utf-8", "replace")
        if self.seen.status >= 400:
            self.seen.error = text[:2_000] or f"status {self.seen.status}"
            return
        self.seen.text = text


def _now() -> float:
    return asyncio.get_running_loop().time()


async def listen(port: int, request: bytes, *, limit_s: float) -> Seen:
    """Ask over a connection of its own and read until HTTP's end, a break, or for ``limit_s``."""
    seen = Seen(began_at=_now())
    try:
        async with asyncio.timeout(limit_s):
            await _hear_out(port, request, Ear(seen))
    except TimeoutError:
        seen.is_hung = True
    except (OSError, httptools.HttpParserError, asyncio.IncompleteReadError):
        pass  # a break: what was seen says so
    seen.ended_at = _now()
    return seen


async def _hear_out(port: int, request: bytes, ear: Ear) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sending = asyncio.create_task(_send(writer, request))
    try:
        while not ear.seen.is_whole and (raw := await reader.read(_READ_BYTES)):
            ear.hear(raw)
    finally:
        sending.cancel()
        writer.transport.abort()


async def _send(writer: asyncio.StreamWriter, request: bytes) -> None:
    """Who answers before it has read everything may close, too."""
    try:
        writer.write(request)
        await writer.drain()
    except OSError:
        return
