"""Fold Polish text to plain lower-case letters, so that words typed without diacritics compare."""

import unicodedata
from functools import lru_cache

_UNDECOMPOSED = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe"})
_WORD = 32  # characters; what is longer is hardly folded twice


def fold(text: str) -> str:
    """Return ``text`` in lower case without diacritics ("Łódź" → "lodz"); nothing else changes."""
    small = text.lower()
    if small.isascii():
        return small
    return _fold_word(small) if len(small) <= _WORD else _fold(small)


def _fold(small: str) -> str:
    decomposed = unicodedata.normalize("NFD", small)
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return plain.translate(_UNDECOMPOSED)


_fold_word = lru_cache(maxsize=16_384)(_fold)
