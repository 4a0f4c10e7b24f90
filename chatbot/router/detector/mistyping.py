"""Mistyped words: one letter wrong, missing, too many, or swapped with its neighbour.

Only words in small letters, or the first, that no dictionary has are mended, and only to forms that
people often write. Names stay as they are: `typos` knows mistyped places, grounding the rest.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from math import log
from operator import itemgetter
from types import MappingProxyType

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from chatbot.language.diacritics import PLAIN, WORD, spellings, with_diacritics
from chatbot.language.english import ENGLISH
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.speech import in_small_letters
from chatbot.router.detector.titles import is_of_name
from chatbot.router.detector.typos import mistyped_place

_SHORTEST, _LONGEST = 4, 24
_SHORTEST_NAME = 5  # so short, only swapped letters are put right: "Breda" is no "będą"
_LONGEST_CUT = 5  # letters of a word cut short: "niedz."
OFTEN = 4
"""Times that a form is written which a mistyped word may stand for."""

_WORD = regex(rf"(?<![-–’'.]){WORD.pattern}(?![-–’']|\.[ ,]*[^\W\d_])")
_QUOTED = regex(r"[„\"«“`$][^„\"«“`$]*[”\"»“`$]|\n.*", re.DOTALL)
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_KEYS: Mapping[str, str] = MappingProxyType({
    letter: row[max(at - 1, 0) : at + 2] for row in ROWS for at, letter in enumerate(row)
})
_SLIP = 2.0
"""How much likelier swapped letters or the key beside are than another letter, as a logarithm."""

_LETTER = 1.0
"""The same for a letter that is missing or one too many."""

_FIRST = -3.0
"""How much likelier the first letter is right."""


def as_meant(text: str) -> str:
    """Return what was typed in capitals, without diacritics or with slips as it was meant."""
    if in_small_letters(text) == text:
        return without_slips(with_diacritics(text))
    meant = without_slips(with_diacritics(text.lower())).upper()
    return in_small_letters(unicodedata.normalize("NFC", meant))  # "İ" went through two letters


@lru_cache(maxsize=64)
def without_slips(text: str) -> str:
    """Return ``text`` with mistyped words as they were meant; what is quoted or pasted stays."""
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    first = len(text) - len(text.lstrip())
    pieces: list[str] = []
    end = 0
    for found in _WORD.finditer(text):
        is_first = found.start() == first
        is_quoted = any(start <= found.start() < stop for start, stop in quoted)
        is_cut = text[found.end() : found.end() + 1] == "." and len(found[0]) <= _LONGEST_CUT
        if not (is_quoted or is_cut) and (found[0].islower() or is_first):
            meant = _meant(found[0].lower(), is_name=found[0][:1].isupper())
            pieces += [text[end : found.start()], _as_typed(meant, found[0])]
            end = found.end()
    return "".join((*pieces, text[end:]))


def _as_typed(meant: str, typed: str) -> str:
    if meant == typed.lower():
        return typed
    return meant.capitalize() if typed[:1].isupper() else meant


@lru_cache(maxsize=8_192)
def _meant(word: str, *, is_name: bool) -> str:
    plain = word.translate(PLAIN)
    if not _SHORTEST <= len(word) <= _LONGEST or _is_word(word, plain):
        return word
    near = extract(plain, _by_length()[len(plain)], scorer=OSA.distance, score_cutoff=1, limit=None)
    is_short = len(plain) <= (_SHORTEST_NAME if is_name else _SHORTEST)
    likely = (form for form, _, _ in near if _may_be(form, plain, is_short=is_short))
    forms = [form for form in likely if _common_form(form)[0]]
    found = max(forms, key=lambda one: _score(one, plain), default=None)
    if found is None or _may_name_place(word, found):
        return word
    return _common_form(found)[0]


def _may_name_place(word: str, form: str) -> bool:
    """Whether a mistyped word is as well a place's: swapped letters of a common form say more."""
    name = mistyped_place(word)
    place = gazetteer().find(name) if name is not None else None
    if place is None or sorted(form) != sorted(word.translate(PLAIN)):
        return place is not None
    forms = (one.lower().translate(PLAIN) for one in place.forms.values())
    return any(sorted(one) == sorted(form) for one in forms)


def _may_be(form: str, typed: str, *, is_short: bool) -> bool:
    """Whether a slip is likely at all: short words have swapped letters, the first is right."""
    is_swapped = sorted(form) == sorted(typed)
    return is_swapped or (not is_short and (form[0] == typed[0] or len(form) != len(typed)))


def _is_word(word: str, plain: str) -> bool:
    return (
        not plain.isascii()
        or spellings().was_written(plain)
        or word in ENGLISH
        or morphology().is_known(word)
        or any(morphology().is_known(one) for one in spellings().variants(plain))
        or is_of_name(word)
        or plain in gazetteer().forms
    )


def _score(form: str, typed: str) -> float:
    return (
        log(_common_form(form)[1]) + _odds(form, typed) + (0.0 if form[0] == typed[0] else _FIRST)
    )


def _odds(form: str, typed: str) -> float:
    """How much likelier it is that one was typed for the other than by any other letter."""
    if len(form) != len(typed):
        return _LETTER
    wrong = [(meant, hit) for meant, hit in zip(form, typed, strict=True) if meant != hit]
    is_slip = len(wrong) > 1 or all(hit in _KEYS.get(meant, "") for meant, hit in wrong)
    return _SLIP if is_slip else 0.0


@lru_cache(maxsize=8_192)
def _common_form(plain: str) -> tuple[str, int]:
    """Return the form of a common word that is written most for a plain one, and how often."""
    common = (one for one in _frequent()[plain] if _is_common(one[0]))
    return max(common, key=itemgetter(1), default=("", 0))


@cache
def _frequent() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Map plain words to their forms that are often written, and how often."""
    found: dict[str, list[tuple[str, int]]] = {}
    for form, count in spellings().forms():
        if len(form) >= _SHORTEST and count >= OFTEN:
            found.setdefault(form.translate(PLAIN), []).append((form, count))
    return MappingProxyType({plain: tuple(forms) for plain, forms in found.items()})


def _is_common(form: str) -> bool:
    return any(one.lemma[:1].islower() for one in morphology().readings(form))


@cache
def _by_length() -> tuple[tuple[str, ...], ...]:
    """For each length of a word the forms that are at most one letter longer or shorter."""
    return tuple(
        tuple(form for form in _frequent() if abs(len(form) - length) <= 1)
        for length in range(_LONGEST + 1)
    )
