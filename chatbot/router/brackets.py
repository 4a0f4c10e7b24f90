"""Finds where a bracketed value ends in text that may be cut off or wrong."""

import re
from dataclasses import dataclass

from chatbot.language.patterns import regex

_CLOSING = {"{": "}", "[": "]", "(": ")"}
_MARKS = {quotes: regex(r"\\.|[{}\[\]()" + quotes + "]", re.DOTALL) for quotes in ('"', "\"'")}


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A value from its opening bracket on.

    ``end`` is the index after its closing bracket, or ``None``: then ``missing`` holds the closing
    brackets that would end it (empty inside a string or where ``is_broken``: a bracket that does
    not fit, or too deep).
    """

    end: int | None = None
    missing: str = ""
    is_broken: bool = False


def find_span(text: str, start: int, *, depth: int, quotes: str = '"') -> Span:
    """The span of the value whose opening bracket is ``text[start]``; linear in its length."""
    expected: list[str] = []
    quote = ""
    for found in _MARKS[quotes].finditer(text, start):
        mark = found[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in quotes:
            quote = mark
        elif mark in _CLOSING:
            expected.append(_CLOSING[mark])
            if len(expected) > depth:
                return Span(is_broken=True)
        elif mark[0] != "\\":
            if mark != expected.pop():
                return Span(is_broken=True)
            if not expected:
                return Span(end=found.end())
    return Span(missing="" if quote else "".join(reversed(expected)))
