"""Facts of a place that look like its weather: records of frost, rain in a year, inhabitants."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.bases import place_named
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly

Place = tuple[int, int]
"""First word and end of a phrase."""

_SKY = (
    r"(?:temperatur|mroz|upal|pada|opad|deszcz|snieg|spadl|wiatr|wial|wieje|stopni|cieplo|zimno|"
    r"slonc|burz)"
)
_EVER = (
    r"(?:rekord\w*|w historii|kiedykolwiek|rocznie|roczn\w+|w (?:ciagu )?roku|na rok|"
    r"(?:za|od|po)notowan\w+)"
)
_CLIMATE = regex(
    rf"\b(?:ile|jak\w*|czy|kiedy|naj\w+|roczn\w+)\b[^.?!]*?(?:\b{_SKY}\w*[^.?!]*\b{_EVER}\b|"
    rf"\b{_EVER}[^.?!]*\b{_SKY})"
)
_INHABITANTS = regex(
    r"\b(?:ilu|ile|czy)\b[^.?!]*\b(?:tysi\w+|tys|mieszka|zyje|uzbiera|ponad|wiecej)\b[^.?!]*\b"
    r"(?:mieszkanc\w+|ludzi|ludnosci|osob)\b"
)
_NOW = regex(
    r"\b(?:dzis\w*|jutr\w*|pojutrze|teraz|aktualn\w+|weekend\w*|bedzie|beda|prognoz\w*|pogod\w+|"
    r"(?:w|we|na) (?:poniedzialek|wtorek|srode|czwartek|piatek|sobote|niedziele))\b"
)
_ANYWHERE = regex(r"\b(?:polsce|polski|europie|swiecie|swiata|ziemi|kraju)\b")
"""No place of its own: where in a country a record was set is another question."""
_BEFORE = frozenset({"w", "we", "na", "z", "ze", "dla", "o", "do"})


def asks_place_fact(text: str) -> bool:
    """Whether a fact of a place is asked for that no forecast tells."""
    folded = fold_evenly(text)
    is_fact = _CLIMATE.search(folded) or _INHABITANTS.search(folded)
    is_other = _NOW.search(folded) or _ANYWHERE.search(folded)
    return is_fact is not None and is_other is None


def place_of_climate(text: str, words: Sequence[Span]) -> Place | None:
    """Return where the place stands whose climate is asked about: "w Ojmiakonie …"."""
    folded = fold_evenly(text)
    if _CLIMATE.search(folded) is None or not asks_place_fact(text):
        return None
    for at in range(1, len(words)):
        if words[at - 1].folded not in _BEFORE:
            continue
        start = at + (at + 1 < len(words) and _is_adjective(words[at]))
        end = start
        while end < len(words) and words[end].is_capitalised:
            end += 1
        if end > start:
            return start, end
        if place_named(words[at].text) is not None:
            return at, at + 1
    return None


def _is_adjective(word: Span) -> bool:
    return word.text.islower() and any(one.is_adjectival for one in readings_of(word.text))
