"""Tell what two words beside each other are: a club and its town, a surname before a first name."""

from collections.abc import Sequence

from chatbot.language.folding import fold
from chatbot.language.morphology import Reading, morphology
from chatbot.language.places import gazetteer
from chatbot.router.detector.nouns import CATEGORIES
from chatbot.router.detector.readings import labels_of, readings_of
from chatbot.router.detector.spans import Span

_GEOGRAPHIC = "nazwa_geograficzna"
_PAIR = 2
REALMS = frozenset({
    "król", "królowa", "cesarz", "papież", "książę", "księżna", "święty", "święta", "hetman", "car",
    "kanclerz", "kardynał", "biskup", "królewna", "caryca", "cesarzowa", "faraon", "sułtan",
})  # fmt: skip
"""Ranks of rulers and saints, which stand before their names."""


def _is_town(reading: Reading, word: Span) -> bool:
    return _GEOGRAPHIC in reading.labels and fold(reading.lemma) == word.folded


def are_apart(words: Sequence[Span]) -> bool:
    """Whether two known words share no case, and so are no Polish name: "Sai Baba"."""
    if len(words) != _PAIR or not all(word.is_capitalised for word in words):
        return False
    first, second = (
        {case for one in morphology().readings(word.text) for case in one.cases} for word in words
    )
    is_known = bool(first) and bool(second) and not is_club_of(words)
    return is_known and not first & (second | {"nom"}) and "gen" not in second


def is_turned(words: Sequence[Span]) -> bool:
    """Whether a surname stands before its first name: "Banach Stefan"."""
    if len(words) != _PAIR or not all(word.is_capitalised for word in words):
        return False
    first = labels_of(words[0])
    is_named = any(
        "imię" in one.labels and fold(one.lemma) == words[1].folded
        for one in morphology().readings(words[1].text)
    )
    cases = [{case for one in morphology().readings(w.text) for case in one.cases} for w in words]
    is_surname = "nazwisko" in first and "imię" not in first and bool(cases[0] & cases[1])
    return is_surname and is_named and not _is_common(words[0])


def _is_common(word: Span) -> bool:
    """Whether a word is that of a thing or a rank: "Dąb Bartek", "Król Artur"."""
    readings = readings_of(word.text.lower())
    things = [one for one in readings if one.is_nominal and one.lemma == word.text.lower()]
    is_saint = any(one.lemma == "święty" for one in readings)
    is_ranked = any(one.lemma in REALMS for one in readings)
    return is_saint or is_ranked or any(not one.genders & {"m1", "m2"} for one in things)


def is_club(words: Sequence[Span]) -> bool:
    """Whether a noun and a town stand side by side: "ruch chorzów"."""
    first, second = (readings_of(word.text) for word in words)
    is_noun = any(one.is_nominal and "nom" in one.cases for one in first)
    is_town = any(_is_town(one, words[1]) for one in second)
    is_of_it = any("gen" in one.cases and one.lemma.islower() for one in second)  # "siarki"
    is_described = any(one.is_adjectival for one in (*first, *second))  # "dzika róża"
    is_living = any(one.lemma == words[1].text and "m1" in one.genders for one in second)
    return is_noun and is_town and not (is_of_it or is_described or is_living)


def is_club_of(words: Sequence[Span]) -> bool:
    """Whether a town in the nominative follows a name in another case: "Wisłę Kraków"."""
    if len(words) != _PAIR or not all(word.is_capitalised for word in words):
        return False
    first, second = (readings_of(word.text) for word in words)
    is_town = any(_is_town(one, words[1]) and "nom" in one.cases for one in second)
    is_town = is_town and bool(gazetteer().sightings(words[1].text))
    is_town = is_town and not {one.lemma for one in first} & CATEGORIES
    return is_town and bool(first) and not any("nom" in one.cases for one in first)
