"""Reads from the beginning of a call which function it names, as soon as that is certain."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NoReturn

from chatbot.dialects import Grammar
from chatbot.language.patterns import regex
from chatbot.router.brackets import find_span


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """``open``: more text is needed; ``named``: a call of ``name``; ``hopeless``: no call.

    While it is open, ``name`` is the beginning of the name as far as it has come.
    """

    state: Literal["open", "named", "hopeless"]
    name: str = ""
    grammar: Grammar = "json"


OPEN = Head(state="open")
HOPELESS = Head(state="hopeless")

_SPACE = regex(r"\s*")
_WORD = regex(r"[A-Za-z_][\w-]*", re.ASCII)
_STRING = regex(r'"((?:[^"\\]|\\.)*)("?)', re.DOTALL)
_KEYS = ("name", "function", "type", "id", "parameters", "arguments")
_METHOD = ".call("
_AFTER_NAME = ("{", "[ARGS]", "[CALL_ID]", ">")
_DEPTH = 64


def read_head(
    text: str, *, grammars: Collection[Grammar], only: Collection[str] | None = None
) -> Head:
    """What the text of one call, which begins at ``text[0]``, says of the function's name.

    With ``only``, a call of any other function is hopeless, and so is the beginning of a name that
    none of them has. The answer for a text never contradicts the one for its beginning.
    """
    if not text:
        return OPEN
    if text[0] == "{":
        return _Scanner(text, only).read()
    return _read_word(text, grammars, only)


def _read_word(text: str, grammars: Collection[Grammar], only: Collection[str] | None) -> Head:
    found = _WORD.match(text)
    if found is None:
        return HOPELESS
    name, rest = found[0], text[found.end() :].lstrip()
    if not rest:
        is_finished = found.end() < len(text)
        return OPEN if _is_possible(name, only, is_finished=is_finished) else HOPELESS
    if not _is_possible(name, only, is_finished=True):
        return HOPELESS
    if "python" in grammars and (rest[0] == "(" or rest.startswith(_METHOD)):
        return Head(state="named", name=name, grammar="python")
    if "named" in grammars and rest.startswith(_AFTER_NAME):
        return Head(state="named", name=name, grammar="named")
    waits = any(mark.startswith(rest) for mark in (_METHOD, *_AFTER_NAME))
    return OPEN if waits else HOPELESS


def _is_possible(name: str, only: Collection[str] | None, *, is_finished: bool) -> bool:
    if only is None or name in only:
        return True
    return not is_finished and any(other.startswith(name) for other in only)


class _Settled(Exception):
    """The scan came to an answer."""

    def __init__(self, head: Head) -> None:
        super().__init__()
        self.head = head


class _Scanner:
    """Walks over one JSON object that may still be growing."""

    def __init__(self, text: str, only: Collection[str] | None) -> None:
        self._text = text
        self._only = only
        self._at = 0

    def read(self) -> Head:
        try:
            self._object()
        except _Settled as settled:
            return settled.head
        return HOPELESS

    def _object(self) -> None:
        self._expect("{")
        while True:
            self._member()
            if self._peek() != ",":
                self._expect("}")
                return
            self._at += 1

    def _member(self) -> None:
        key = self._string(_KEYS)
        self._expect(":")
        following = self._peek()
        if key == "name" or (key == "function" and following != "{"):
            name = self._string(self._only, is_name=True)
            raise _Settled(Head(state="named", name=name))
        if key == "function":
            self._object()
        elif key == "type":
            self._string(("function",))
        else:
            self._skip(following)

    def _skip(self, following: str) -> None:
        if following == '"':
            self._string(None)
        elif following in "{[":
            span = find_span(self._text, self._at, depth=_DEPTH)
            if span.end is None:
                raise _Settled(HOPELESS if span.is_broken else OPEN)
            self._at = span.end
        elif self._text.startswith("null", self._at):
            self._at += len("null")
        elif "null".startswith(self._text[self._at :]):
            raise _Settled(OPEN)
        else:
            self._fail()

    def _string(self, only: Collection[str] | None, *, is_name: bool = False) -> str:
        """Read a string, of which only the values ``only`` are possible."""
        if self._peek() != '"':
            self._fail()
        found = _STRING.match(self._text, self._at)
        if found is None:
            self._fail()
        value, is_finished = found[1], bool(found[2])
        if not _is_possible(value, only, is_finished=is_finished):
            self._fail()
        if not is_finished:
            raise _Settled(Head(state="open", name=value) if is_name else OPEN)
        self._at = found.end()
        return value

    def _expect(self, char: str) -> None:
        if self._peek() != char:
            self._fail()
        self._at += 1

    def _peek(self) -> str:
        """The next character that is no space; the end of the text leaves the answer open."""
        if self._at < len(self._text) and not (char := self._text[self._at]).isspace():
            return char
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        if self._at >= len(self._text):
            raise _Settled(OPEN)
        return self._text[self._at]

    def _fail(self) -> NoReturn:
        raise _Settled(HOPELESS)
