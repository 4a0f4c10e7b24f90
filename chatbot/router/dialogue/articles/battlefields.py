"""Another battle after one, named by its place alone: "chodziło mi o Chocim 1621"."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex

_BATTLE = regex(r"(?:[Bb]itwa|[Oo]blężenie|[Oo]brona) ")
_PLACE = regex(r"(?P<place>[^\W\d_]{3,})(?:,?(?: (?:z|w|ze|we|rok\w*))* (?P<year>1\d{3}))?")
_GEOGRAPHIC = "nazwa_geograficzna"
_HARD = "bdfmnprstwz"
_ENDED = regex(r"(?:[ ,.!?]|$)")


def other_battle(topic: str, told: str) -> str | None:
    """Return the battle that a place stands for after the battle ``topic``, with its year if told.

    ``told`` begins with the place, in any case of letters and in the form that a noun has behind
    "o" or alone. ``None`` where it is no place, or the topic is no battle.
    """
    battle, named = _BATTLE.match(topic), _PLACE.match(told)
    if battle is None or named is None or not _ENDED.match(told, named.end()):
        return None
    place = _after_under(named["place"])
    year = f" ({named['year']})" if named["year"] else ""
    return f"Bitwa pod {place}{year}" if place else None


def _after_under(place: str) -> str | None:
    """A place behind "pod": "Chocimiem"; ``None`` for what is no name of one."""
    name = place[:1].upper() + place[1:].lower()
    readings = morphology().readings(name)
    for one in readings:
        is_stray = one.cases == {"gen"} and one.numbers == {"pl"}
        if one.pos != "subst" or _GEOGRAPHIC not in one.labels or is_stray:
            continue
        forms = (
            form.text
            for form in morphology().forms(one.key)
            if "inst" in form.reading.cases and form.reading.numbers & one.numbers
        )
        if (found := next(forms, None)) is not None:
            return found
    is_strange = place[0].isupper() and all(_GEOGRAPHIC in one.labels for one in readings)
    return f"{name}em" if is_strange and name[-1] in _HARD else None
