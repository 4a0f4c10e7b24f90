"""Mend the spelling of the words that mathematics is asked for with."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.numerals import is_number_word
from chatbot.language.patterns import regex

_KEYWORDS = (
    "pierwiastek", "pierwiastka", "pochodna", "pochodną", "pochodnej", "całka", "całkę",
    "całkować", "scałkuj", "granica", "granicę", "logarytm", "równanie", "równania", "nierówność",
    "procent", "procenta", "procentem", "silnia", "macierz", "macierzy", "wyznacznik", "średnia",
    "średnią", "mediana", "medianę", "podzielić", "podziel", "pomnożyć", "pomnóż", "dodaj",
    "odejmij", "dzielone", "potęga", "potęgi", "kwadrat", "kwadratu", "sześcian", "obwód",
    "średnica", "średnicy", "promień", "promieniu", "objętość", "wysokość", "wysokości",
    "przekątna", "trójkąt", "trójkąta", "prostokąt", "prostokąta", "kwadratowe", "oblicz",
    "policz", "rozwiąż", "uprość", "rozłóż", "kilometrów", "kilometry", "godzinę", "godziny",
    "prędkość", "prędkością", "ułamek", "dzielnik", "wielokrotność", "wspólny", "największy",
    "najmniejsza", "dwumian", "kombinacji", "dwadzieścia", "trzydzieści", "czterdzieści",
    "pięćdziesiąt", "sześćdziesiąt", "siedemdziesiąt", "osiemdziesiąt", "dziewięćdziesiąt",
    "jedenaście", "dwanaście", "trzynaście", "czternaście", "piętnaście", "szesnaście",
    "siedemnaście", "osiemnaście", "dziewiętnaście", "dwieście", "trzysta", "czterysta", "pięćset",
    "sześćset", "siedemset", "osiemset", "dziewięćset", "tysięcy", "tysiące", "przez", "razy",
    "minus", "nieskończoności", "oznaczona", "różnica", "iloczyn", "iloraz", "zaokrąglij",
)  # fmt: skip
_FOLDED = {fold(word): word for word in _KEYWORDS}


def _sound(folded: str) -> str:
    """The word as it sounds: "pomnuż" is "pomnóż", "tszy" is "trzy"."""
    for spelling, sound in (("rz", "z"), ("sz", "z"), ("ch", "h"), ("u", "o")):
        folded = folded.replace(spelling, sound)
    return folded


_SOUNDED = {_sound(word): _FOLDED[word] for word in _FOLDED}
_WORD = regex(r"[^\W\d_]{3,24}")
_FIELDS = regex(r"\bpól\b", re.IGNORECASE)
_SHORT = ("pole", "suma", "razy", "koło", "koła", "boku")
_LONG_ENOUGH = 5
_LETTERS = 2  # "xy" are two unknowns
_LIKENESS = 0.86
_MOST_OTHER = 2
_BY_LETTER = {
    letter: tuple(keyword for keyword in _FOLDED if keyword[0] == letter)
    for letter in {keyword[0] for keyword in _FOLDED}
}


def mend(text: str) -> str:
    """Replace words that no dictionary has by the mathematical word most like it ("pochdona").

    "pól" are fields: without its accent it would be a half.
    """
    return _WORD.sub(lambda found: _mended(found[0]), _FIELDS.sub("pola", text))


@lru_cache(maxsize=8_192)
def _mended(word: str) -> str:
    folded = fold(word)
    if len(word) < _LONG_ENOUGH:
        return _mended_short(word, folded)
    letters = set(folded)
    alike = [
        keyword
        for keyword in _BY_LETTER.get(folded[0], ())
        if abs(len(keyword) - len(folded)) <= 1 and len(letters ^ set(keyword)) <= _MOST_OTHER
    ]
    if (sounded := _SOUNDED.get(_sound(folded))) is not None and word not in _KEYWORDS:
        return word if folded in _FOLDED else sounded
    if not alike or folded in _FOLDED or is_number_word(folded) or morphology().is_known(word):
        return word
    if (meant := _swapped(folded, alike)) is not None:
        return _FOLDED[meant]
    nearest = get_close_matches(folded, alike, n=1, cutoff=_LIKENESS)
    return _FOLDED[nearest[0]] if nearest else word


def _mended_short(word: str, folded: str) -> str:
    """Mend a letter left out, or two swapped, in a short word of small letters ("ple koła")."""
    meant = _BY_SLIP.get(folded) if word.islower() else None
    return word if meant is None or morphology().is_known(word) else meant


def _slips(folded: str) -> set[str]:
    return {
        *(folded[:at] + folded[at + 1 :] for at in range(1, len(folded))),
        *(
            folded[:at] + folded[at + 1] + folded[at] + folded[at + 2 :]
            for at in range(len(folded) - 1)
        ),
    } - {folded}


_BY_SLIP = {
    slip: word
    for word in _SHORT
    for slip in _slips(fold(word))
    if len(slip) > _LETTERS and not is_number_word(slip)
}


def _swapped(folded: str, keywords: Iterable[str]) -> str | None:
    """The keyword of which two neighbouring letters were typed in the wrong order."""
    swaps = {
        folded[:at] + folded[at + 1] + folded[at] + folded[at + 2 :]
        for at in range(len(folded) - 1)
    }
    return next((keyword for keyword in keywords if keyword in swaps), None)
