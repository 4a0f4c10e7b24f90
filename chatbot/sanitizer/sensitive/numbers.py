"""Numbers written in groups: digits, and what people put between them."""

import re
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from chatbot.sanitizer.sensitive.detector import Matches
from chatbot.sanitizer.sensitive.found import NO_MATCHES, MatchesBefore
from chatbot.sanitizer.sensitive.pattern import PatternDetector

SEPARATOR = "[ \u00a0\u00ad\u2007\u2009-\u2015\u202f\u2060\u2212\ufeff\u200b-\u200d-]"
"""One character that people, typesetting or models put between digits: a space, dash or joiner."""


LONG_CHARS: Final = 128
"""A text of more is read as arrays, where each candidate costs nanoseconds."""


class Scan(Protocol):
    """Finds the numbers of one kind in a whole text by arrays; as `NumberDetector` by patterns."""

    def __call__(self, text: str, /) -> Matches:
        """All of them."""
        ...


class NumberDetector(PatternDetector):
    """Finds numbers that have one of several lengths and pass a check."""

    def __init__(
        self,
        *,
        candidate: str,
        beginning: str,
        trigger: str,
        longest: int,
        lengths: Callable[[str], Sequence[int]],
        accepts: Callable[[str], bool],
        scan: Scan,
        is_inner: Callable[[str], bool] = str.isdecimal,
    ) -> None:
        """``accepts`` judges a candidate of one of the ``lengths``, longest first.

        A length counts the characters that are ``is_inner``; none of them follows a number.
        ``scan`` finds the same in long texts.
        """
        pattern = re.compile(candidate)
        self._scan = scan
        super().__init__(pattern=pattern, beginning=beginning, trigger=trigger, longest=longest)
        self._lengths = lengths
        self._accepts = accepts
        self._is_inner = is_inner

    def matches(self, text: str, *, start: int, before: int) -> Matches:
        """The numbers, wherever one begins."""
        if len(text) <= LONG_CHARS:
            return super().matches(text, start=start, before=before)
        if self._pattern.search(text, start) is None:
            return NO_MATCHES
        return MatchesBefore(self._scan(text), before)

    def _end(self, found: re.Match[str]) -> int | None:
        return end_of(
            found,
            lengths=self._lengths(found[0]),
            accepts=self._accepts,
            is_inner=self._is_inner,
        )


def end_of(
    found: re.Match[str],
    *,
    lengths: Sequence[int],
    accepts: Callable[[str], bool],
    is_inner: Callable[[str], bool],
) -> int | None:
    """Where the number ends that a candidate begins with, the first of ``lengths`` that is one."""
    text, start = found.string, found.start()
    places = [place for place, char in enumerate(found[0], start) if is_inner(char)]
    for length in lengths:
        if not 0 < length <= len(places):
            continue
        end = places[length - 1] + 1
        if not is_inner(text[end : end + 1]) and accepts(text[start:end]):
            return end
    return None


def digits_of(text: str) -> str:
    """The decimal digits of ``text``, of any script, as ASCII."""
    digits = filter(str.isdecimal, text)
    return "".join(digits if text.isascii() else (str(int(digit)) for digit in digits))


def of_lengths(*lengths: int) -> Callable[[str], Sequence[int]]:
    """The same ``lengths`` for every candidate."""
    return lambda _: lengths
