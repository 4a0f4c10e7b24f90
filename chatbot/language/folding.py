"""Fold Polish text to plain lower-case letters, so that words typed without diacritics compare."""

import unicodedata
from functools import lru_cache

_UNDECOMPOSED = {"ł": "l", "đ": "d", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe"}
_WORD = 32  # characters; what is longer is hardly folded twice
_KEPT = 4_096
"""Letters that are remembered: more than all scripts of Europe have."""


def fold(text: str) -> str:
    """Return ``text`` in lower case without diacritics ("Łódź" → "lodz"); nothing else changes."""
    small = text.lower()
    if small.isascii():
        return small
    return _fold_word(small) if len(small) <= _WORD else small.translate(_LETTERS)


class _Letters(dict[int, str]):
    """What each letter is folded to, found when it is met first."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFD", chr(code))
        plain = "".join(one for one in decomposed if not unicodedata.combining(one))
        folded = _UNDECOMPOSED.get(plain, plain)
        if len(self) < _KEPT:
            self[code] = folded
        return folded


_LETTERS = _Letters()


@lru_cache(maxsize=16_384)
def _fold_word(small: str) -> str:
    return small.translate(_LETTERS)
