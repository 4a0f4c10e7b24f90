"""More or fewer of what a picture shows already: "z większą liczbą róż", "więcej łódek"."""

import re
from collections.abc import Sequence

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, fold_evenly, split_words
from chatbot.router.dialogue.drawings.clauses import bare
from chatbot.router.dialogue.drawings.reactions import is_reaction
from chatbot.router.dialogue.mentions import nouns_of

_TOLD = regex(
    r"\b(?:(?:z|ze|na) )?(?:(?:duzo|znacznie|o wiele|troche|jeszcze) )?"
    r"(?:(?P<size>wieksz|mniejsz)\w+ (?:liczb|ilosci)\w+|(?P<how>wiecej|mniej)) "
    r"(?:(?:tych|takich) )?(?P<thing>\w{3,})"
)
_COUNTED = regex(
    r"(?P<thing>\w{3,}) (?:bylo|byloby|bedzie|ma byc|jest)(?: \w+)? (?P<how>wiecej|mniej)\b"
)
_ONE = "jeden"
_IDLE = regex(
    r"(?:\b(?:zeby|aby|niech|bylo|bedzie|i|oraz|ale|tylko|a|daj|dodaj|zrob|dorysuj|"
    r"domaluj|chce|poprosze|prosze)\b|[ ,])+$"
)


def regraded(picture: str, clause: str) -> tuple[str, str] | None:
    """Return the picture with more or fewer of a thing that it has, and the rest of the clause.

    "Z kilkoma łódkami" becomes "z większą liczbą łódek", "róże" in a list "więcej róż".
    ``None`` where the picture shows no such thing.
    """
    folded, words = fold_evenly(clause), split_words(picture)
    found = (told for way in (_TOLD, _COUNTED) if (told := way.search(folded)) is not None)
    told, at = next(
        ((one, at) for one in found if (at := _place(words, _thing(clause, one))) is not None),
        (None, 0),
    )
    if told is None:
        return None
    before = _IDLE.sub("", folded[: told.start()])
    rest = bare(f"{clause[: len(before)]} {clause[told.end() :]}")
    rest = "" if is_reaction(rest) else rest
    is_more = bool({"wiecej", "wieksz"} & {*told.groupdict().values()})
    return _regraded(picture, words, at, _thing(clause, told), is_more=is_more), rest


def _thing(clause: str, told: re.Match[str]) -> str:
    return clause[slice(*told.span("thing"))]


def _place(words: Sequence[Span], thing: str) -> int | None:
    """Which word of a picture is this thing, in any form."""
    meant = nouns_of(thing)
    places = (at for at, one in enumerate(words) if _is_thing(one) and nouns_of(one.text) & meant)
    return next(places, None)


def _regraded(picture: str, words: Sequence[Span], at: int, thing: str, *, is_more: bool) -> str:
    """The picture with the amount of its thing told anew; at its end where no case allows it."""
    first = at
    while first and _says_how(words[first - 1]):
        first -= 1
    kinds = " ".join((*(_genitive(one) for one in words[first:at] if not _counts(one)), thing))
    few = f"{'więcej' if is_more else 'mniej'} {kinds}"
    cases = {case for one in readings_of(words[at].text) for case in one.cases}
    if "nom" not in cases and "inst" not in cases:
        return f"{picture}, {few}"
    amount = few if "nom" in cases else f"{'większą' if is_more else 'mniejszą'} liczbą {kinds}"
    return f"{picture[: words[first].start]}{amount}{picture[words[at].end :]}"


def _is_thing(word: Span) -> bool:
    return any(one.pos == "subst" for one in readings_of(word.text))


def _counts(word: Span) -> bool:
    readings = readings_of(word.text)
    return word.text.isdecimal() or any(one.pos == "num" or one.lemma == _ONE for one in readings)


def _says_how(word: Span) -> bool:
    readings = readings_of(word.text)
    return word.text.isdecimal() or any(one.pos in {"adj", "ppas", "num"} for one in readings)


def _genitive(adjective: Span) -> str:
    """An adjective as it stands with several things of which there are more."""
    for reading in readings_of(adjective.text):
        if reading.pos not in {"adj", "ppas"}:
            continue
        for form in morphology().forms(reading.key):
            own = form.reading
            is_same = (own.pos, own.degree) == (reading.pos, reading.degree)
            if is_same and "gen" in own.cases and "pl" in own.numbers:
                return form.text
    return adjective.text
