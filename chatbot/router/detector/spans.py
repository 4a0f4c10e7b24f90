"""Words of a prompt with their places in it, and its text folded letter by letter."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chatbot.language.folding import fold
from chatbot.language.patterns import regex

_WORD = regex(r"[^\W\d_]+(?:[-–’'][^\W\d_]+)*|\d+|[^\s\w]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """One word or mark of a prompt: as written, folded, and where it stands."""

    text: str
    folded: str
    start: int
    end: int

    @property
    def is_capitalised(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[:1].isupper()


def compose(prompt: str) -> str:
    """Return the prompt in composed letters, white space as single spaces."""
    return " ".join(unicodedata.normalize("NFC", prompt).split())


def fold_evenly(text: str) -> str:
    """Fold without changing the length, so that places in it are places in ``text``."""
    return text.lower() if text.isascii() else _fold_letters(text)


@lru_cache(maxsize=256)  # one decision folds the same texts many times
def _fold_letters(text: str) -> str:
    return "".join(map(_fold_letter, text))


@lru_cache(maxsize=4_096)
def _fold_letter(letter: str) -> str:
    plain = fold(letter)
    return plain if len(plain) == 1 else letter


@lru_cache(maxsize=64)
def split_words(text: str) -> tuple[Span, ...]:
    """Return words (hyphenated names whole), numbers and marks, in order."""
    return tuple(
        Span(text=found[0], folded=fold(found[0]), start=found.start(), end=found.end())
        for found in _WORD.finditer(text)
    )


def joined(text: str, spans: Sequence[Span]) -> str:
    """Return the text from the first to the last of neighbouring spans."""
    return text[spans[0].start : spans[-1].end]
