"""Finds the numbers of a text, each with its sign and its unit (or month, if it is a day)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from chatbot.language.facts.figures import Figure, Reading, read_figure
from chatbot.language.facts.tokens import Token
from chatbot.language.facts.units import DEGREE, read_unit
from chatbot.language.patterns import regex

_FROST = regex(r"mroz\w*|ponizej zera|na minusie")
_WARMTH = regex(r"ciepla|powyzej zera|na plusie")
_LINKS = frozenset({"do", "a", "i", "oraz", "lub", "albo", "-", "–", "—"})
_LAST_DAY = 31


@dataclass(frozen=True, kw_only=True, slots=True)
class Quantity:
    """A number where it stands, its sign and unit included: tokens ``start`` to ``end``.

    Any of the ``readings`` may be meant. ``is_frost``: its sign is in words after it.
    """

    readings: tuple[Reading, ...]
    start: int
    end: int
    is_frost: bool = False

    @property
    def unit(self) -> str | None:
        """The unit of the likeliest reading."""
        return self.readings[0].unit

    @property
    def is_date(self) -> bool:
        """Whether it is certainly the day of a month."""
        return (self.unit or "").startswith("month")


def read_quantities(tokens: Sequence[Token]) -> tuple[Quantity, ...]:
    """All numbers in order; those joined ("od 3 do 5 stopni mrozu") share unit and frost."""
    found: list[Quantity] = []
    position = 0
    while position < len(tokens):
        figure = read_figure(tokens, position)
        if figure is not None:
            found.append(_complete(tokens, figure))
            position = found[-1].end
        else:
            position += 1
    return _share(tokens, found)


def _complete(tokens: Sequence[Token], figure: Figure) -> Quantity:
    """Add the sign before, and the unit and the words of frost or warmth after."""
    readings, end = figure.readings, figure.end
    if readings[0].unit is None:
        unit = read_unit(tokens, end, is_day=_is_day(readings[0]))
        if unit is not None:
            readings, end = (replace(readings[0], unit=unit[0]),), unit[1]
    is_negative, start = _read_sign(tokens, figure.start)
    after = " ".join(token.folded for token in tokens[end : end + 2])
    frost = _FROST.match(after)
    if (said := frost or _WARMTH.match(after)) is not None:
        end += 1 + said[0].count(" ")
    if is_negative or frost is not None:
        readings = tuple(map(_negate, readings))
    return Quantity(readings=readings, start=start, end=end, is_frost=frost is not None)


def _is_day(reading: Reading) -> bool:
    value = reading.value
    return isinstance(value, Fraction) and value.denominator == 1 and 1 <= value <= _LAST_DAY


def _negate(reading: Reading) -> Reading:
    value = reading.value
    return reading if isinstance(value, str) else replace(reading, value=-value)


def _read_sign(tokens: Sequence[Token], start: int) -> tuple[bool, int]:
    """Whether a minus stands before; a dash between two numbers or after a word is none."""
    before = tokens[start - 1] if start else None
    if before is None or not (before.is_dash or before.folded in {"minus", "plus"}):
        return False, start
    if before.kind == "word":
        return before.folded == "minus", start - 1
    if tokens[start].is_spaced and before.text != "−":
        return False, start
    follows = tokens[start - 2].kind if start > 1 and not before.is_spaced else "mark"
    is_range = follows != "mark" or (before.text != "−" and _is_after_unit(tokens, start - 1))
    return (False, start) if is_range else (True, start - 1)


def _is_after_unit(tokens: Sequence[Token], dash: int) -> bool:
    """Whether the dash ties a number to one before it: "3°–5°"."""
    return not tokens[dash].is_spaced and dash > 0 and tokens[dash - 1].text in {"%", DEGREE}


def _share(tokens: Sequence[Token], found: Iterable[Quantity]) -> tuple[Quantity, ...]:
    shared: list[Quantity] = []
    for quantity in reversed(tuple(found)):
        after = shared[-1] if shared else None
        if after is None or quantity.unit is not None or not _are_joined(tokens, quantity, after):
            shared.append(quantity)
            continue
        reading = replace(quantity.readings[0], unit=after.unit)
        one = _negate(reading) if after.is_frost and not quantity.is_frost else reading
        is_frost = quantity.is_frost or after.is_frost
        shared.append(replace(quantity, readings=(one,), is_frost=is_frost))
    return tuple(reversed(shared))


def _are_joined(tokens: Sequence[Token], one: Quantity, other: Quantity) -> bool:
    between = tokens[one.end : other.start]
    return len(between) == 1 and between[0].folded in _LINKS and other.unit is not None
