"""Conversions of everyday units: "przelicz 100 km na mile", "ile to 15 stopni w Fahrenheitach"."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from chatbot.language.folding import fold
from chatbot.language.patterns import regex

# Stem of a unit's name, its quantity, and how many of the quantity's first unit it is.
_UNITS: tuple[tuple[str, str, str], ...] = (
    (r"(?:metr\w*|m) ?kwadratow\w*|m2|mkw", "area", "1"),
    (r"(?:centymetr\w*|cm) ?kwadratow\w*|cm2", "area", "0.0001"),
    (r"(?:kilometr\w*|km) ?kwadratow\w*|km2", "area", "1000000"),
    (r"hektar\w*|ha", "area", "10000"),
    (r"ar(?:y|ow|ach|a)?", "area", "100"),
    (r"km/h|kilometr\w* na godzine|km na godzine", "speed", "(1000/3600)"),
    (r"m/s|metr\w* na sekunde", "speed", "1"),
    (r"milimetr\w*|mm", "length", "0.001"),
    (r"centymetr\w*|cm", "length", "0.01"),
    (r"kilometr\w*|km", "length", "1000"),
    (r"metr(?:y|ow|ach|a)?|m", "length", "1"),
    (r"cal(?:e|i|ach|a)?", "length", "0.0254"),
    (r"stop(?:y|ach|a|e)?", "length", "0.3048"),
    (r"jard\w*", "length", "0.9144"),
    (r"mil(?:e|i|ach|a)?", "length", "1609.344"),
    (r"gram\w*|g", "mass", "0.001"),
    (r"dekagram\w*|dag|deko", "mass", "0.01"),
    (r"kilogram\w*|kg|kilo", "mass", "1"),
    (r"ton(?:y|ach|a|e)?", "mass", "1000"),
    (r"funt(?:y|ow|ach|a)?", "mass", "0.45359237"),
    (r"uncj\w+", "mass", "0.028349523125"),
    (r"sekund\w*", "time", "1"),
    (r"minut\w*|min", "time", "60"),
    (r"godzin\w*|h", "time", "3600"),
    (r"dni|dniach|dzien|doby|dob", "time", "86400"),
    (r"doba|dobie|doby", "time", "86400"),
    (r"kwadrans\w*", "time", "900"),
    (r"tygodni\w*|tydzien", "time", "604800"),
    (r"rok|roku|lata|lat", "time", "31536000"),
    (r"mililitr\w*|ml", "volume", "0.001"),
    (r"litr\w*|l", "volume", "1"),
    (r"(?:stopni\w* )?celsjusz\w*|stopni c|°c|c", "temperature", "C"),
    (r"(?:stopni\w* )?fahrenheit\w*|stopni f|°f|f", "temperature", "F"),
)
_NAMES = "|".join(f"(?:{pattern})" for pattern, _, _ in _UNITS)
_FIGURE = r"(?P<figure>-?\d+(?:[.,]\d+)?)"
_OFTEN = r"(?! (?:tygodniu|godzinie|minucie|dobie|roku)\b)"
"""How often, not how much: "5 dni w tygodniu"."""

_FORMS = (
    regex(
        rf"{_FIGURE} ?(?P<source>stopni|{_NAMES}),? "
        rf"(?:na|w{_OFTEN}|to ile|ile to(?: jest)?(?: w)?) (?P<target>{_NAMES})\b"
    ),
    regex(rf"ile (?P<target>{_NAMES}) (?:ma|jest w)(?P<figure>) (?P<source>{_NAMES})\b"),
    regex(
        rf"ile (?:(?:to|jest|mamy) )?(?P<target>{_NAMES}) (?:w|w ciagu|liczy|trwa)(?P<figure>) "
        rf"(?:1 |jedn\w+ |calym )?(?P<source>{_NAMES})\W*$"
    ),
    regex(rf"ile (?P<target>{_NAMES}) (?:to|ma|jest w|maja) {_FIGURE} ?(?P<source>{_NAMES})\b"),
)
_BEFORE = regex(rf"{_FIGURE} ?(?P<source>{_NAMES}) (?:i |oraz )?$")
_BEHIND = regex(rf" (?:i |oraz )?{_FIGURE} ?(?P<source>{_NAMES})\b")
_HALVES = regex(rf"\b(?:pol|poltora|poltorej|cwierc)(?= (?:{_NAMES})\b)")
_FRACTIONS = MappingProxyType({"pol": "0.5", "polto": "1.5", "cwier": "0.25"})
_COMPILED = tuple((regex(pattern), quantity, factor) for pattern, quantity, factor in _UNITS)
_DEGREES: Mapping[tuple[str, str], str] = MappingProxyType({
    ("C", "F"): "{}*9/5 + 32",
    ("F", "C"): "({} - 32)*5/9",
})


_FOREIGN = regex(
    r"cal(?:e|i|ach|a)?|stop(?:y|ach|a|e)?|jard\w*|mil(?:e|i|ach|a)?|funt(?:y|ow|ach|a)?|uncj\w+|"
    r"(?:stopni\w* )?(?:celsjusz\w*|fahrenheit\w*)|stopni [cf]|°[cf]"
)


def is_between_systems(prompt: str) -> bool:
    """Whether a prompt only asks for other units, as tables have them: "5 mil w km"."""
    words = " ".join(fold(prompt).split())
    found = next((one for form in _FORMS if (one := form.search(words))), None)
    if found is None or read_conversion(prompt) is None:
        return False
    return any(_FOREIGN.fullmatch(found[side]) for side in ("source", "target"))


def read_conversion(prompt: str) -> str | None:
    """Return the expression that converts a figure from one unit to another."""
    words = _HALVES.sub(_in_figures, " ".join(fold(prompt).split()))
    for form in _FORMS:
        found = form.search(words)
        if found is not None:
            figure = (found["figure"] or "1").replace(",", ".")
            before = _BEFORE.search(words[: found.start("figure")])
            behind = _BEHIND.match(words, found.end("source"))
            if before is not None or behind is not None:
                parts = tuple(
                    (one["figure"].replace(",", "."), one["source"])
                    for one in (before, found, behind)
                    if one is not None
                )
                return _write_sum(parts, found["target"])
            return _write(figure, found["source"], found["target"])
    return None


def _in_figures(found: re.Match[str]) -> str:
    return _FRACTIONS[found[0][:5]]


def _write_sum(parts: Sequence[tuple[str, str]], target: str) -> str | None:
    """Convert "5 stóp 10 cali": figures with their units, added."""
    units, new = [_unit(source) for _, source in parts], _unit(target)
    quantities = {unit[0] if unit else None for unit in (*units, new)}
    if new is None or quantities in ({None}, {"temperature"}) or len(quantities) > 1:
        return None
    terms = [f"{figure}*{unit[1]}" for (figure, _), unit in zip(parts, units, strict=True) if unit]
    total = " + ".join(terms)
    return total if new[1] == "1" else f"({total})/{new[1]}"


def _write(figure: str, source: str, target: str) -> str | None:
    old, new = _unit(source), _unit(target)
    if source == "stopni" and new is not None and new[0] == "temperature":
        old = ("temperature", "F" if new[1] == "C" else "C")
    if old is None or new is None or old[0] != new[0] or old == new:
        return None
    if old[0] == "temperature":
        return _DEGREES[old[1], new[1]].format(figure)
    return "*".join(part for part in (figure, old[1]) if part != "1") + (
        "" if new[1] == "1" else f"/{new[1]}"
    )


def _unit(name: str) -> tuple[str, str] | None:
    for pattern, quantity, factor in _COMPILED:
        if pattern.fullmatch(name):
            return quantity, factor
    return None
