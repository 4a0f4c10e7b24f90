"""The reader of server-sent events: bytes in, the data of whole events out, all bounded.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6, with two
leniences for model servers: the last event needs no blank line after it, and event names, ids and
retry times, which no model server uses, are passed over.
"""

from collections.abc import Mapping
from typing import TypeAlias

from pydantic_core import from_json

MAX_EVENT_BYTES = 262_144
DONE = b"[DONE]"
PREFIX = b"data: "
"""Before the data of an event of one line, as servers write it."""
EVENT_END = b"\n\n"

Chunk: TypeAlias = tuple[bytes, Mapping[str, object]]
"""The text of one event and the JSON object it holds."""

_BOM = b"\xef\xbb\xbf"


class EventTooLong(ValueError):
    """An event, or a line that never ends, passed the limit."""


class EventReader:
    """Cuts a byte stream into events; the result is the same however the bytes were split."""

    def __init__(self, *, max_bytes: int = MAX_EVENT_BYTES) -> None:
        """Refuse any event of more than ``max_bytes`` bytes."""
        self._max_bytes = max_bytes
        self._pending = bytearray()
        self._skips_newline = False
        self._is_at_start = True
        self._is_too_long = False

    @property
    def is_between_events(self) -> bool:
        """Whether the next bytes begin an event, and a whole one needs no remembering."""
        return not (self._pending or self._is_at_start or self._skips_newline or self._is_too_long)

    def feed(self, chunk: bytes) -> list[bytes]:
        r"""Take the next bytes; return the data of each event they complete, lines joined by \n.

        Raises:
            EventTooLong: an event passed the limit, and all events before it have been given.
        """
        self._refuse_too_long()
        if self._skips_newline or b"\r" in chunk:
            chunk = self._unify_line_ends(chunk)
        pending = self._pending
        if not pending and not self._is_at_start:
            *blocks, rest = chunk.split(b"\n\n")
            pending += rest
        else:
            blocks = self._cut_pending(chunk)
        events = self._read_blocks(blocks)
        if len(pending) > self._max_bytes:
            self._is_too_long = True
        if not events:
            self._refuse_too_long()
        return events

    def finish(self) -> list[bytes]:
        """Take the end of the stream; return the last event where its blank line is missing.

        Raises:
            EventTooLong: as `feed`.
        """
        self._refuse_too_long()
        rest = bytes(self._pending).removeprefix(_BOM if self._is_at_start else b"")
        self._pending.clear()
        return self._read_blocks([rest])

    def _refuse_too_long(self) -> None:
        if self._is_too_long:
            raise EventTooLong(f"an event of more than {self._max_bytes} bytes")

    def _unify_line_ends(self, chunk: bytes) -> bytes:
        if not chunk:
            return chunk
        if self._skips_newline and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._skips_newline = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _cut_pending(self, chunk: bytes) -> list[bytes]:
        pending = self._pending
        searched = max(0, len(pending) - 1)
        pending += chunk
        if self._is_at_start:
            if len(pending) < len(_BOM) and _BOM.startswith(bytes(pending)):
                return []
            self._is_at_start = False
            searched = 0
            if pending.startswith(_BOM):
                del pending[: len(_BOM)]
        end = pending.rfind(b"\n\n", searched)
        if end < 0:
            return []
        blocks = bytes(pending[:end]).split(b"\n\n")
        del pending[: end + 2]
        return blocks

    def _read_blocks(self, blocks: list[bytes]) -> list[bytes]:
        events: list[bytes] = []
        for block in blocks:
            if len(block) > self._max_bytes:
                self._is_too_long = True
                break
            if block.startswith(b"data: ") and b"\n" not in block:
                events.append(block[6:])
            elif (joined := _join_data_lines(block)) is not None:
                events.append(joined)
        return events


class ChunkReader:
    """Reads the JSON objects of a model's stream; counts what it cannot use.

    ``is_done`` turns true at ``[DONE]``, after which everything is passed over; ``malformed``
    counts events that are no JSON object.
    """

    def __init__(self, *, max_bytes: int = MAX_EVENT_BYTES) -> None:
        """Refuse any event of more than ``max_bytes`` bytes."""
        self._events = EventReader(max_bytes=max_bytes)
        self.is_done = False
        self.malformed = 0

    @property
    def is_between_events(self) -> bool:
        """Whether the next bytes begin an event that is still heeded."""
        return self._events.is_between_events and not self.is_done

    def feed(self, chunk: bytes) -> list[Chunk]:
        """Take the next bytes; return each object they complete, with its own text.

        Raises:
            EventTooLong: the event being read passed the limit.
        """
        return self._read(self._events.feed(chunk))

    def finish(self) -> list[Chunk]:
        """Take the end of the stream; return what its last event held."""
        return self._read(self._events.finish())

    def _read(self, events: list[bytes]) -> list[Chunk]:
        chunks: list[Chunk] = []
        for event in events:
            if self.is_done:
                break
            if event.startswith(DONE) and event.strip() == DONE:
                self.is_done = True
            elif (chunk := read_object(event)) is not None:
                chunks.append((event, chunk))
            else:
                self.malformed += 1
        return chunks


def read_object(text: bytes) -> Mapping[str, object] | None:
    """The JSON object in ``text``, or ``None``; deep, endless and ill-encoded JSON is none."""
    try:
        value: object = from_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _join_data_lines(block: bytes) -> bytes | None:
    lines: list[bytes] = []
    for line in block.split(b"\n"):
        field, _, value = line.partition(b":")
        if field == b"data":
            lines.append(value.removeprefix(b" "))
    return b"\n".join(lines) if lines else None
