"""Tells whether two expressions ask for the same computation; only worker processes import this."""

from collections.abc import Callable, Sequence
from itertools import permutations

import sympy
from sympy import MatrixBase

from chatbot.errors import ToolError
from chatbot.tools.mathematics.building import Builder
from chatbot.tools.mathematics.calculation import KNOWN_FAILURES
from chatbot.tools.mathematics.expression import RELATIONS, Apply, Expression, Group
from chatbot.tools.mathematics.reading import read

_FORMS = frozenset({"simplify", "expand", "factor", "cancel", "together", "apart"})
_MOST_EQUATIONS = 4


def have_same_value(left: str, right: str) -> bool:
    """Whether both read as the same tree, or come to the same value by the mathematics tool.

    Equations are the same if their sides differ by the same; ``factor(x)`` and ``expand(x)`` are
    different questions though their values are equal.
    """
    try:
        one, other = read(left), read(right)
        return one == other or _ask_the_same(one, other)
    except (ToolError, *KNOWN_FAILURES):
        return False


def _ask_the_same(one: Expression, other: Expression) -> bool:
    (form, parts), (other_form, other_parts) = _question(one), _question(other)
    if form != other_form or len(parts) != len(other_parts) or len(parts) > _MOST_EQUATIONS:
        return False
    is_same = _is_same_relation if form == "solve" else _is_same_value
    orders = permutations(other_parts) if form == "solve" else [other_parts]
    return any(_are_all(is_same, parts, order) for order in orders)


def _are_all(
    is_same: Callable[[Expression, Expression], bool],
    parts: Sequence[Expression],
    others: Sequence[Expression],
) -> bool:
    return all(is_same(part, other) for part, other in zip(parts, others, strict=True))


def _question(tree: Expression) -> tuple[str, Sequence[Expression]]:
    """What is asked, and of what: relations are to be solved, whether it is said or not."""
    match tree:
        case Apply(function="solve", arguments=(Group(items=items), *_)):
            return "solve", items
        case Apply(function="solve", arguments=(equation, *_)):
            return "solve", (equation,)
        case Apply(function=relation) if relation in RELATIONS:
            return "solve", (tree,)
        case Group(items=items) if all(_is_relation(item) for item in items):
            return "solve", items
        case Apply(function=form, arguments=arguments) if form in _FORMS:
            return form, arguments
        case _:
            return "value", (tree,)


def _is_relation(tree: Expression) -> bool:
    return isinstance(tree, Apply) and tree.function in RELATIONS


def _is_same_relation(one: Expression, other: Expression) -> bool:
    (sign, left), (other_sign, right) = _difference(one), _difference(other)
    if sign != other_sign:
        return False
    turned = Apply("neg", (right,))
    return _is_same_value(left, right) or (sign == "=" and _is_same_value(left, turned))


def _difference(tree: Expression) -> tuple[str, Expression]:
    """A relation as its sign and the difference of its sides; an expression is compared with 0."""
    match tree:
        case Apply(function=">" | ">=" as sign, arguments=(left, right)):
            return sign.replace(">", "<"), Apply("-", (right, left))
        case Apply(function=sign, arguments=(left, right)) if sign in RELATIONS:
            return sign, Apply("-", (left, right))
        case _:
            return "=", tree


def _is_same_value(one: Expression, other: Expression) -> bool:
    return _are_equal(Builder(one).build(one), Builder(other).build(other))


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
