"""Fold Polish text to plain lower-case letters, so that words typed without diacritics compare."""

import unicodedata

_UNDECOMPOSED = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe"})


def fold(text: str) -> str:
    """Return ``text`` in lower case without diacritics ("Łódź" → "lodz"); nothing else changes."""
    decomposed = unicodedata.normalize("NFD", text.lower())
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return plain.translate(_UNDECOMPOSED)
