"""Put diacritics back into words that were typed without them."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from chatbot.language.diacritics import ACCENTS
from chatbot.language.folding import fold
from chatbot.language.frequent import FREQUENT
from chatbot.language.morphology import Morphology
from chatbot.language.vocabulary import COMMON, GEOGRAPHIC, PERSONAL, PROPER
from chatbot.types import NameKind

_SHORTEST = 4
_SHORTEST_NOUN = 5
_MOST_CHANGES = 3
_MOST_TRIES = 96


def restore(
    words: Morphology, word: str, *, kind: NameKind | None, may_end: bool, is_part: bool = False
) -> str:
    """Return the known word that an unknown one without diacritics stands for, if there is one.

    Fewer changes are tried first; of common words a frequent one is preferred. ``may_end`` allows
    to change the last letter into ą or ę, which only makes sense for an inflected word. A word
    that ``is_part`` of a phrase may be an adjective or a common noun even with a capital letter.
    """
    if len(word) < _SHORTEST or not word.isalpha() or words.is_known(word):
        return word
    if fold(word) != word.lower():
        return word
    variants = tuple(islice(accented(word, may_end=may_end), _MOST_TRIES))
    found = _first(words, variants, _wanted(word, kind))
    if found is None and is_part and kind != "person":
        found = _first(words, variants, COMMON, or_adjective=True)
        if found is not None and word[:1].isupper() and _is_doubtful(words, found):
            return word
    return found or word


def _is_doubtful(words: Morphology, found: str) -> bool:
    """Whether a foreign name may be meant: "General", "Arsenal", "Snow" are no Polish nouns."""
    readings = words.readings(found)
    if any(reading.is_adjectival for reading in readings):
        return False
    is_base = any("nom" in one.cases and "sg" in one.numbers for one in readings)
    return is_base or len(found) < _SHORTEST_NOUN


def _first(
    words: Morphology,
    variants: Sequence[str],
    wanted: frozenset[str],
    *,
    or_adjective: bool = False,
) -> str | None:
    """Return the first known variant; if common nouns are wanted, rather one that is frequent."""
    is_open = bool(wanted & COMMON)
    found: str | None = None
    for variant in variants:
        fitting = [
            one
            for one in words.readings(variant)
            if one.labels & wanted or (or_adjective and one.is_adjectival)
        ]
        if fitting and (not is_open or any(one.lemma in FREQUENT for one in fitting)):
            return variant
        if fitting and found is None:
            found = variant
    return found


def _wanted(word: str, kind: NameKind | None) -> frozenset[str]:
    match kind:
        case "place":
            return GEOGRAPHIC
        case "person":
            return PERSONAL
        case _:
            return PROPER if word[:1].isupper() else COMMON | PROPER


def accented(word: str, *, may_end: bool = True) -> Iterator[str]:
    """Give what a word without diacritics may stand for, known or not; fewest changes first."""
    last = len(word) - 1
    places = [
        place
        for place, letter in enumerate(map(str.lower, word))  # "İ" in small letters is two
        if letter in ACCENTS and (may_end or place < last or letter not in "ae")
    ]
    for count in range(1, _MOST_CHANGES + 1):
        for chosen in combinations(places, count):
            options = (_accents(word[place]) for place in chosen)
            for accents in product(*options):
                letters = list(word)
                for place, accent in zip(chosen, accents, strict=True):
                    letters[place] = accent
                yield "".join(letters)


def _accents(letter: str) -> str:
    accents = ACCENTS[letter.lower()][1:]
    return accents.upper() if letter.isupper() else accents
