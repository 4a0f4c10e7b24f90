"""Readings of a word as it was typed, with or without its diacritics."""

from functools import lru_cache
from itertools import islice

from chatbot.language.folding import fold
from chatbot.language.morphology import Reading, morphology
from chatbot.language.restoration import accented
from chatbot.router.detector.spans import Span

_MOST_VARIANTS = 48


@lru_cache(maxsize=8_192)
def readings_of(word: str) -> tuple[Reading, ...]:
    """Return the readings of a word, or of the first known word it may be with its diacritics."""
    found = morphology().readings(word)
    is_only_name = word.islower() and all(one.lemma[:1].isupper() for one in found)
    if found and not is_only_name:
        return found
    variants = map(morphology().readings, islice(accented(word), _MOST_VARIANTS))
    if found:  # "dostal" and "zubrach" are surnames, but "dostał" and "żubrach" were meant
        return next((one for one in variants if _is_everyday(one, found)), found)
    return next((readings for readings in variants if readings), ())


def labels_of(word: Span) -> frozenset[str]:
    """Return what the dictionary labels a word with; a common word only by its own letters."""
    return frozenset(
        label
        for reading in morphology().readings(word.text)
        for label in reading.labels
        if label != "nazwa_pospolita" or fold(reading.lemma) == reading.lemma.lower()
    )


@lru_cache(maxsize=4_096)
def restored(word: str) -> str:
    """Return the first known word that a word without its diacritics may be; else the word."""
    found = morphology().readings(word)
    variants = list(islice(accented(word), 2 * _MOST_VARIANTS))
    if found:
        is_name = word.islower() and all(one.lemma[:1].isupper() for one in found)
        meant = (one for one in variants if _is_everyday(morphology().readings(one), found))
        return next(meant, word) if is_name else word
    return next((one for one in variants if morphology().is_known(one)), word)


def _is_everyday(readings: tuple[Reading, ...], instead: tuple[Reading, ...]) -> bool:
    """Whether a common word or verb is likelier than the surname that it would be unaccented."""
    is_surname = all("nazwisko" in one.labels for one in instead)
    return is_surname and any(
        one.lemma[:1].islower() and (one.pos == "praet" or "nazwa_pospolita" in one.labels)
        for one in readings
    )
