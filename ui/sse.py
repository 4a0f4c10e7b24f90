"""Server-sent events out of bytes that arrive in any pieces, bounded in memory."""

import codecs
from dataclasses import dataclass
from typing import Final

from ui.fields import JsonObject, parse_object, whole_of

MAX_EVENT_CHARS: Final = 2**20


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerEvent:
    """One event of an answer: its name, its number within the answer, its fields."""

    name: str
    seq: int
    fields: JsonObject


class EventTooLong(ValueError):
    """An event, or a line of one, is longer than any that the gateway sends."""


class EventReader:
    """Turns bytes into events; what is not finished waits for the next bytes."""

    def __init__(self) -> None:
        """Nothing has been read yet."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._name = ""
        self._lines: list[str] = []
        self._chars = 0

    def feed(self, piece: bytes) -> tuple[ServerEvent, ...]:
        """The events that ``piece`` completes; raises `EventTooLong`."""
        *lines, self._rest = (self._rest + self._decoder.decode(piece)).split("\n")
        if len(self._rest) > MAX_EVENT_CHARS:
            raise EventTooLong(f"a line of an event exceeds {MAX_EVENT_CHARS} characters")
        return tuple(event for line in lines if (event := self._read(line.removesuffix("\r"))))

    def _read(self, line: str) -> ServerEvent | None:
        if not line:
            return self._finish()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._lines.append(value)
            self._chars += len(value)
            if self._chars > MAX_EVENT_CHARS:
                raise EventTooLong(f"an event exceeds {MAX_EVENT_CHARS} characters")
        return None

    def _finish(self) -> ServerEvent | None:
        name, lines = self._name, self._lines
        self._name, self._lines, self._chars = "", [], 0
        if not lines:
            return None
        fields = parse_object("\n".join(lines))
        return ServerEvent(name=name or "message", seq=whole_of(fields, "seq"), fields=fields)
