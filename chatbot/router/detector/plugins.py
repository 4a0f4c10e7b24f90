"""Recognise tools that the classifier was not trained for, by the examples they bring."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from math import sqrt

from chatbot.language.days import read_day
from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.numerals import read_number
from chatbot.router.detector.features import letters
from chatbot.router.detector.places import find_places
from chatbot.router.detector.spans import split_words
from chatbot.types import JsonObject, JsonValue, ToolSpec

_PLACES = frozenset({"city", "place", "location", "town", "miasto", "miejsce"})
_DAYS = frozenset({"day", "date", "when", "dzien", "data"})
_CODE = re.compile(r"\b[A-Z]{2,4}\b")
_SHORTEST = 3
_WORD_WEIGHT = 0.6


@dataclass(frozen=True, kw_only=True, slots=True)
class Likeness:
    """A tool and how much the prompt is like the nearest of its examples, from 0 to 1."""

    spec: ToolSpec
    value: float


def most_alike(prompt: str, tools: Sequence[ToolSpec]) -> Likeness | None:
    """Return the tool with the example nearest to the prompt; the first of equals."""
    found = [
        Likeness(spec=spec, value=max(_alike(prompt, example) for example in spec.examples))
        for spec in tools
        if spec.examples
    ]
    return max(found, key=lambda likeness: likeness.value, default=None)


def read_arguments(prompt: str, spec: ToolSpec, *, today: date | None) -> JsonObject:
    """Fill what can be read with certainty: places, days, choices, numbers, codes."""
    properties = spec.parameters.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    found: dict[str, JsonValue] = {}
    for name, schema in properties.items():
        value = _read(prompt, name, schema if isinstance(schema, Mapping) else {}, today)
        if value is not None:
            found[name] = value
    return found


def _read(prompt: str, name: str, schema: JsonObject, today: date | None) -> JsonValue:
    choices = schema.get("enum")
    if isinstance(choices, Sequence) and not isinstance(choices, str):
        return _choose(prompt, [str(choice) for choice in choices])
    if schema.get("type") in {"number", "integer"}:
        return _number(prompt)
    if name in _PLACES:
        return next(iter(find_places(prompt)), None)
    if name in _DAYS:
        return read_day(prompt, today=today)
    code = _CODE.search(prompt)
    return code[0] if code else None


def _choose(prompt: str, choices: Sequence[str]) -> str | None:
    words = {fold(word.text) for word in split_words(prompt)} | _lemmas(prompt)
    return next((choice for choice in choices if fold(choice) in words), None)


def _number(prompt: str) -> int | float | None:
    for word in split_words(prompt):
        value = read_number(word.text) if word.text.isdigit() else None
        if value is not None:
            return int(value)
    return None


def _alike(prompt: str, example: str) -> float:
    words = _cosine(_lemmas(prompt), _lemmas(example))
    grams = _cosine(_grams(prompt), _grams(example))
    return _WORD_WEIGHT * words + (1 - _WORD_WEIGHT) * grams


def _cosine(left: frozenset[str], right: frozenset[str]) -> float:
    if not left or not right:
        return 0.0
    return len(left & right) / sqrt(len(left) * len(right))


@lru_cache(maxsize=512)
def _grams(text: str) -> frozenset[str]:
    return frozenset(gram for gram in letters(text) if len(gram) >= _SHORTEST)


@lru_cache(maxsize=512)
def _lemmas(text: str) -> frozenset[str]:
    found: set[str] = set()
    for word in split_words(text):
        if len(word.text) < _SHORTEST or _CODE.fullmatch(word.text):
            continue
        readings = morphology().readings(word.text)
        found.add(fold(readings[0].lemma) if readings else word.folded)
    return frozenset(found)
