"""Templates of calculations: expressions over the quantities that a story names, in order."""

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

LETTERS = "abcdefgh"
"""Slots for quantities: ``a`` is the first in the story that is used, whatever stands between."""

Values: TypeAlias = NDArray[np.float64]
Measure: TypeAlias = float | Values

ROLES = (
    "unused", "alone", "added", "taken", "factor", "divisor", "from one", "to one", "base",
    "power", "inside",
    "added.in", "taken.in", "factor.in", "divisor.in", "from one.in", "to one.in",
)  # fmt: skip
"""What a quantity is in an expression; ``.in`` where that part is not the whole of it."""

JOINS = ("add", "take", "taken by", "times", "over", "under", "raised")
"""What joins two quantities where their parts of an expression meet, the earlier one first."""

UNARY: Mapping[str, Callable[[Values], Values]] = MappingProxyType({
    "floor": np.floor,
    "ceiling": np.ceil,
    "sqrt": np.sqrt,
})
BINARY: Mapping[str, Callable[[Values, Values], Values]] = MappingProxyType({
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
})
_LEVELS = MappingProxyType({"+": 1, "-": 1, "*": 2, "/": 2, "**": 3})
_ATOM = 4
_SAME = 1e-9
_NEAR = 1e-6
_CONVERTING: Mapping[str, float] = MappingProxyType({
    sign: -math.log(float(sign))
    for sign in ("7", "12", "24", "60", "100", "1000", "3600", "10000", "100000", "1000000")
})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Part:
    """A part of the tree: a sum or product has all its terms, the taken or dividing ones apart."""

    sign: str
    slots: frozenset[int]
    kept: tuple["_Part", ...] = ()
    turned: tuple["_Part", ...] = ()


_LEAVES = MappingProxyType({
    sign: _Part(sign=sign, slots=frozenset({at})) for at, sign in enumerate(LETTERS)
})
_WHOLES = MappingProxyType({
    "+": ("+", False),
    "-": ("+", True),
    "*": ("*", False),
    "/": ("*", True),
})


@dataclass(frozen=True, kw_only=True, slots=True)
class Template:
    """One template: ``code`` in postfix order ("a b * c -"), its slots' roles and joins.

    ``roles`` are (slot, role), ``joins`` (earlier slot, later slot, join); ``kinds`` say what it
    has, for the words of a story to speak for: its shape, its outermost sign, its constants.
    """

    code: str
    slots: int
    roles: tuple[tuple[int, int], ...]
    joins: tuple[tuple[int, int, int], ...]
    kinds: tuple[str, ...]

    def value(self, quantities: Sequence[Values]) -> Values:
        """Return its values, given those of the quantities in its slots, all of one shape."""
        stack: list[Values] = []
        for sign in self.code.split():
            if sign in BINARY:
                right, left = stack.pop(), stack.pop()
                stack.append(BINARY[sign](left, right))
            elif sign in UNARY:
                inside = stack.pop()
                near = np.round(inside)
                is_whole = np.abs(inside - near) <= _SAME * np.abs(near)
                stack.append(UNARY[sign](np.where(is_whole, near, inside)))
            elif sign in LETTERS:
                stack.append(quantities[LETTERS.index(sign)])
            else:
                number = np.pi if sign == "pi" else np.float64(sign)
                stack.append(quantities[0] * 0 + number)
        return stack[0]

    def measure(self, quantities: Sequence[Measure], *, scales: bool) -> tuple[Measure, Measure]:
        """Return what its values measure, and how often unlike measures are added.

        Args:
            quantities: One code of what those in its slots measure, all numbers or all arrays of
                one shape; see `measures.measure`.
            scales: Whether these are logarithms of scales, so that constants convert units.

        Returns:
            NaN in the first where it is not known.
        """
        stack: list[Measure] = []
        constants: list[float] = []
        clashes: Measure = 0.0
        for sign in self.code.split():
            if sign in BINARY:
                right, left = stack.pop(), stack.pop()
                by = constants.pop()
                constants[-1] = math.nan
                if sign in "+-":
                    clashes = clashes + _clash(left, right)
                    stack.append(_known(left, right))
                elif sign == "**":
                    stack.append(left if math.isnan(by) else left * by)
                else:
                    stack.append(left + right if sign == "*" else left - right)
            elif sign == "sqrt":
                stack.append(stack.pop() / 2)
            elif sign in LETTERS:
                stack.append(quantities[LETTERS.index(sign)])
                constants.append(math.nan)
            elif sign not in UNARY:
                stack.append(_CONVERTING.get(sign, 0.0) if scales else 0.0)
                constants.append(math.pi if sign == "pi" else float(sign))
        return stack[0], clashes

    def write(self, quantities: Sequence[str]) -> str:
        """Return the expression with the quantities in its slots, with brackets where needed."""
        stack: list[tuple[str, int]] = []
        for sign in self.code.split():
            if sign in BINARY:
                right, left = stack.pop(), stack.pop()
                stack.append(_write(sign, left, right))
            elif sign in UNARY:
                stack.append((f"{sign}({stack.pop()[0]})", _ATOM))
            elif sign in LETTERS:
                text = quantities[LETTERS.index(sign)]
                stack.append((text, _LEVELS["/"] if "/" in text else _ATOM))
            else:
                stack.append((sign, _ATOM))
        return stack[0][0]


