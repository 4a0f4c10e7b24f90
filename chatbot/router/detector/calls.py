"""Calls found in one prompt, and what a later one owes to those before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatbot.language.places import gazetteer
from chatbot.router.detector.spans import split_words
from chatbot.types import JsonObject

_POINTING = frozenset({
    "tam", "nim", "niej", "nia", "jego", "jej", "on", "ona", "ono", "go", "ich", "ten", "ta", "tym",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectedCall:
    """A tool that the prompt asks for, with the arguments that could be read."""

    name: str
    arguments: JsonObject


def with_place(call: DetectedCall, clause: str, before: Sequence[DetectedCall]) -> DetectedCall:
    """Give the weather of "tam" the place that the clauses before speak of."""
    if call.name != "get_weather" or "city" in call.arguments:
        return call
    is_there = bool(_words(clause) & _POINTING)
    for other in reversed(before):
        if other.name == call.name and "day" not in call.arguments:
            return DetectedCall(name=call.name, arguments={})
        place = other.arguments.get("city") or other.arguments.get("query")
        if isinstance(place, str) and (is_there or gazetteer().sightings(place)):
            return DetectedCall(name=call.name, arguments={"city": place, **call.arguments})
    return call


def adds_to(call: DetectedCall, clause: str, before: Sequence[DetectedCall]) -> bool:
    """Whether a call is another than those before: a second topic has a name of its own."""
    if call in before:
        return False
    if call.name != "search_wikipedia" or all(one.name != call.name for one in before):
        return True
    topic = str(call.arguments.get("query", ""))
    return topic[:1].isupper() and not _words(clause) & _POINTING


def _words(text: str) -> set[str]:
    return {word.folded for word in split_words(text)}
