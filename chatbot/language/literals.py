"""Patterns that are only searched for in a text that holds letters without which none fits.

That saves the detector a tenth of its time, a sixth on mathematics. The letters are read off the
tree of Python's own parser. It is private, because its public name, `sre_parse`, is deprecated,
and yet the best there is: RE2's filter knows no lookbehind, a reader of patterns of our own would
be a second grammar, and letters declared beside every pattern would change results once they are
out of date. Parts that are not known here need no letters, so that another Python's tree costs
time and no result.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import groupby
from typing import Any

from chatbot.language.patterns import regex

_parser: Any = import_module("re._parser")
_MOST = 64  # more alternatives cost as much as the search
_LONG_ENOUGH = 4


class Guarded:
    """A pattern; it takes texts in the letters' case that it is written in.

    ``letters``: strings of which a text that it fits holds one; none where that is unknown.
    """

    __slots__ = ("_pattern", "letters")

    def __init__(self, pattern: str) -> None:
        """Find what every text that the pattern fits must hold; the first such one compiles it.

        Raises:
            re.error: it is no pattern.
        """
        self._pattern = regex(pattern)
        self.letters = needed(pattern)

    def may_fit(self, text: str) -> bool:
        """Whether the text holds one of the needed letters; cheap."""
        for one in self.letters:  # any() takes three times as long
            if one in text:
                return True
        return not self.letters

    def search(self, text: str) -> re.Match[str] | None:
        """As of a compiled pattern."""
        return self._pattern.search(text) if self.may_fit(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As of a compiled pattern."""
        return self._pattern.finditer(text) if self.may_fit(text) else iter(())

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As of a compiled pattern."""
        return self._pattern.fullmatch(text) if self.may_fit(text) else None

    def sub(self, written: str | Callable[[re.Match[str]], str], text: str) -> str:
        """As of a compiled pattern."""
        return self._pattern.sub(written, text) if self.may_fit(text) else text


def any_of(patterns: Sequence[Guarded], *, other: str | None = None) -> re.Pattern[str]:
    """Return what is found in every text that one of ``patterns`` may fit: one search for all.

    Args:
        patterns: Guarded ones, of which a short text mostly fits none.
        other: A pattern that is found wherever those fit that need no letters.

    Raises:
        ValueError: there are such, and no ``other``.
    """
    if other is None and not all(one.letters for one in patterns):
        raise ValueError("patterns that need no letters: say what else they need")
    letters = sorted({each for one in patterns for each in one.letters})
    by_first = groupby(letters, key=lambda each: each[0])
    branches = [
        f"{re.escape(first)}(?:{'|'.join(re.escape(each[1:]) for each in group)})"
        for first, group in by_first
    ]
    return regex("|".join(branches if other is None else [*branches, other]))


def needed(pattern: str) -> tuple[str, ...]:
    """Return strings of which any text that the pattern fits holds one; none if that is unknown."""
    return tuple(sorted(_best(_of_all(_parser.parse(pattern))), key=len))


def _best(found: Iterable[frozenset[str]]) -> frozenset[str]:
    """The choice that says most: of the longest strings, then of the fewest."""
    usable = [each for each in found if 0 < len(each) <= _MOST and all(map(_tells, each))]
    return max(usable, key=_weight, default=frozenset())


def _weight(each: frozenset[str]) -> tuple[int, int]:
    return min(_LONG_ENOUGH, *map(len, each), _LONG_ENOUGH), -len(each)


def _tells(literal: str) -> bool:
    return len(literal) > 1 or not (literal.isalnum() or literal.isspace())


def _of_all(parts: Iterable[tuple[Any, Any]]) -> Iterator[frozenset[str]]:
    """Give what each part of a sequence needs; letters side by side are one string."""
    run = ""
    for kind, value in parts:
        if str(kind) == "LITERAL":
            run += chr(value)
            continue
        if run:
            yield frozenset({run})
        run = ""
        yield _of_part((kind, value))
    if run:
        yield frozenset({run})


def _of_part(part: tuple[Any, Any]) -> frozenset[str]:
    kind, value = part
    match str(kind):
        case "SUBPATTERN":
            return _best(_of_all(value[-1]))
        case "BRANCH":
            return _of_any(value[1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT" if value[0] > 0:
            return _best(_of_all(value[2]))
        case "ASSERT":
            return _best(_of_all(value[1]))
        case "ATOMIC_GROUP":
            return _best(_of_all(value))
        case _:
            return frozenset()


def _of_any(branches: Sequence[Any]) -> frozenset[str]:
    """What one of the branches needs; nothing if there is one that needs nothing."""
    each = [_best(_of_all(branch)) for branch in branches]
    return frozenset().union(*each) if all(each) else frozenset()
