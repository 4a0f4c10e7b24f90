"""The most likely lemma of each word of a text."""

import re
from functools import lru_cache

from chatbot.language.morphology import Morphology, Reading, morphology

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")
_NAME_LABELS = frozenset({"imię", "nazwisko", "nazwa_geograficzna", "nazwa_organizacji", "marka"})
_CLOSED = frozenset({"prep", "conj", "comp", "part", "qub", "pred", "ppron12", "ppron3", "siebie"})
_UNLIKELY = {"depr": 4.0, "brev": 3.0, "interj": 2.5, "impt": 1.0, "pacta": 1.0, "frag": 3.0}


def lemmas(text: str) -> tuple[str, ...]:
    """Return one lemma per word, in lower case; words that the dictionary lacks stay as they are."""
    return tuple(_lemma(word) for word in _WORD.findall(text))


@lru_cache(maxsize=32_768)
def _lemma(word: str) -> str:
    readings = _readings(morphology(), word)
    if not readings:
        return word.lower()
    return min(readings, key=lambda reading: _cost(reading, word)).lemma.lower()


def _readings(words: Morphology, word: str) -> tuple[Reading, ...]:
    return words.readings(word)


def _cost(reading: Reading, word: str) -> float:
    """Price a reading: names when capitalised, common words otherwise; rare uses last."""
    is_name = bool(reading.labels & _NAME_LABELS)
    cost = _UNLIKELY.get(reading.pos, 0.0) + (1.0 if reading.qualifiers else 0.0)
    if is_name != word[:1].isupper():
        cost += 2.0 if is_name else 0.2
    if reading.cases == {"voc"}:
        cost += 1.5
    if reading.pos in _CLOSED:
        cost -= 0.5
    return cost
