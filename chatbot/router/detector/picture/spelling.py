"""Mend words of a description that no dictionary has: left out diacritics, swapped letters."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, islice, product

from chatbot.language.diacritics import ACCENTS, spellings
from chatbot.language.english import ENGLISH
from chatbot.language.frequent import FREQUENT
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import restored
from chatbot.router.detector.transpositions import unswapped

_WORD = regex(r"[^\W\d_]+")
_SHORTEST = 5
_ENDS = frozenset("ąę")
_MOST_ACCENTS = 2
_MOST_TRIES = 40


def mend_words(text: str, *, typed: str | None = None) -> str:
    """Write words that no dictionary has as they were meant, where that can be told.

    The preposition before a word says in which case it stands: "z wiezy" is "z wieży". Where
    diacritics were typed, an ending alone is only changed to that of a frequent word.

    Args:
        text: The description.
        typed: What of it was typed at last, if it is not all of it.
    """
    is_plain = (text if typed is None else typed).isascii()
    accented = spellings().restore(text)
    mended = ""
    end = 0
    for found in _WORD.finditer(text):
        word, meant = found[0], accented[found.start() : found.end()]
        if len(word) >= _SHORTEST and _is_unknown(word):
            word = _meant(word, meant, is_plain=is_plain)
        elif word.istitle() and not morphology().is_known(word):
            word = _place(word)
        mended += text[end : found.start()] + word
        end = found.end()
    return mended + text[end:]


def _is_unknown(word: str) -> bool:
    """Whether a word in small letters is in no dictionary."""
    return word.islower() and word not in ENGLISH and not morphology().is_known(word)


def _place(word: str) -> str:
    """The name of a place that lacks its diacritics: "nad Gdanskiem"; any other stays."""
    meant = restored(word)
    is_place = any("nazwa_geograficzna" in one.labels for one in morphology().readings(meant))
    return meant if is_place else word


@lru_cache(maxsize=8_192)
def _meant(word: str, accented: str, *, is_plain: bool) -> str:
    found = accented if accented != word else next(_accented(word), word)
    is_ending = found[:-1] == word[:-1] and found[-1:] in _ENDS
    if is_ending and not is_plain and not _is_frequent(found):
        return word
    return found if found != word else unswapped(word)


def _accented(word: str) -> Iterator[str]:
    """Give the words that the dictionary has with a few more diacritics."""
    places = [at for at, letter in enumerate(word) if letter in ACCENTS]
    options = (
        (chosen, accents)
        for count in range(1, _MOST_ACCENTS + 1)
        for chosen in combinations(places, count)
        for accents in product(*(ACCENTS[word[at]][1:] for at in chosen))
    )
    for chosen, accents in islice(options, _MOST_TRIES):
        letters = list(word)
        for at, accent in zip(chosen, accents, strict=True):
            letters[at] = accent
        if morphology().is_known(found := "".join(letters)):
            yield found


def _is_frequent(word: str) -> bool:
    return any(one.lemma in FREQUENT for one in morphology().readings(word))
