"""Right expressions of stories: their value, and the template that they are made from."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, permutations
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
import sympy

from chatbot.errors import ToolError
from chatbot.router.detector.formulas.stories.templates import LETTERS, parse
from chatbot.router.dialogue.calculations.rereading import is_same_value
from chatbot.tools.mathematics.building import Builder
from chatbot.tools.mathematics.calculation import KNOWN_FAILURES
from chatbot.tools.mathematics.expression import Apply, Expression, Number, Symbol
from chatbot.tools.mathematics.reading import read

_COMMON = frozenset(map(float, (0, 1, 2, 3, 4, 5, 6, 7, 10, 12, 60, 100, 1000)))
_RARER = (8, 9, 15, 16, 20, 24, 30, 31, 32, 50, 52, 90, 180, 360, 365, 3600, 10000, 100000, 1000000,
          0.01, 0.25, 0.5, 1.8, 3.6)  # fmt: skip
_CONSTANTS = _COMMON | frozenset(map(float, _RARER))
_SCALES = (100, 1000, 60, 10, 3600, 10000, 7, 24, 12)
_MIXED = (60, 100, 1000, 10, 12, 7, 3600)
_UNARY = frozenset({"floor", "ceiling", "sqrt"})
_SAME = 1e-9
_STAND_INS = tuple(10007.0 + 1013 * at for at in range(len(LETTERS)))
_SIGNS: Mapping[str, tuple[str, bool]] = MappingProxyType({
    "+": ("+", False), "-": ("+", True), "*": ("*", False), "/": ("*", True),
    "Rational": ("*", True),
})  # fmt: skip


class NoTemplateError(ValueError):
    """The expression has numbers that the story lacks, or functions that no template has."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A quantity by its place, or a constant."""

    at: int | None
    constant: str = ""


@dataclass(frozen=True, slots=True)
class _Node:
    """A sum, a product or a function; what is taken off or divides stands apart."""

    sign: str
    kept: tuple["_Tree", ...]
    turned: tuple["_Tree", ...] = ()


_Tree: TypeAlias = _Leaf | _Node


def value_of_expression(text: str) -> float | None:
    """Return what an expression comes to, the only or only positive root of an equation."""
    try:
        tree = read(text)
        match tree:
            case Apply(function="solve", arguments=(Apply(function="=", arguments=sides), *_)):
                roots = sympy.solve(Builder(tree).build(Apply("-", sides)))
                real = [float(root) for root in roots if root.is_real]
                kept = real if len(real) == 1 else [root for root in real if root > 0]
                return kept[0] if len(kept) == 1 else None
            case _:
                value = float(Builder(tree).build(tree))  # type: ignore[arg-type] # fails if none
    except (ToolError, TypeError, ValueError, AttributeError, *KNOWN_FAILURES):
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Calculation:
    """A template's code, and the places of the quantities in its slots."""

    template: str
    chosen: tuple[int, ...]

    @property
    def signs(self) -> tuple[str | int, ...]:
        """It in postfix signs, with quantities by their places."""
        return tuple(
            self.chosen[LETTERS.index(sign)] if sign in LETTERS else sign
            for sign in self.template.split()
        )


def right_calculation(
    text: str, numbers: Sequence[float], shares: Sequence[bool], values: Sequence[float]
) -> Calculation | None:
    """Return as `find_calculation`; ``None`` where there is none, or none with a right value."""
    try:
        found = find_calculation(text, numbers, shares)
    except (NoTemplateError, ArithmeticError):
        return None
    with np.errstate(all="ignore"):
        value = parse(found.template).value([np.array(numbers[at]) for at in found.chosen])
    return found if any(is_same_value(float(value), one) for one in values) else None


def find_calculation(text: str, numbers: Sequence[float], shares: Sequence[bool]) -> Calculation:
    """Return the template that makes an expression of a story's numbers.

    Args:
        text: The right expression.
        numbers: The story's quantities; percentages as shares of one.
        shares: Which of them are percentages.

    Raises:
        NoTemplateError: There is none.
    """
    try:
        tree = _Aligned(numbers, shares).align(read(text))
    except ToolError as error:
        raise NoTemplateError(text) from error
    return Calculation(_code(tree, text), tuple(sorted(set(_places(tree)))))


