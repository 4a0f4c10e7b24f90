"""Calls found in one prompt, and what a later one owes to those before it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chatbot.language.places import gazetteer
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import split_words
from chatbot.types import JsonObject

_POINTING = frozenset({
    "tam", "tu", "tutaj", "nim", "niej", "nia", "jego", "jej", "on", "ona", "ono", "go", "ich",
    "ten", "ta", "tym", "tego", "tej",
})  # fmt: skip
_PRONOUN = re.compile(r"\b(?:go|ją|jego|jej|ich|nim|nią|nimi|niego|niej)\b", re.IGNORECASE)
_EMPTY = re.compile(rf"(?:{_PRONOUN.pattern}|\bteż\b)\s*", re.IGNORECASE)
"""What says nothing of a picture once it is said whom it shows."""
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
        case "generate_image":
            return _with_subject(call, clause, before)
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
        city = _shown_place(other) or _place(_named(other), clause)
        if city is not None:
            return DetectedCall(name=call.name, arguments={"city": city, **call.arguments})
    return call


def _with_subject(call: DetectedCall, clause: str, before: Sequence[DetectedCall]) -> DetectedCall:
    """Say whom a picture shows: "kim był Kopernik i narysuj go przy lunecie"."""
    articles = [str(one.arguments["query"]) for one in before if "query" in one.arguments]
    told = str(call.arguments["description"])
    if not articles or not _PRONOUN.search(clause):
        return call
    rest = _EMPTY.sub("", told).strip(" ,")
    whole = f"{articles[-1]}, {rest}" if rest else articles[-1]
    return DetectedCall(name=call.name, arguments={**call.arguments, "description": whole})


def _place(name: str | None, clause: str) -> str | None:
    """The place that a name is, if it is a known one or the clause says so."""
    if name is None or not (is_pointing(clause) or gazetteer().sightings(name)):
        return None
    return next(iter(find_places(name)), name)


def _shown_place(call: DetectedCall) -> str | None:
    """Where a picture is set: "narysuj zamek w Malborku i podaj, jaka tam pogoda"."""
    return next(iter(find_places(str(call.arguments.get("description", "")))), None)


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