def _clash(one: Measure, other: Measure) -> Measure:
    """1 where two are known and differ."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return (np.abs(np.subtract(one, other)) > _NEAR).astype(np.float64)
    return float(abs(one - other) > _NEAR)


def _known(one: Measure, other: Measure) -> Measure:
    """The first of two that is known."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.where(np.isnan(one), other, one)
    return other if math.isnan(one) else one


def _write(sign: str, left: tuple[str, int], right: tuple[str, int]) -> tuple[str, int]:
    level = _LEVELS[sign]
    is_plain = left[1] > level or (left[1] == level and sign != "**")
    first = left[0] if is_plain else f"({left[0]})"
    second = right[0] if right[1] > level or sign == "+" else f"({right[0]})"
    gap = " " if level == 1 else ""
    return f"{first}{gap}{sign}{gap}{second}", level


def parse(code: str) -> Template:
    """Take a template's postfix code apart.

    Raises:
        IndexError: a sign lacks what it joins.
    """
    stack: list[_Part] = []
    for sign in code.split():
        if sign in BINARY:
            right, left = stack.pop(), stack.pop()
            stack.append(_joined(sign, left, right))
        elif sign in UNARY:
            inside = stack.pop()
            stack.append(_Part(sign=sign, slots=inside.slots, kept=(inside,)))
        else:
            stack.append(_LEAVES.get(sign) or _Part(sign=sign, slots=frozenset()))
    (tree,) = stack
    return Template(
        code=code,
        slots=len(tree.slots),
        roles=tuple(sorted(set(_roles(tree, is_whole=True)))),
        joins=tuple(sorted(set(_joins(tree)))),
        kinds=_kinds(code, tree),
    )


def _joined(sign: str, left: _Part, right: _Part) -> _Part:
    whole, turns = _WHOLES.get(sign, (sign, True))
    slots = left.slots | right.slots
    kept: tuple[_Part, ...] = (left,)
    turned: tuple[_Part, ...] = ()
    if left.sign == whole and whole != "**":
        kept, turned = left.kept, left.turned
    if turns:
        return _Part(sign=whole, slots=slots, kept=kept, turned=(*turned, right))
    return _Part(sign=whole, slots=slots, kept=(*kept, right), turned=turned)


def _role(part: _Part, *, is_turned: bool) -> str:
    if part.sign == "+":
        others = [one for one in (*part.kept, *part.turned) if one.sign == "1"]
        if others and len(part.kept) + len(part.turned) == 2:  # noqa: PLR2004 - "1 - p"
            return "from one" if is_turned else "to one"
        return "taken" if is_turned else "added"
    if part.sign == "*":
        return "divisor" if is_turned else "factor"
    if part.sign == "**":
        return "power" if is_turned else "base"
    return "inside"


def _roles(part: _Part, *, is_whole: bool) -> Iterator[tuple[int, int]]:
    if not part.kept:
        if part.sign in LETTERS and is_whole:
            yield LETTERS.index(part.sign), ROLES.index("alone")
        return
    for is_turned, terms in ((False, part.kept), (True, part.turned)):
        for one in terms:
            if not one.kept and one.sign in LETTERS:
                role = _role(part, is_turned=is_turned)
                inner = f"{role}.in"
                name = inner if not is_whole and inner in ROLES else role
                yield LETTERS.index(one.sign), ROLES.index(name)
            yield from _roles(one, is_whole=is_whole and part.sign in UNARY)


def _joins(part: _Part) -> Iterator[tuple[int, int, int]]:
    terms = [(one, False) for one in part.kept] + [(one, True) for one in part.turned]
    for at, (one, is_turned) in enumerate(terms):
        yield from _joins(one)
        for other, is_other_turned in terms[at + 1 :]:
            for left in one.slots:
                for right in other.slots - {left}:
                    is_forward = left < right
                    name = _join(part.sign, is_turned, is_other_turned, is_forward=is_forward)
                    yield min(left, right), max(left, right), JOINS.index(name)


def _join(sign: str, is_turned: bool, is_other_turned: bool, *, is_forward: bool) -> str:
    if sign == "**":
        return "raised"
    if is_turned == is_other_turned:
        return "add" if sign == "+" else "times"
    names = ("take", "taken by") if sign == "+" else ("over", "under")
    return names[0 if is_forward else 1]


def _kinds(code: str, tree: _Part) -> tuple[str, ...]:
    signs = code.split()
    shape = " ".join("x" if sign in LETTERS else sign for sign in signs)
    root = tree.sign if not tree.turned else f"{tree.sign} turned"
    constants = {sign for sign in signs if sign[0].isdigit() or sign == "pi"}
    used = {sign for sign in signs if sign in UNARY or sign in BINARY}
    return (
        f"shape {shape}",
        f"root {root}",
        f"slots {len(tree.slots)}",
        *(f"has {sign}" for sign in sorted(constants | used)),
    )
