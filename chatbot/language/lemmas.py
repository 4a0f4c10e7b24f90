"""The most likely lemma of each word of a text; all lemmas of one word."""

from functools import lru_cache

from chatbot.language.frequent import FREQUENT
from chatbot.language.morphology import Reading, morphology
from chatbot.language.pieces import WORD
from chatbot.language.places import gazetteer
from chatbot.language.vocabulary import PERSONAL, PROPER

_UNLIKELY = {"depr": 4.0, "brev": 3.0, "frag": 3.0, "interj": 2.5, "romandig": 2.0, "impt": 0.6}
_NAME = 2.0
_RARE = 1.0
_CALLED = 1.5  # a vocative
_WANTED = 1.5


def lemmas(text: str) -> tuple[str, ...]:
    """Return one lemma per word, in lower case; unknown words stay as they are."""
    return tuple(_lemma(word) for word in WORD.findall(text))


def possible_lemmas(word: str) -> frozenset[str]:
    """Every lemma that one word may have, and the word itself, in lower case."""
    return frozenset(one.lemma.lower() for one in morphology().readings(word)) | {word.lower()}


@lru_cache(maxsize=32_768)
def _lemma(word: str) -> str:
    readings = morphology().readings(word)
    if not readings:
        return word.lower()
    return min(readings, key=lambda reading: _cost(reading, word)).lemma.lower()


def _cost(reading: Reading, word: str) -> float:
    """Price a reading: frequent words first, names where a capital stands, rare uses last."""
    cost = _UNLIKELY.get(reading.pos, 0.0)
    cost += _RARE if reading.qualifiers else 0.0
    cost += _CALLED if reading.cases == {"voc"} else 0.0
    cost -= _WANTED if reading.lemma in FREQUENT else 0.0
    if reading.labels & PROPER:
        cost += 0.0 if word[:1].isupper() else _NAME
        cost += 0.5 if reading.labels & PERSONAL and "imię" not in reading.labels else 0.0
        cost -= _WANTED if gazetteer().find(reading.lemma) else 0.0
    else:
        cost += 0.2 if word[:1].isupper() else 0.0
    return cost
