"""The base form of a place that no table knows, by the case that its preposition asks for."""

from chatbot.language.morphology import morphology
from chatbot.language.names import lemmatise

_GEOGRAPHIC = "nazwa_geograficzna"


def base_form(phrase: str, preposition: str | None) -> str:
    """Return the name in its base form, with capitals: "(w) Białogórze" → "Białogóra"."""
    name = lemmatise(phrase, kind="place", preposition=preposition)
    if name == phrase and preposition in {"w", "we"}:
        name = _of_locative(phrase) or name
    return name.title() if name == name.lower() else name


def _of_locative(word: str) -> str | None:
    """The only place whose locative the word is, though it could be another's nominative."""
    readings = [one for one in morphology().readings(word) if _GEOGRAPHIC in one.labels]
    named = {one.lemma for one in readings if "loc" in one.cases}
    is_base = any("loc" in one.cases for one in readings if one.lemma == word)
    return named.pop() if len(named) == 1 and not is_base else None
