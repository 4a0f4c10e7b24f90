"""Sums of quantities with units: "3 m 40 cm minus 85 cm, ile to cm", "350 g + 1,2 kg w gramach"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.units import Unit, unit_of
from chatbot.router.detector.formulas.problems.statement import Statement

_NAME = r"[a-z]+"
_ONE = rf"\d+(?:[.,]\d+)? ?{_NAME}\b"
_TERM = rf"{_ONE}(?: (?:i )?{_ONE})*"
_SIGN = r" ?(?:\+|plus|dodac|minus|odjac|[-−–]) ?"
_SUM = regex(rf"(?<![\d.,/*:]){_TERM}(?:{_SIGN}{_TERM})+")
_FROM = regex(rf"\b(?:odejm\w+|odjac|odlicz\w*) ({_TERM}) od ({_TERM})")
_PARTS = regex(rf"({_SIGN})|(\d+(?:[.,]\d+)?) ?({_NAME})\b")
_WANTED = regex(rf"\b(?:w|ile(?: to)?(?: jest| bedzie| wyjdzie)?|na|podaj|wynik w) ({_NAME})\b")
_LOCATIVE = regex(r"(?:ach|ami)$")
_MEASURES = frozenset({"length", "mass", "time"})
_MINUS = regex(r"minus|odjac|[-−–]")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Term:
    number: str
    unit: Unit
    is_taken: bool


def read_measured_sum(statement: Statement) -> str | None:
    """Return the sum in the unit asked for, else in the smallest; ``None`` if numbers are left."""
    words = _FROM.sub(r"\2 minus \1", statement.words)
    found = _SUM.search(words)
    if found is None:
        return None
    rest = f"{words[: found.start()]} ; {words[found.end() :]}"
    terms = list(_terms(found[0]))
    units = [one.unit for one in terms]
    if re.search(r"\d", rest) or not units or not _are_alike(units):
        return None
    wanted = _wanted(rest, units[0]) or min(units, key=lambda one: one.scale)
    if len({one.scale for one in (*units, wanted)}) == 1:
        return None  # plain numbers, which other readers know
    return _written(terms, wanted)


def _terms(text: str) -> Iterator[_Term]:
    is_taken = False
    for part in _PARTS.finditer(text):
        if part[1]:
            is_taken = _MINUS.search(part[1]) is not None
        elif unit := unit_of(part[3]):
            yield _Term(number=part[2].replace(",", "."), unit=unit, is_taken=is_taken)
        else:
            yield _Term(number=part[2], unit=_NO_UNIT, is_taken=is_taken)


_NO_UNIT = Unit(dimensions={}, scale=Fraction(1))


def _are_alike(units: Sequence[Unit]) -> bool:
    first = units[0].dimensions
    return set(first) <= _MEASURES and bool(first) and all(one.dimensions == first for one in units)


def _wanted(rest: str, like: Unit) -> Unit | None:
    """The unit that is asked for, in whatever case."""
    for found in _WANTED.finditer(rest):
        unit = unit_of(found[1]) or unit_of(_LOCATIVE.sub("y", found[1]))
        unit = unit or unit_of(_LOCATIVE.sub("", found[1]))
        if unit is not None and unit.dimensions == like.dimensions:
            return unit
    return None


def _written(terms: Sequence[_Term], wanted: Unit) -> str:
    text = ""
    for one in terms:
        ratio = one.unit.scale / wanted.scale
        factor = "" if ratio == 1 else f"*{ratio.numerator}" if ratio.numerator != 1 else ""
        below = "" if ratio.denominator == 1 else f"/{ratio.denominator}"
        sign = (" - " if one.is_taken else " + ") if text else ""
        text += f"{sign}{one.number}{factor}{below}"
    return text
