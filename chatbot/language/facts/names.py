"""Finds the proper names of a text, and tells whether another text has them in any form."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rapidfuzz.distance import Prefix

from chatbot.language.facts.tokens import Token
from chatbot.language.folding import fold
from chatbot.language.morphology import Reading, morphology
from chatbot.language.places import gazetteer
from chatbot.language.vocabulary import PROPER

_COURTEOUS = frozenset({"pan", "pani", "państwo", "twój", "wasz"})
_UNITS = frozenset({"c", "pa", "w"})
_STEM = 4
_ENDING = 3


def read_names(tokens: Sequence[Token], *, taken: frozenset[int]) -> Iterator[int]:
    """Where the words stand that are names; ``taken`` are the places of numbers and units."""
    for at, token in enumerate(tokens):
        if at in taken or not token.is_capitalised:
            continue
        if _is_name_at_start(token.text) if token.opens else _is_name(token.text):
            yield at


def _is_name(word: str) -> bool:
    """Whether a word with a capital inside a sentence is more than courtesy ("Pan", "Ciebie")."""
    readings = morphology().readings(word)
    if word.lower() in _UNITS:
        return False
    return not any(one.pos.startswith("ppron") or one.lemma in _COURTEOUS for one in readings)


def _is_name_at_start(word: str) -> bool:
    """Whether a word that has its capital from its place can only be a name, or is a town."""
    if len(word) > 1 and word.isupper():
        return True
    common = [one for one in morphology().readings(word) if not one.labels & PROPER]
    if not common:
        return True
    is_town = any(one.form == word for one in gazetteer().sightings(word))
    return is_town and all(one.pos == "subst" for one in common)


class KnownWords:
    """The words of a text, by all their base forms."""

    def __init__(self, words: Iterable[str]) -> None:
        """Index ``words``."""
        self._keys: set[str] = set()
        self._by_stem: dict[str, set[str]] = {}
        for word in dict.fromkeys(words):
            self._keys |= _keys(word)
            self._by_stem.setdefault(fold(word)[:_STEM], set()).add(word)

    def has(self, word: str) -> bool:
        """Whether ``word`` is there in some form; foreign words may differ in their endings."""
        if _keys(word) & self._keys:
            return True
        folded = fold(word)
        near = self._by_stem.get(folded[:_STEM], ())
        return len(folded) >= _STEM and any(_is_same(word, known) for known in near)


def _is_same(one: str, other: str) -> bool:
    """Whether two words, one of them in no dictionary, differ in their last letters only."""
    if _readings(one) and _readings(other):
        return False
    longest = max(len(one), len(other))
    shared = Prefix.similarity(fold(one), fold(other))
    return shared >= _STEM and longest - shared <= _ENDING


@lru_cache(maxsize=8_192)
def _keys(word: str) -> frozenset[str]:
    return frozenset({fold(word), *(fold(one.lemma) for one in _readings(word))})


def _readings(word: str) -> tuple[Reading, ...]:
    return morphology().readings(word)
