"""Matches in one text: looked for as they are asked for, or all known at once."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final

from chatbot.sanitizer.sensitive.detector import Matches, Span


class PatternMatches:
    """What a pattern matches; ``end`` tells where a match ends, if it is one."""

    def __init__(
        self,
        pattern: re.Pattern[str],
        text: str,
        *,
        before: int,
        end: Callable[[re.Match[str]], int | None],
    ) -> None:
        """Nothing is searched yet."""
        self._pattern = pattern
        self._text = text
        self._before = before
        self._end = end
        self._known: Span | None = None
        self._is_over = False

    def first(self, start: int) -> Span | None:
        """The first match that begins at ``start`` or later."""
        if self._known is not None and self._known.start >= start:
            return self._known
        self._known = None if self._is_over else self._search(start)
        self._is_over = self._known is None
        return self._known

    def _search(self, start: int) -> Span | None:
        while (found := self._pattern.search(self._text, start)) and found.start() < self._before:
            if (end := self._end(found)) is not None:
                return Span(start=found.start(), end=end)
            start = found.start() + 1
        return None


class KnownMatches:
    """Matches that begin at ``starts``, in their order, and end at ``ends``."""

    def __init__(self, starts: Sequence[int], ends: Sequence[int]) -> None:
        """Both are as long."""
        self._starts = starts
        self._ends = ends
        self._number = 0

    def first(self, start: int) -> Span | None:
        """The first match that begins at ``start`` or later."""
        self._number = bisect_left(self._starts, start, lo=self._number)
        if self._number == len(self._starts):
            return None
        return Span(start=self._starts[self._number], end=self._ends[self._number])


class MatchesBefore:
    """Those of another that begin before a place."""

    def __init__(self, matches: Matches, before: int) -> None:
        """``before`` is the place."""
        self._matches = matches
        self._before = before

    def first(self, start: int) -> Span | None:
        """The first match that begins at ``start`` or later."""
        span = self._matches.first(start)
        return span if span is not None and span.start < self._before else None


class EitherMatches:
    """Those of two; none of them begin at one place."""

    def __init__(self, one: Matches, other: Matches) -> None:
        """Both are of one text."""
        self._one = one
        self._other = other

    def first(self, start: int) -> Span | None:
        """The first match that begins at ``start`` or later."""
        one, other = self._one.first(start), self._other.first(start)
        if one is None or other is None:
            return one or other
        return one if one.start < other.start else other


NO_MATCHES: Final = KnownMatches((), ())
