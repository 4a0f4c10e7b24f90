"""Numbers written in groups: digits, and what people put between them."""

import re
from collections.abc import Callable, Sequence

from chatbot.sanitizer.sensitive.detector import PatternDetector

SEPARATOR = "[ \u00a0\u00ad\u2007\u2009-\u2015\u202f\u2060\u2212\ufeff\u200b-\u200d-]"
"""One character that people, typesetting or models put between digits: a space, dash or joiner."""


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
        is_inner: Callable[[str], bool] = str.isdecimal,
    ) -> None:
        """``accepts`` judges a candidate of one of the ``lengths``, longest first.

        A length counts the characters that are ``is_inner``; none of them follows a number.
        """
        pattern = re.compile(candidate)
        super().__init__(pattern=pattern, beginning=beginning, trigger=trigger, longest=longest)
        self._lengths = lengths
        self._accepts = accepts
        self._is_inner = is_inner

    def _end(self, found: re.Match[str]) -> int | None:
        text, start = found.string, found.start()
        places = [place for place, char in enumerate(found[0], start) if self._is_inner(char)]
        for length in self._lengths(found[0]):
            if not 0 < length <= len(places):
                continue
            end = places[length - 1] + 1
            if not self._is_inner(text[end : end + 1]) and self._accepts(text[start:end]):
                return end
        return None


def digits_of(text: str) -> str:
    """The decimal digits of ``text``, of any script, as ASCII."""
    digits = filter(str.isdecimal, text)
    return "".join(digits if text.isascii() else (str(int(digit)) for digit in digits))


def of_lengths(*lengths: int) -> Callable[[str], Sequence[int]]:
    """The same ``lengths`` for every candidate."""
    return lambda _: lengths
