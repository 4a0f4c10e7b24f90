"""Mend slips in the words that ask for a picture: "nasryuj" → "narysuj"."""

from difflib import get_close_matches
from functools import lru_cache

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex

_MEANT_VERBS = (
    "narysuj", "namaluj", "wygeneruj", "zaprojektuj", "naszkicuj", "stworz", "zilustruj",
    "przygotuj",
    "zrob", "obrazek", "obraz", "rysunek", "graffiti", "zdjecie", "ilustracja",
)  # fmt: skip
_MENDED = {
    "obrazek": "obrazek", "obraz": "obraz", "rysunek": "rysunek", "graffiti": "graffiti",
    "zdjecie": "zdjęcie", "ilustracja": "ilustracja",
}  # fmt: skip
_LIKENESS = 0.8
_WORD = regex(r"\b[^\W\d_]{5,12}\b")
_AMONG = 60  # characters from the start


def mend_verbs(text: str) -> str:
    """Mend the words of asking among the first ones: "nasryuj" → "narysuj"."""
    return _WORD.sub(lambda one: _mended(one[0]) if one.start() < _AMONG else one[0], text)


@lru_cache(maxsize=4_096)
def _mended(word: str) -> str:
    folded = fold(word)
    if folded in _MEANT_VERBS or morphology().is_known(word):
        return word
    nearest = get_close_matches(folded, _MEANT_VERBS, n=1, cutoff=_LIKENESS)
    return _MENDED.get(nearest[0], nearest[0]) if nearest else word
