"""Another colour of a thing in a picture: "zmień kolor kota na czarny"."""

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.mentions import nouns_of

_COLOUR = r"(?P<colour>\w+(?:[ -]\w+)?)$"
_CHANGES = (
    regex(rf"\b(?:za|z)mien\w* (?:kolor|barwe|kolory) (?P<thing>\w+) na {_COLOUR}"),
    regex(rf"\b(?:prze|po)(?:maluj|koloruj|farbuj) (?P<thing>\w+) na {_COLOUR}"),
)
_GRADES = frozenset({"com", "sup"})
_ADVERB = regex(r"(\w+)o$")


def recoloured(picture: str, clause: str) -> tuple[str, str] | None:
    """Return the picture with an adjective before the thing that gets a colour."""
    text = clause.strip(" .!?")
    told = next((one for way in _CHANGES if (one := way.search(fold_evenly(text)))), None)
    if told is None:
        return None
    thing, colour = (text[slice(*told.span(one))] for one in ("thing", "colour"))
    shown = next((one for one in split_words(picture) if _is_same(one, thing)), None)
    if shown is None:
        return None
    adjective = _agreeing(colour, shown)
    return f"{picture[: shown.start]}{adjective} {picture[shown.start :]}", ""


def _is_same(word: Span, thing: str) -> bool:
    readings = morphology().readings(word.text)
    is_noun = any(one.pos == "subst" for one in readings)
    return is_noun and bool(nouns_of(word.text) & nouns_of(thing))


def _agreeing(colour: str, noun: Span) -> str:
    """A colour in the gender, number and case of a noun: "czarna" beside "sowa"."""
    lemma = _ADVERB.sub(r"\1y", colour)
    lemma = lemma if morphology().is_known(lemma) else _ADVERB.sub(r"\1i", colour)
    nouns = [one for one in morphology().readings(noun.text) if one.pos == "subst"]
    nouns.sort(key=lambda one: "nom" not in one.cases or "sg" not in one.numbers)
    keys = (one.key for one in morphology().readings(lemma) if one.pos == "adj")
    forms = morphology().forms(next(keys, ""))
    plain = [form for form in forms if form.reading.degree not in _GRADES]
    fitting = (form.text for one in nouns for form in plain if form.reading.agrees(one))
    return next(fitting, colour)
