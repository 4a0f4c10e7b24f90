"""The constants of an expression, and putting others in their place."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import written

_CONSTANT = regex(r"Rational\((-?\d+), ?(\d+)\)|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])")
_FRACTION = regex(r"\d+/\d+")
_DONE = regex(r"\*\*|[-+*/]|\b(?!Rational)[a-z]\w+\(", re.IGNORECASE)
_THIRD = regex(r"^pi\*.+\*\*2\*.+/3$")  # of a cone: no measure of it
_DECIMAL = frozenset({1, 2, 10, 100, 1000})
_HUNDRED = 100
_TENS = tuple(Fraction(10) ** power for power in (3, 6, -1, -2, -3, -4, -6))


@dataclass(frozen=True, kw_only=True, slots=True)
class Constant:
    """A number of an expression and where it stands; ``sides``: it was written as a quotient."""

    value: Fraction
    start: int
    end: int
    sides: tuple[Fraction, Fraction] | None = None


@lru_cache(maxsize=256)  # every exchange reads them
def constants(expression: str) -> tuple[Constant, ...]:
    """Return the numbers of an expression; a fraction of two figures is one."""
    return tuple(_constants(expression))


def _constants(expression: str) -> Iterator[Constant]:
    end = len(expression) - 1 if _THIRD.match(expression) else len(expression)
    for found in _CONSTANT.finditer(expression, 0, end):
        if found[2] and not int(found[2]):
            continue
        value = Fraction(found[3] or found[1]) / int(found[2] or 1)
        sides = (Fraction(found[1]), Fraction(found[2])) if found[1] else None
        is_quotient = sides is not None and int(found[2]) not in _DECIMAL
        yield Constant(
            value=value,
            start=found.start(),
            end=found.end(),
            sides=sides if is_quotient else None,
        )


def holds(expression: str, value: Fraction) -> bool:
    """Whether a number stands in an expression, plainly or as hundredths of something."""
    below = abs(value)
    return any(
        one.value in {below, below / _HUNDRED, 1 - below / _HUNDRED, 1 + below / _HUNDRED}
        for one in constants(expression)
    ) or all(part in expression for part in (str(below.numerator), str(below.denominator)))


def exchange(expression: str, old: Fraction, new: Fraction, *, share: bool = False) -> str | None:
    """Put ``new`` for ``old``, wherever it stands plainly, else as a share, scaled or halved."""
    form = form_of(expression, old, new, share=share)
    return None if form is None else replaced(expression, dict([form]))


def form_of(
    expression: str, old: Fraction, new: Fraction, *, share: bool = False
) -> tuple[Fraction, Fraction] | None:
    """What ``old`` has become in an expression, and what ``new`` becomes likewise."""
    found = constants(expression)
    values = {one.value for one in found} | {side for one in found for side in one.sides or ()}
    forms = _forms(old, new, share=share)
    return next((form for form in forms if form[0] in values), None)


def replaced(expression: str, values: Mapping[Fraction, Fraction]) -> str:
    """Put other numbers for some, each throughout and all at once."""
    for one in reversed(constants(expression)):
        if (new := _other(one, values)) is not None:
            expression = f"{expression[: one.start]}{new}{expression[one.end :]}"
    return expression


def _other(one: Constant, values: Mapping[Fraction, Fraction]) -> str | None:
    """What stands for a constant where its value, or a side of its quotient, is another one."""
    if one.value in values:
        return written(values[one.value])
    if one.sides is None or not set(one.sides) & values.keys():
        return None
    above, below = (values.get(side, side) for side in one.sides)
    return f"({written(above)}/{written(below)})"


def _forms(old: Fraction, new: Fraction, *, share: bool) -> Iterator[tuple[Fraction, Fraction]]:
    """What the two numbers may have become in an expression, the likeliest first."""
    part, other = old / _HUNDRED, new / _HUNDRED
    shares = ((part, other), (1 - part, 1 - other), (1 + part, 1 + other))
    if share:
        yield from shares
        yield (_HUNDRED - old, _HUNDRED - new)
        yield (_HUNDRED + old, _HUNDRED + new)
    yield (old, new)
    if share:
        return
    yield (old / 2, new / 2)
    yield (old - 1, new - 1)
    yield from ((old * scale, new * scale) for scale in _TENS)
    yield (old * 60, new * 60)


def is_compound(expression: str, value: str) -> bool:
    """Whether more than one thing is done to a value: "plus 7 do kwadratu", "i pierwiastek"."""
    done = _DONE.findall(_FRACTION.sub("", expression.replace(value, "")))
    return len(done) > 1 and not set(done) <= {"*", "/"}
