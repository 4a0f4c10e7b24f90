"""Mend words of a description that no dictionary has: left out diacritics, swapped letters."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice, product
from types import MappingProxyType

from chatbot.language.english import ENGLISH
from chatbot.language.folding import fold
from chatbot.language.frequent import FREQUENT
from chatbot.language.morphology import morphology
from chatbot.language.restoration import accented, restore
from chatbot.router.detector.transpositions import unswapped

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 5
_ACCENTS = {"a": "ą", "c": "ć", "e": "ę", "l": "ł", "n": "ń", "o": "ó", "s": "ś", "z": "żź"}
_ENDS = frozenset("ąę")
_MOST_ACCENTS = 2
_MOST_TRIES = 40
_MOST_VARIANTS = 96
_CASES: Mapping[str, frozenset[str]] = MappingProxyType({
    preposition: frozenset(cases.split())
    for prepositions, cases in (
        ("do od dla bez u obok wokol", "gen"),
        ("z ze", "gen inst"),
        ("w we na o po", "loc acc"),
        ("przy", "loc"),
        ("nad pod przed za", "inst acc"),
    )
    for preposition in prepositions.split()
})


def mend_words(text: str, *, typed: str | None = None) -> str:
    """Write words that no dictionary has as they were meant, where that can be told.

    The preposition before a word says in which case it stands: "z wiezy" is "z wieży". Where
    diacritics were typed, an ending alone is only changed to that of a frequent word.

    Args:
        text: The description.
        typed: What of it was typed at last, if it is not all of it.
    """
    is_plain = (text if typed is None else typed).isascii()
    before = ""
    mended = ""
    end = 0
    for found in _WORD.finditer(text):
        word = found[0]
        if len(word) >= _SHORTEST:
            word = _meant(word, before, is_plain=is_plain)
        mended += text[end : found.start()] + word
        before, end = fold(found[0]), found.end()
    return mended + text[end:]


@lru_cache(maxsize=8_192)
def _meant(word: str, before: str, *, is_plain: bool) -> str:
    if not word.islower() or word in ENGLISH or morphology().is_known(word):
        return word
    if word.startswith("ktor"):
        return f"któr{word[4:]}"
    tries = _restored(word, before) if word.isascii() else _accented(word)
    found = next((one for one in tries if one != word), word)
    is_ending = found[:-1] == word[:-1] and found[-1:] in _ENDS
    if is_ending and not is_plain and not _is_frequent(found):
        return word
    return found if found != word else unswapped(word)


def _restored(word: str, before: str) -> Iterator[str]:
    if cases := _CASES.get(before):
        variants = islice(accented(word), _MOST_VARIANTS)
        fitting = [
            variant
            for variant in variants
            if any(cases & one.cases for one in morphology().readings(variant))
        ]
        yield from sorted(fitting, key=_is_frequent, reverse=True)
    yield restore(morphology(), word, kind=None, may_end=True)
    yield from _accented(word)


def _accented(word: str) -> Iterator[str]:
    """Give the words that the dictionary has with a few more diacritics."""
    places = [at for at, letter in enumerate(word) if letter in _ACCENTS]
    options = (
        (chosen, accents)
        for count in range(1, _MOST_ACCENTS + 1)
        for chosen in combinations(places, count)
        for accents in product(*(_ACCENTS[word[at]] for at in chosen))
    )
    for chosen, accents in islice(options, _MOST_TRIES):
        letters = list(word)
        for at, accent in zip(chosen, accents, strict=True):
            letters[at] = accent
        if morphology().is_known(found := "".join(letters)):
            yield found


def _is_frequent(word: str) -> bool:
    return any(one.lemma in FREQUENT for one in morphology().readings(word))