def orders_of(code: str) -> tuple[str, ...]:
    """Return the template with its quantities in every order of a story, each once."""
    count = len({sign for sign in code.split() if sign in LETTERS})
    found: dict[str, None] = {}
    for order in permutations(range(count)):
        numbers = [0.0] * count
        for at, place in enumerate(order):
            numbers[place] = _STAND_INS[at]
        found[_code(_Aligned(numbers, [False] * count).align(_stand_in(code)), code)] = None
    return tuple(found)


def _stand_in(code: str) -> Expression:
    stack: list[Expression] = []
    for sign in code.split():
        if sign in LETTERS:
            stack.append(Number(f"{_STAND_INS[LETTERS.index(sign)]:.0f}"))
        elif sign in _UNARY:
            stack.append(Apply(sign, (stack.pop(),)))
        elif sign in _SIGNS or sign == "**":
            right, left = stack.pop(), stack.pop()
            stack.append(Apply(sign, (left, right)))
        else:
            stack.append(Symbol(sign) if sign == "pi" else Number(sign))
    return stack[0]


class _Aligned:
    """Finds the numbers of an expression among those of a story."""

    def __init__(self, numbers: Sequence[float], shares: Sequence[bool]) -> None:
        self._numbers = numbers
        self._shares = shares
        self._used: Counter[int] = Counter()

    def align(self, tree: Expression) -> _Tree:
        """Put quantities and constants in the place of numbers."""
        match tree:
            case Number(text=text):
                return self._number(float(Fraction(text)))
            case Symbol(name="pi"):
                return _Leaf(None, "pi")
            case Apply(function="/" | "Rational", arguments=(Number() as above, Number() as below)):
                return self._share(above, below) or self._joined(
                    "*", (above, below), is_turned=True
                )
            case Apply(function="neg", arguments=(inside,)):
                return _Node("+", (), (self.align(inside),))
            case Apply(function=sign, arguments=(_, _) as parts) if sign in _SIGNS:
                whole, is_turned = _SIGNS[sign]
                return self._joined(whole, parts, is_turned=is_turned)
            case Apply(function=name, arguments=parts) if name in _UNARY or name == "**":
                return _Node(name, tuple(map(self.align, parts)))
            case _:
                raise NoTemplateError(tree)

    def _place(self, value: float) -> _Leaf | None:
        places = [at for at, one in enumerate(self._numbers) if _is_same(one, value)]
        if not places:
            return None
        place = min(places, key=lambda at: (self._used[at], at))
        self._used[place] += 1
        return _Leaf(place)

    def _number(self, value: float) -> _Tree:
        if (place := self._place(value)) is not None:
            return place
        if value in _COMMON:
            return self._percentage(value) or _Leaf(None, f"{value:g}")
        if (made := self._changed(value) or self._scaled(value) or self._mixed(value)) is not None:
            return made
        if value in _CONSTANTS:
            return _Leaf(None, f"{value:g}")
        raise NoTemplateError(value)

    def _percentage(self, value: float) -> _Tree | None:
        """A percentage as it was said."""
        for at, number in enumerate(self._numbers):
            if self._shares[at] and _is_same(number * 100, value):
                self._used[at] += 1
                return _Node("*", (_Leaf(at), _Leaf(None, "100")))
        return None

    def _changed(self, value: float) -> _Tree | None:
        """What a share leaves of one, or makes of it: 1.05 where five per cent were told."""
        for at, number in enumerate(self._numbers):
            if self._shares[at] or 0 < number < 1:
                if _is_same(1 - number, value):
                    return _Node("+", (_Leaf(None, "1"),), (_Leaf(at),))
                if _is_same(1 + number, value):
                    return _Node("+", (_Leaf(None, "1"), _Leaf(at)))
        return self._percentage(value)

    def _scaled(self, value: float) -> _Tree | None:
        """A quantity in another unit: kilograms in grams, minutes in hours."""
        for scale in _SCALES:
            for at, number in enumerate(self._numbers):
                if number == 1:
                    continue
                leaf, by = _Leaf(at), _Leaf(None, str(scale))
                if _is_same(number / scale, value):
                    self._used[at] += 1
                    return _Node("*", (leaf,), (by,))
                if _is_same(number * scale, value):
                    self._used[at] += 1
                    return _Node("*", (leaf, by))
        return None

    def _mixed(self, value: float) -> _Tree | None:
        """Two neighbours of two units in one: 3 m 60 cm, 1 h 20 min."""
        for scale in _MIXED:
            by = _Leaf(None, str(scale))
            for at, (one, other) in enumerate(pairwise(self._numbers)):
                if _is_same(one + other / scale, value):
                    return _Node("+", (_Leaf(at), _Node("*", (_Leaf(at + 1),), (by,))))
                if _is_same(one * scale + other, value):
                    return _Node("+", (_Node("*", (_Leaf(at), by)), _Leaf(at + 1)))
        return None

    def _share(self, *parts: Number) -> _Tree | None:
        """A quotient of two numbers that the story tells as one, or as what it leaves of one."""
        above, below = (float(Fraction(part.text)) for part in parts)
        told = [any(abs(one - part) < _SAME for one in self._numbers) for part in (above, below)]
        if all(told) or not below:
            return None
        value = above / below
        if (place := self._place(value)) is not None:
            return place
        if (made := self._changed(value)) is not None:
            return made
        return _Leaf(None, f"{value:g}") if value in _CONSTANTS else None

    def _joined(self, sign: str, parts: Sequence[Expression], *, is_turned: bool) -> _Tree:
        kept: list[_Tree] = []
        turned: list[_Tree] = []
        for number, part in enumerate(parts):
            one = self.align(part)
            sides = (turned, kept) if is_turned and number else (kept, turned)
            if isinstance(one, _Node) and one.sign == sign:
                sides[0].extend(one.kept)
                sides[1].extend(one.turned)
            else:
                sides[0].append(one)
        for one in [each for each in kept if isinstance(each, _Leaf) and each.at is None]:
            if sign == "*" and one in turned:
                kept.remove(one)
                turned.remove(one)
        return kept[0] if len(kept) == 1 and not turned else _Node(sign, tuple(kept), tuple(turned))


