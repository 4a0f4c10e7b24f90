"""Cuts the bytes of an export into its conversations and messages, so that each is read alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from chatbot.errors import InvalidRequest
from serving.settings import LimitsSettings

_BLANKS: Final = re.compile(rb"[ \t\r\n]*+")
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR: Final = re.compile(rb'[^\s,:"\[\]{}]++')
_MARKS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_OPENING: Final = (b"{", b"[")
_CONVERSATIONS: Final = b'"conversations"'
_MESSAGES: Final = b'"messages"'


@dataclass(frozen=True, kw_only=True, slots=True)
class Slice:
    """One conversation as JSON: its own fields, and each of its messages."""

    fields: bytes
    messages: tuple[bytes, ...]


class Slices:
    """The conversations in ``body``, one at a time in memory.

    ``fields`` are those of the document itself that have been read so far. What is cut out is
    looked into only for where it ends. The scan is a loop of small steps, so that other threads
    run meanwhile.
    """

    def __init__(self, body: bytes, *, most_messages: int, limits: LimitsSettings) -> None:
        """``most_messages`` is what one conversation may have; each is bounded like a request."""
        self._cursor = _Cursor(body, longest=limits.body_bytes, deepest=limits.json_depth)
        self._most_messages = most_messages
        self._fields: list[bytes] = []

    @property
    def fields(self) -> bytes:
        """The document's own fields, as JSON."""
        return _join(self._fields)

    def __iter__(self) -> Iterator[Slice]:
        """Each conversation in turn.

        Raises:
            InvalidRequest: the body is no document of this form; the message names the byte.
        """
        cursor = self._cursor
        for key in cursor.members():
            if key == _CONVERSATIONS:
                for _ in cursor.elements():
                    yield self._take_conversation()
            else:
                self._fields.append(key + b":" + cursor.take_value())
        cursor.expect_end()

    def _take_conversation(self) -> Slice:
        cursor, fields, messages = self._cursor, [], []
        for key in cursor.members():
            if key != _MESSAGES:
                fields.append(key + b":" + cursor.take_value())
                continue
            for _ in cursor.elements():
                messages.append(cursor.take_value())
                if len(messages) > self._most_messages:
                    raise InvalidRequest(
                        f"a conversation has more than {self._most_messages} messages",
                        param="messages",
                    )
        return Slice(fields=_join(fields), messages=tuple(messages))


class _Cursor:
    """A place in JSON text that moves on by whole values."""

    def __init__(self, body: bytes, *, longest: int, deepest: int) -> None:
        self._body = body
        self._longest = longest
        self._deepest = deepest
        self._at = 0

    def members(self) -> Iterator[bytes]:
        """The keys of the object that begins here; whoever iterates takes each value."""
        self._expect(b"{")
        if self._passes(b"}"):
            return
        while True:
            key = self._take(_STRING)
            self._expect(b":")
            yield key
            if self._passes(b"}"):
                return
            self._expect(b",")

    def elements(self) -> Iterator[None]:
        """One step an element of the list that begins here; whoever iterates takes each."""
        self._expect(b"[")
        if self._passes(b"]"):
            return
        while True:
            yield
            if self._passes(b"]"):
                return
            self._expect(b",")

    def take_value(self) -> bytes:
        """The value that begins here."""
        self._skip_blanks()
        first = self._body[self._at : self._at + 1]
        if first in _OPENING:
            return self._take_nested()
        return self._take(_STRING if first == b'"' else _SCALAR)

    def expect_end(self) -> None:
        """Refuse whatever follows."""
        self._skip_blanks()
        if self._at < len(self._body):
            raise self._broken()

    def _take_nested(self) -> bytes:
        start, depth = self._at, 0
        for mark in _MARKS.finditer(self._body, start):
            if depth > self._deepest or mark.end() - start > self._longest:
                raise InvalidRequest(f"the value at byte {start} is too large or nested too deep")
            if mark[0] in _OPENING:
                depth += 1
            elif mark[0][:1] != b'"':
                depth -= 1
                if not depth:
                    self._at = mark.end()
                    return self._body[start : self._at]
        raise self._broken()

    def _take(self, pattern: re.Pattern[bytes]) -> bytes:
        self._skip_blanks()
        found = pattern.match(self._body, self._at)
        if found is None:
            raise self._broken()
        self._at = found.end()
        return found[0]

    def _expect(self, mark: bytes) -> None:
        if not self._passes(mark):
            raise self._broken()

    def _passes(self, mark: bytes) -> bool:
        self._skip_blanks()
        if not self._body.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def _skip_blanks(self) -> None:
        found = _BLANKS.match(self._body, self._at)
        self._at = found.end() if found else self._at

    def _broken(self) -> InvalidRequest:
        return InvalidRequest(f"the file is not an export of conversations, at byte {self._at}")


def _join(fields: list[bytes]) -> bytes:
    return b"{" + b",".join(fields) + b"}"
