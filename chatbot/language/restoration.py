"""Put diacritics back into words that were typed without them."""

from collections.abc import Iterator
from itertools import combinations, islice, product

from chatbot.language.folding import fold
from chatbot.language.frequent import FREQUENT
from chatbot.language.morphology import Morphology
from chatbot.language.vocabulary import COMMON, GEOGRAPHIC, PERSONAL, PROPER
from chatbot.types import NameKind

_ACCENTS = {
    "a": "ą",
    "c": "ć",
    "e": "ę",
    "l": "ł",
    "n": "ń",
    "o": "ó",
    "s": "ś",
    "z": "żź",
}
_SHORTEST = 4
_MOST_CHANGES = 3
_MOST_TRIES = 96


def restore(words: Morphology, word: str, *, kind: NameKind | None, may_end: bool) -> str:
    """Return the known word that an unknown one without diacritics stands for, if there is one.

    Fewer changes are tried first; of common words a frequent one is preferred. ``may_end`` allows
    to change the last letter into ą or ę, which only makes sense for an inflected word.
    """
    if len(word) < _SHORTEST or not word.isalpha() or words.is_known(word):
        return word
    if fold(word) != word.lower():
        return word
    wanted = _wanted(word, kind)
    is_open = bool(wanted & COMMON)
    found: str | None = None
    for variant in islice(accented(word, may_end=may_end), _MOST_TRIES):
        fitting = [one for one in words.readings(variant) if one.labels & wanted]
        if fitting and (not is_open or any(one.lemma in FREQUENT for one in fitting)):
            return variant
        if fitting and found is None:
            found = variant
    return found or word


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
        for place, letter in enumerate(word.lower())
        if letter in _ACCENTS and (may_end or place < last or letter not in "ae")
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
    accents = _ACCENTS[letter.lower()]
    return accents.upper() if letter.isupper() else accents
