"""Readings of a word as it was typed, with or without its diacritics."""

from itertools import islice

from chatbot.language.morphology import Reading, morphology
from chatbot.language.restoration import accented

_MOST_VARIANTS = 48


def readings_of(word: str) -> tuple[Reading, ...]:
    """Return the readings of a word, or of the first known word it may be with its diacritics."""
    found = morphology().readings(word)
    is_only_name = word.islower() and all(one.lemma[:1].isupper() for one in found)
    if found and not is_only_name:
        return found
    variants = [morphology().readings(one) for one in islice(accented(word), _MOST_VARIANTS)]
    if found:  # "dostal" is a surname, but "dostał" was meant
        verbs = (one for one in variants if any(reading.pos == "praet" for reading in one))
        return next(verbs, found)
    return next((readings for readings in variants if readings), ())


def restored(word: str) -> str:
    """Return the first known word that a word without its diacritics may be; else the word."""
    if morphology().is_known(word):
        return word
    variants = islice(accented(word), 2 * _MOST_VARIANTS)
    return next((one for one in variants if morphology().is_known(one)), word)
