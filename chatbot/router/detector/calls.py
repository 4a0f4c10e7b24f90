"""Calls found in one prompt, and what a later one owes to those before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatbot.language.places import gazetteer
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import split_words
from chatbot.types import JsonObject

_POINTING = frozenset({
    "tam", "nim", "niej", "nia", "jego", "jej", "on", "ona", "ono", "go", "ich", "ten", "ta", "tym",
    "tego", "tej",
})  # fmt: skip
_KINDS = frozenset({
    "miasto", "miasteczko", "miejscowość", "wieś", "rzeka", "jezioro", "kraj", "góra", "wyspa",
    "region", "postać", "pisarz", "pisarka", "poeta", "malarz", "kompozytor", "miejsce", "stolica",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectedCall:
    """A tool that the prompt asks for, with the arguments that could be read."""

    name: str
    arguments: JsonObject


def completed(call: DetectedCall, clause: str, before: Sequence[DetectedCall]) -> DetectedCall:
    """Give a call what its clause only points at: "jaka tam pogoda", "narysuj go", "to miasto"."""
    match call.name:
        case "get_weather" if "city" not in call.arguments:
            return _with_place(call, clause, before)
        case "generate_image" if "description" not in call.arguments:
            key = "description"
        case "search_wikipedia" if _is_kind(str(call.arguments.get("query", ""))):
            key = "query"
        case _:
            return call
    meant = next((one for other in reversed(before) if (one := _named(other))), None)
    if meant is None or not (is_pointing(clause) or key == "query"):
        return call
    return DetectedCall(name=call.name, arguments={**call.arguments, key: meant})


def is_pointing(clause: str) -> bool:
    """Whether a clause speaks of what was named before: "go", "tam", "to miasto"."""
    return bool(_words(clause) & _POINTING)


def _with_place(call: DetectedCall, clause: str, before: Sequence[DetectedCall]) -> DetectedCall:
    for other in reversed(before):
        if other.name == call.name and "day" not in call.arguments:
            return DetectedCall(name=call.name, arguments={})
        place = _named(other)
        if place and (is_pointing(clause) or gazetteer().sightings(place)):
            city = next(iter(find_places(place)), place)
            return DetectedCall(name=call.name, arguments={"city": city, **call.arguments})
    return call


def _named(call: DetectedCall) -> str | None:
    found = call.arguments.get("city") or call.arguments.get("query")
    return found if isinstance(found, str) else None


def _is_kind(query: str) -> bool:
    """Whether a topic says only what kind of thing is meant: "miasto", "ta rzeka"."""
    return not query or (query.islower() and query.rsplit(maxsplit=1)[-1] in _KINDS)


def adds_to(call: DetectedCall, clause: str, before: Sequence[DetectedCall]) -> bool:
    """Whether a call is another than those before: a second topic has a name of its own."""
    if call in before:
        return False
    if call.name != "search_wikipedia" or all(one.name != call.name for one in before):
        return True
    topic = str(call.arguments.get("query", ""))
    return topic[:1].isupper() and not is_pointing(clause)


def _words(text: str) -> set[str]:
    return {word.folded for word in split_words(text)}