def _is_same(one: float, other: float) -> bool:
    return abs(one - other) <= _SAME * max(1.0, abs(other))


def _code(tree: _Tree, text: str) -> str:
    places = sorted(set(_places(tree)))
    if not 1 <= len(places) <= len(LETTERS):
        raise NoTemplateError(text)
    return _postfix(tree, {place: LETTERS[at] for at, place in enumerate(places)})


def _places(tree: _Tree) -> Iterator[int]:
    match tree:
        case _Leaf(at=at):
            if at is not None:
                yield at
        case _Node(kept=kept, turned=turned):
            for one in (*kept, *turned):
                yield from _places(one)


def _postfix(tree: _Tree, letters: Mapping[int, str]) -> str:
    match tree:
        case _Leaf(at=None, constant=constant):
            return constant
        case _Leaf(at=int(at)):
            return letters[at]
        case _Node(sign="+" | "*" as sign):
            return _chain(tree, sign, letters)
        case _Node(sign=sign, kept=kept):
            return " ".join([*(_postfix(one, letters) for one in kept), sign])
    raise NoTemplateError(tree)


def _chain(node: _Node, sign: str, letters: Mapping[int, str]) -> str:
    """Terms in the order of the story, constants last, but for the one that something is off."""
    kept, turned = (sorted(side, key=_order) for side in (node.kept, node.turned))
    one = _Leaf(None, "1")
    if sign == "+" and one in kept:
        kept.remove(one)
        kept.insert(0, one)
    kept = kept or [_Leaf(None, "0" if sign == "+" else "1")]
    off = "-" if sign == "+" else "/"
    code = _postfix(kept[0], letters)
    for term in kept[1:]:
        code += f" {_postfix(term, letters)} {sign}"
    for term in turned:
        code += f" {_postfix(term, letters)} {off}"
    return code


def _order(tree: _Tree) -> tuple[bool, int, str]:
    places = list(_places(tree))
    return not places, min(places, default=0), str(tree)
