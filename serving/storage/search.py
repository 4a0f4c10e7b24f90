"""Search without diacritics and in every inflected form, by portable SQL."""

import re
from collections.abc import Iterable, Iterator, Set as AbstractSet
from itertools import groupby
from os.path import commonprefix
from typing import Final

from sqlalchemy import ColumnElement, exists, or_

from chatbot.language import fold, inflections
from serving.storage.records import StoredPart
from serving.storage.tables import CONVERSATIONS, SEARCH_TEXTS

_WORD: Final = re.compile(r"[^\W_]+")
_WHOLE: Final = re.compile(r"[^\W_]{2,}")
_STEM_CHARS: Final = 4
"""Shortest beginning that stands for all forms of a word."""
_ENDING_CHARS: Final = 4
"""Longest ending that the shortest beginning leaves out."""
_LONGER_ENDING_CHARS: Final = 6
"""Longest ending that a longer beginning leaves out."""
_EXPANDED: Final = 8
"""Words of one query that are looked for in all their forms; further ones as they are."""


def fold_words(text: str) -> str:
    """The words of ``text``, folded, each between single spaces, so that LIKE finds whole words."""
    words = _WORD.findall(fold(text))
    return f" {' '.join(words)} " if words else ""


def searched_text(parts: tuple[StoredPart, ...]) -> str:
    """What a search finds of a message: the words of its text, without its reasoning."""
    texts = (part["text"] for part in parts if part.get("type") == "text" and _is_shown(part))
    return fold_words(" ".join(text for text in texts if isinstance(text, str)))


def find_words(query: str) -> tuple[tuple[str, ...], ...]:
    """For each word of ``query`` the pieces of folded text of which one must occur.

    It may block for a third of a second, while the dictionary loads. A word also stands for
    longer ones that begin with it, because it may not be typed to its end yet. What is soon
    looked for and rare comes first: what lacks one word needs no further look.
    """
    words = sorted(dict.fromkeys(_WORD.findall(query)), key=len, reverse=True)
    found = (
        _pieces(word) if number < _EXPANDED else _typed(word) for number, word in enumerate(words)
    )
    return tuple(sorted(found, key=len))


def matches(words: tuple[tuple[str, ...], ...]) -> tuple[ColumnElement[bool], ...]:
    """Conditions on conversations: each word occurs in the title or in one of the messages."""
    return tuple(_occurs(pieces) for pieces in words if pieces)


def _occurs(pieces: tuple[str, ...]) -> ColumnElement[bool]:
    texts = SEARCH_TEXTS.c
    found = exists().where(
        texts.conversation_id == CONVERSATIONS.c.conversation_id,
        or_(*(texts.words.contains(piece, autoescape=True) for piece in pieces)),
    )
    titles = (CONVERSATIONS.c.folded_title.contains(piece, autoescape=True) for piece in pieces)
    return or_(*titles, found)


def _is_shown(part: StoredPart) -> bool:
    return part.get("channel", "answer") == "answer"


def _typed(word: str) -> tuple[str, ...]:
    return tuple(f" {one}" for one in _WORD.findall(fold(word)))


def _pieces(word: str) -> tuple[str, ...]:
    """Beginnings of words and whole words, none covered by another."""
    pieces = {*_typed(word)}
    for forms in inflections(word):
        folded = {fold(form) for form in forms}
        pieces.update(_forms_as_pieces(form for form in folded if _WHOLE.fullmatch(form)))
    return tuple(sorted(_uncovered(pieces)))


def _forms_as_pieces(forms: Iterable[str], chars: int = _STEM_CHARS) -> Iterator[str]:
    """Beginnings that stand for all forms (``" warszaw"``), and whole words too short for one.

    Forms that begin with the same ``chars`` letters are looked at together.
    """
    for _, group in groupby(sorted(forms), key=lambda form: form[:chars]):
        alike = tuple(group)
        stem = commonprefix(alike)  # noqa: RUF071 (letter by letter is what is wanted)
        if _is_telling(stem, alike):
            yield f" {stem}"
        elif len(alike) == 1:
            yield f" {stem} "
        else:
            yield from _forms_as_pieces(alike, len(stem) + 1)


def _is_telling(stem: str, forms: Iterable[str]) -> bool:
    """Whether little else than ``forms`` begins with ``stem``."""
    ending = max(map(len, forms)) - len(stem)
    longest = _ENDING_CHARS if len(stem) == _STEM_CHARS else _LONGER_ENDING_CHARS
    return len(stem) >= _STEM_CHARS and ending <= longest


def _uncovered(pieces: AbstractSet[str]) -> Iterator[str]:
    return (one for one in pieces if not any(other in one for other in pieces if other != one))
