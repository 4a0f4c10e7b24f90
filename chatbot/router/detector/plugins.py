"""Recognise tools that the classifier was not trained for, by the examples they bring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from math import sqrt
from types import MappingProxyType

from chatbot.language.days import read_day
from chatbot.language.folding import fold
from chatbot.language.morphology import morphology
from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.clauses import is_refused
from chatbot.router.detector.features import letters
from chatbot.router.detector.framing import is_on_text, strip_opening
from chatbot.router.detector.lexicon import groups_of
from chatbot.router.detector.places import find_places
from chatbot.router.detector.quotes import part
from chatbot.router.detector.spans import split_words
from chatbot.types import JsonObject, JsonValue, ToolSpec

_PLACES = frozenset({"city", "place", "location", "town", "miasto", "miejsce"})
_DAYS = frozenset({"day", "date", "when", "dzien", "data"})
_CODE = regex(r"\b[A-Z]{2,4}\b")
_SHORTEST = 3
_WORD_WEIGHT = 0.7
_NOUN, _VERB, _PARTICLE = 1.0, 0.7, 0.3
_WITHOUT_NOUN = 0.5
_SAME_KIND = 0.8
_STRANGE = 0.25
_KINDS = frozenset({"currency", "transport", "food", "clothes"})
_PURPOSES = frozenset({
    "creative", "write", "draw", "picture", "translate", "edit", "why", "opinion", "study", "code",
})  # fmt: skip
_WEAK = frozenset({"ile", "dzis", "dzisiaj", "jutro", "teraz", "jest", "mam", "jaki", "jaka"})
_PARTICLES = frozenset({"prep", "conj", "comp", "part", "qub", "adv", "interj", "pred"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Likeness:
    """A tool and how much the prompt is like the nearest of its examples, from 0 to 1."""

    spec: ToolSpec
    value: float


def most_alike(prompt: str, tools: Sequence[ToolSpec]) -> Likeness | None:
    """Return the tool with the example nearest to the prompt; the first of equals.

    Words of another purpose ("wiersz o kursie dolara", "dlaczego …") count against every tool
    whose examples have none of that purpose; a text to be worked on is like no tool.
    """
    if is_on_text(prompt) or is_refused(strip_opening(prompt)):
        return None
    own = part(prompt).own
    found = [
        Likeness(spec=spec, value=_likeness(own, spec.examples)) for spec in tools if spec.examples
    ]
    return max(found, key=lambda likeness: likeness.value, default=None)


def _likeness(prompt: str, examples: Sequence[str]) -> float:
    purposes = frozenset().union(*(_purposes(example) for example in examples))
    strange = len(_purposes(prompt) - purposes)
    nearest = max(_alike(prompt, example) for example in examples)
    return max(0.0, nearest - _STRANGE * strange)


@lru_cache(maxsize=512)
def _purposes(text: str) -> frozenset[str]:
    groups = (groups_of(word.folded) for word in split_words(text))
    return frozenset(group for found in groups for group in found & _PURPOSES)


def read_arguments(prompt: str, spec: ToolSpec, *, today: date | None) -> JsonObject:
    """Fill what can be read with certainty: places, days, choices, numbers, codes."""
    found: dict[str, JsonValue] = {}
    for name, schema in spec.properties.items():
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
    words = {fold(word.text) for word in split_words(prompt)} | _weighed(prompt).keys()
    return next((choice for choice in choices if fold(choice) in words), None)


def _number(prompt: str) -> int | float | None:
    for word in split_words(prompt):
        value = read_number(word.text) if word.text.isdigit() else None
        if value is not None:
            return int(value)
    return None


def _alike(prompt: str, example: str) -> float:
    """Compare by words, nouns most of all, and by letters; 1 for the same text."""
    asked, known = _weighed(prompt), _weighed(example)
    matches = {word: max((_match(word, other) for other in known), default=0.0) for word in asked}
    shared = sum(asked[word] * match for word, match in matches.items())
    total = sqrt(sum(asked.values()) * sum(known.values()))
    words = shared / total if total else 0.0
    has_noun = any(match and asked[word] == _NOUN for word, match in matches.items())
    if not has_noun and _NOUN in known.values():
        words *= _WITHOUT_NOUN
    return _WORD_WEIGHT * min(words, 1.0) + (1 - _WORD_WEIGHT) * _cosine(
        _grams(prompt), _grams(example)
    )


def _match(word: str, other: str) -> float:
    """Tell equal words and words of one narrow group: "funt" where an example says "euro"."""
    if word == other:
        return 1.0
    return _SAME_KIND if groups_of(word) & groups_of(other) & _KINDS else 0.0


def _cosine(left: frozenset[str], right: frozenset[str]) -> float:
    if not left or not right:
        return 0.0
    return len(left & right) / sqrt(len(left) * len(right))


@lru_cache(maxsize=512)
def _grams(text: str) -> frozenset[str]:
    return frozenset(gram for gram in letters(text) if len(gram) >= _SHORTEST)


@lru_cache(maxsize=512)
def _weighed(text: str) -> Mapping[str, float]:
    """Return the folded lemmas of a text's words with weights: nouns most, particles least."""
    found: dict[str, float] = {}
    for word in split_words(text):
        if len(word.text) < _SHORTEST or _CODE.fullmatch(word.text):
            continue
        readings = morphology().readings(word.text)
        kinds = {reading.pos for reading in readings}
        weight = _NOUN if not readings or "subst" in kinds else _VERB
        if word.folded in _WEAK or (kinds and kinds <= _PARTICLES):
            weight = _PARTICLE
        found[fold(readings[0].lemma) if readings else word.folded] = weight
    return MappingProxyType(found)
