"""An amount: an expression with its value and its dimensions, and how amounts are put together."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from chatbot.router.detector.formulas.problems.amounts.units import Dimensions, times


@dataclass(frozen=True, kw_only=True, slots=True)
class Amount:
    """``text`` is worth ``value`` times ``scale`` of the smallest units.

    ``start`` and ``end`` are its places among the words; ``clause`` is what is said around it.
    """

    text: str
    value: Fraction
    dimensions: Dimensions = field(default_factory=dict)
    scale: Fraction = Fraction(1)
    is_sum: bool = False
    start: int = 0
    end: int = 0
    clause: str = ""
    noun: str = ""
    is_bare: bool = False
    is_each: bool = False

    @property
    def size(self) -> Fraction:
        """The amount in the smallest units."""
        return self.value * self.scale

    @property
    def factor(self) -> str:
        """The text as a factor of a product."""
        return f"({self.text})" if self.is_sum else self.text

    @property
    def is_rate(self) -> bool:
        """Whether it is so much of one thing for each of another."""
        return any(power < 0 for power in self.dimensions.values())


def multiply(one: Amount, other: Amount) -> Amount:
    """So much of each, so many times."""
    return replace(
        one,
        text=f"{one.factor}*{other.factor}",
        value=one.value * other.value,
        scale=one.scale * other.scale,
        dimensions=times(one.dimensions, other.dimensions),
        is_sum=False,
        is_bare=False,
        end=max(one.end, other.end),
        clause=f"{one.clause} {other.clause}",
        noun=one.noun or other.noun,
    )


def divide(one: Amount, other: Amount) -> Amount:
    """So much shared by so many, or so much by so much."""
    below = f"({other.text})" if other.is_sum or "*" in other.text else other.factor
    below = f"({other.text})" if "/" in other.text and not below.startswith("(") else below
    return replace(
        one,
        text=f"{one.factor}/{below}",
        value=one.value / other.value,
        scale=one.scale / other.scale,
        dimensions=times(one.dimensions, other.dimensions, -1),
        is_sum=False,
        is_bare=False,
        clause=f"{one.clause} {other.clause}",
    )


def add(parts: Sequence[Amount], signs: Sequence[int]) -> Amount:
    """A sum in the units of the first part."""
    first = parts[0]
    text, value = "", Fraction(0)
    for part, sign in zip(parts, signs, strict=True):
        ratio = part.scale / first.scale
        scaled = part.factor if sign < 0 or ratio != 1 else part.text
        scaled += "" if ratio == 1 else f"*{ratio}" if ratio > 1 else f"/{1 / ratio}"
        text += (f" {'+' if sign > 0 else '-'} " if text else "-" if sign < 0 else "") + scaled
        value += sign * part.value * ratio
    return replace(first, text=text, value=value, is_sum=len(parts) > 1, is_bare=False)
