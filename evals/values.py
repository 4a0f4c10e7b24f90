"""Tells whether two expressions ask for the same computation; only worker processes import this."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations

import sympy
from sympy import MatrixBase
from sympy.logic.boolalg import BooleanAtom

from chatbot.errors import ToolError
from chatbot.tools.mathematics.building import Builder
from chatbot.tools.mathematics.calculation import KNOWN_FAILURES
from chatbot.tools.mathematics.expression import Apply, Expression, Group
from chatbot.tools.mathematics.reading import read
from chatbot.tools.mathematics.values import Value
from evals.computations import JOINTS, MOST_PARTS, is_joined, read_computation, read_sides


def have_same_value(left: str, right: str) -> bool:
    """Whether both read as the same tree, or come to the same value by the mathematics tool.

    Equations are the same if their sides differ by the same and no other unknowns are named; where
    that difference is a number (2 + 2 = 4), if their sides or addends are the same. What is true
    or false (``isprime(7)``) is the same if it is said of the same. ``factor(x)`` and
    ``expand(x)`` are different questions though their values are equal.
    """
    try:
        one, other = read(left), read(right)
        return one == other or _Comparison(one, other).ask_the_same(one, other)
    except (ToolError, *KNOWN_FAILURES):
        return False


class _Comparison:
    """Compares parts of two expressions; a name that either of them binds is a variable in both."""

    def __init__(self, one: Expression, other: Expression) -> None:
        self._build = Builder(Group((one, other))).build

    def ask_the_same(self, one: Expression, other: Expression) -> bool:
        asked, also_asked = read_computation(one), read_computation(other)
        if not asked.may_be(also_asked):
            return False
        if asked.form.startswith("solve"):
            return _fit(self._is_same_condition, asked.parts, permutations(also_asked.parts))
        return _fit(self._is_same_value, asked.parts, [also_asked.parts])

    def _is_same_condition(self, one: Expression, other: Expression) -> bool:
        if is_joined(one) or is_joined(other):
            return self.ask_the_same(one, other)
        (sign, sides), (other_sign, others) = read_sides(one), read_sides(other)
        orders = [others, others[::-1]] if sign in {"=", "!="} else [others]
        return sign == other_sign and any(self._is_same_relation(sides, order) for order in orders)

    def _is_same_relation(
        self, sides: tuple[Expression, ...], others: tuple[Expression, ...]
    ) -> bool:
        difference, other = Apply("-", sides), Apply("-", others)
        value = self._build(difference)
        if not _are_equal(value, self._build(other)):
            return False
        return (
            not _is_constant(value)
            or self._addends(difference) == self._addends(other)
            or _fit(self._is_same_value, sides, [others])
        )

    def _addends(self, tree: Expression) -> Counter[Value]:
        """What is added in the end, each with its sign."""
        return Counter(value for value in self._add(tree, is_taken=False) if value != 0)

    def _add(self, tree: Expression, *, is_taken: bool) -> Iterator[Value]:
        match tree:
            case Apply(function="+" | "-" | "neg" | "pos" as sign, arguments=(*first, last)):
                for one in first:
                    yield from self._add(one, is_taken=is_taken)
                yield from self._add(last, is_taken=is_taken != (sign in {"-", "neg"}))
            case _:
                yield self._build(Apply("neg", (tree,)) if is_taken else tree)

    def _is_same_value(self, one: Expression, other: Expression) -> bool:
        match one, other:
            case Group(items=items), Group(items=others):
                return len(items) == len(others) and _fit(self._is_same_value, items, [others])
            case _:
                value, other_value = self._build(one), self._build(other)
        if isinstance(value, BooleanAtom) and isinstance(other_value, BooleanAtom):
            return self._is_same_claim(one, other)
        return _are_equal(value, other_value)

    def _is_same_claim(self, one: Expression, other: Expression) -> bool:
        """Whether two expressions that are true or false say the same of the same."""
        match one, other:
            case (Apply(function=claim, arguments=parts), Apply(arguments=others)) if (
                claim == other.function and len(parts) == len(others) <= MOST_PARTS
            ):
                orders = permutations(others) if claim in JOINTS else [others]
                return _fit(self.ask_the_same, parts, orders)
            case _:
                return False


def _fit(
    is_same: Callable[[Expression, Expression], bool],
    parts: Sequence[Expression],
    orders: Iterable[Sequence[Expression]],
) -> bool:
    """Whether each part is the same as the one in its place, in any of the orders."""
    return any(all(map(is_same, parts, order)) for order in orders)


def _is_constant(value: Value) -> bool:
    if not isinstance(value, sympy.Expr):
        return False
    return not value.free_symbols or not sympy.simplify(value).free_symbols


def _are_equal(one: object, other: object) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    if one == other:
        return True
    if isinstance(one, MatrixBase) or isinstance(other, MatrixBase):
        return False
    if not isinstance(one, sympy.Expr) or not isinstance(other, sympy.Expr):
        return False
    return bool(sympy.simplify(one - other) == 0)
