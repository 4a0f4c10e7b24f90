"""Read what a people made, took or used: "Z czego Indianie robili tomahawki?"."""

from collections.abc import Sequence

from chatbot.router.detector.nouns import ASKED, CATEGORIES, PREPOSITIONS, TIMES
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span

_DONE = frozenset({
    "robić", "zrobić", "budować", "zbudować", "wziąć", "brać", "wynaleźć", "wymyślić", "używać",
    "nosić", "uprawiać", "hodować", "stosować", "wytwarzać", "wyrabiać", "produkować", "tworzyć",
    "stworzyć", "pleść", "pić", "jeść", "warzyć", "grać",
})  # fmt: skip
_HOW = frozenset({"czego", "skad", "jak", "kiedy", "czym", "co", "sposob", "gdzie"})
_LONGEST = 3


def thing_of_people(words: Sequence[Span], place: tuple[int, int]) -> tuple[int, int] | None:
    """Return where the thing stands that a people did something with, if only they were taken.

    Args:
        words: The words and marks of a question.
        place: Its likely topic.
    """
    start, end = place
    is_asked = any(word.folded in _HOW for word in words[:start])
    if end - start != 1 or not is_asked or not _is_people(words[start]):
        return None
    verb = end if end < len(words) and _is_deed(words[end]) else None
    if verb is None:
        return None
    stop = verb + 1
    while stop < len(words) and stop - verb <= _LONGEST and _may_belong(words[stop]):
        stop += 1
    is_open = stop < len(words) and words[stop].text[0].isalnum()
    thing = words[verb + 1 : stop]
    if not thing or is_open or not _is_object(thing):
        return None
    return verb + 1, stop


def _is_people(word: Span) -> bool:
    readings = [one for one in readings_of(word.text) if one.is_nominal]
    return word.is_capitalised and any(
        "pl" in one.numbers and "nom" in one.cases and "m1" in one.genders for one in readings
    )


def _is_deed(word: Span) -> bool:
    return any(
        one.lemma in _DONE and one.pos in {"praet", "fin"} and "pl" in one.numbers
        for one in readings_of(word.text)
    )


def _may_belong(word: Span) -> bool:
    readings = readings_of(word.text)
    is_nominal = not readings or any(one.is_nominal or one.is_adjectival for one in readings)
    return word.text[0].isalpha() and word.folded not in PREPOSITIONS and is_nominal


def _is_object(phrase: Sequence[Span]) -> bool:
    """Whether a phrase can be what is done and names no mere kind or time."""
    lemmas = {one.lemma for word in phrase for one in readings_of(word.text)}
    cases = {case for one in readings_of(phrase[0].text) for case in one.cases}
    is_case = not cases or bool(cases & {"acc", "gen"})
    return is_case and not (len(phrase) == 1 and lemmas & (ASKED | CATEGORIES | TIMES))
