"""The base form of a place that no table knows, by the case that its preposition asks for."""

from collections.abc import Sequence

from chatbot.language.morphology import Reading, morphology
from chatbot.language.names import lemmatise

_GEOGRAPHIC = frozenset({"nazwa_geograficzna", "człon_nazwy_geograficznej"})
_LOCATIVE = ("ym", "im", "ej", "ych", "ich")


def is_geographic(reading: Reading) -> bool:
    """Whether this reading is the name of a place, or a part of one."""
    return bool(reading.labels & _GEOGRAPHIC)


def is_first_name(readings: Sequence[Reading]) -> bool:
    """Whether a bare word is a first name, and a place only in another case: "jestem Bartek"."""
    plain = [one for one in readings if "nom" in one.cases]
    return any("imię" in one.labels for one in plain) and not any(map(is_geographic, plain))


def is_epithet(first: str, second: str) -> bool:
    """Whether a word ends like an adjective in the locative, and neither is a first name."""
    names = (one for word in (first, second) for one in morphology().readings(word))
    return first.endswith(_LOCATIVE) and not any("imię" in one.labels for one in names)


def base_form(phrase: str, preposition: str | None) -> str:
    """Return the name in its base form, with capitals: "(w) Białogórze" → "Białogóra"."""
    name = lemmatise(phrase, kind="place", preposition=preposition)
    if name == phrase and preposition in {"w", "we"}:
        name = _of_locative(phrase) or name
    return name.title() if name == name.lower() else name


def _of_locative(word: str) -> str | None:
    """The only place whose locative the word is, though it could be another's nominative."""
    readings = [one for one in morphology().readings(word) if is_geographic(one)]
    named = {one.lemma for one in readings if "loc" in one.cases}
    is_base = any("loc" in one.cases for one in readings if one.lemma == word)
    return named.pop() if len(named) == 1 and not is_base else None
