"""Calls found in one prompt, and what a later one owes to those before it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chatbot.language.lemmas import possible_lemmas
from chatbot.language.patterns import regex
from chatbot.language.places import gazetteer
from chatbot.router.detector.picture.asking import without_asking
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import fold_evenly, split_words
from chatbot.router.detector.topic import read_topic
from chatbot.types import JsonObject

_POINTING = frozenset({
    "tam", "tu", "tutaj", "nim", "niej", "nia", "jego", "jej", "on", "ona", "ono", "go", "ich",
    "ten", "ta", "tym", "tego", "tej",
})  # fmt: skip
_PRONOUN = regex(r"\b(?:go|ją|jego|jej|ich|nim|nią|nimi|niego|niej)\b", re.IGNORECASE)
_ONE_OF_IT = regex(
    r"\b(?:jedn(?:ą|ego|o)|tak(?:i|ą|ie|iego))(?=$|[,.!?]| (?:w|we|na|z|ze|przy|nad|pod) )"
)
_AGAIN = regex(r"\b(?:ten|ta|to|tę|tą|tego|tej|temu|tym)\s+(\w+)", re.IGNORECASE)
_DEFINED = regex(
    r"(?:a |i )?(?:co|kto) to (?:jest |byl |za )?(?!ten|ta|to|on|ona|ono)\w{4,}|haslo o "
)
"""Names another thing, whatever it is called: "a co to manul", "hasło o bitwie"."""
_APPOSED = regex(r"\w, [A-ZĄĆĘŁŃÓŚŹŻ]\w+ [A-ZĄĆĘŁŃÓŚŹŻ]")
"""Says in full whom a clause points at: "jego ojciec, Władysław Łokietek"."""
_PREPOSITION = regex(r"(?:w|we|na|z|ze|przy|nad|pod|przed|za|obok|jako) ")
_EMPTY = regex(rf"(?:{_PRONOUN.pattern}|\bteż\b)\s*", re.IGNORECASE)
"""What says nothing of a picture once it is said whom it shows."""
_KINDS = frozenset({
    "miasto", "miasteczko", "miejscowość", "wieś", "rzeka", "jezioro", "kraj", "góra", "wyspa",
    "region", "osada", "gród", "uzdrowisko", "gmina", "dzielnica",
    "postać", "pisarz", "pisarka", "poeta", "malarz", "kompozytor", "miejsce", "stolica",
})  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectedCall:
    """A tool that the prompt asks for, with the arguments that could be read."""

    name: str
    arguments: JsonObject


def completed(
    call: DetectedCall, clause: str, before: Sequence[DetectedCall], told: str
) -> DetectedCall:
    """Give a call what its clause only points at: "jaka tam pogoda", "narysuj go", "to miasto".

    Args:
        call: What was read from the clause alone.
        clause: Its words.
        before: The calls of the clauses before it.
        told: The words of these.
    """
    match call.name:
        case "get_weather" if "city" not in call.arguments:
            return _with_place(call, clause, before, told)
        case "generate_image" if "description" not in call.arguments:
            key = "description"
        case "generate_image":
            return _with_subject(call, clause, before)
        case "search_wikipedia" if _is_kind(str(call.arguments.get("query", ""))):
            key = "query"
        case _:
            return call
    is_drawn = key == "query" and without_asking(told).is_asking
    name_of = _article_on if is_drawn else _named
    meant = next((one for other in reversed(before) if (one := name_of(other))), None)
    if meant is None or not (is_pointing(clause) or key == "query"):
        return call
    return DetectedCall(name=call.name, arguments={**call.arguments, key: meant})


def is_pointing(clause: str) -> bool:
    """Whether a clause speaks of what was named before: "go", "tam", "to miasto"."""
    return bool(_words(clause) & _POINTING)


def _with_place(
    call: DetectedCall, clause: str, before: Sequence[DetectedCall], told: str
) -> DetectedCall:
    for other in reversed(before):
        if other.name == call.name and "day" not in call.arguments:
            return DetectedCall(name=call.name, arguments={})
        city = _shown_place(other) or _place(_named(other), clause, told)
        if city is not None:
            return DetectedCall(name=call.name, arguments={"city": city, **call.arguments})
    told_at = find_places(told) if is_pointing(clause) else ()
    if not told_at:
        return call
    return DetectedCall(name=call.name, arguments={"city": told_at[0], **call.arguments})


def _with_subject(call: DetectedCall, clause: str, before: Sequence[DetectedCall]) -> DetectedCall:
    """Say whom a picture shows: "kim był Kopernik i narysuj go przy lunecie"."""
    articles = [str(one.arguments["query"]) for one in before if "query" in one.arguments]
    told = str(call.arguments["description"])
    if articles and (meant := _pointed_at(told, articles[-1])):
        return DetectedCall(name=call.name, arguments={**call.arguments, "description": meant})
    if not articles or not (_PRONOUN.search(clause) or _ONE_OF_IT.search(clause)):
        return call
    rest = _EMPTY.sub("", told).strip(" ,")
    is_setting = _PREPOSITION.match(rest) is not None
    whole = f"{articles[-1]}{' ' if is_setting else ', '}{rest}" if rest else articles[-1]
    return DetectedCall(name=call.name, arguments={**call.arguments, "description": whole})


def _pointed_at(told: str, article: str) -> str | None:
    """Name in full what a picture shows again: "ten zamek" after an article about one."""
    kind = possible_lemmas(article.split(maxsplit=1)[0].lower())
    for found in _AGAIN.finditer(told):
        if kind & possible_lemmas(found[1].lower()):
            return f"{told[: found.start()]}{article}{told[found.end() :]}"
    return None


def _article_on(call: DetectedCall) -> str | None:
    """The name of a place or topic, or of whom a picture shows: "narysuj Chopina", "gdzie żył?"."""
    if "description" not in call.arguments:
        return _named(call)
    topic = read_topic(f"kto to {call.arguments['description']}")
    return topic if topic and topic[:1].isupper() else None


def _place(name: str | None, clause: str, told: str) -> str | None:
    """The place that a name is or was told with, if it is a known one or the clause says so."""
    if name is None or not (is_pointing(clause) or gazetteer().sightings(name)):
        return None
    return next(iter(find_places(name) or find_places(told)), name)


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
    if _DEFINED.match(fold_evenly(clause)):
        return bool(topic)
    is_apposed = _APPOSED.search(clause) is not None
    return topic[:1].isupper() and (is_apposed or not is_pointing(clause))


def _words(text: str) -> set[str]:
    return {word.folded for word in split_words(text)}
