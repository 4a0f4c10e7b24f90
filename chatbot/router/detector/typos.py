"""Mistyped names of places: the known form that is one slip away."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from chatbot.language.folding import fold
from chatbot.language.places import gazetteer

_SHORTEST = 5
_LONGEST = 40


def mistyped_place(phrase: str) -> str | None:
    """Return the place one of whose forms is one letter too many, too few, wrong or swapped away.

    ``None`` where there is none, or where several different places are as near. Names under five
    letters are never corrected, several words only to as many; the first letter is never another.
    """
    word = fold(phrase)
    if not _SHORTEST <= len(word) <= _LONGEST:
        return None
    forms = _forms()
    near = extract(word, _by_length()[len(word)], scorer=OSA.distance, score_cutoff=1, limit=None)
    found = {
        forms[form]
        for form, _, _ in near
        if form.count(" ") == word.count(" ") and form[0] in word[:2]
    }
    return found.pop() if len(found) == 1 else None


@cache
def _forms() -> Mapping[str, str]:
    """Return the folded forms of all known places, each with the place it belongs to."""
    places = (gazetteer().find(name) for name in gazetteer().names)
    return MappingProxyType({
        fold(form): place.name for place in places if place for form in place.forms.values()
    })


@cache
def _by_length() -> tuple[tuple[str, ...], ...]:
    """Return for each length of a word the forms that are at most one letter longer or shorter."""
    forms = tuple(_forms())
    return tuple(
        tuple(form for form in forms if abs(len(form) - length) <= 1)
        for length in range(_LONGEST + 1)
    )
