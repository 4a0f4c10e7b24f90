"""Reads what computation the tree of an expression asks for."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from chatbot.tools.mathematics.expression import (
    RELATIONS,
    Apply,
    Expression,
    Group,
    Number,
    Symbol,
    is_relation,
    walk,
)

JOINTS = frozenset({"and", "or"})
MOST_PARTS = 4
"""More equations than this are not compared in every order."""

_FORMS = frozenset({"simplify", "expand", "factor", "cancel", "together", "apart"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Computation:
    """What is asked, of what, and for which unknowns, where they are named.

    The parts of ``"solve"`` hold together, one of those of ``"solve any"`` does.
    """

    form: str
    parts: tuple[Expression, ...]
    unknowns: frozenset[str] | None = None

    def may_be(self, other: "Computation") -> bool:
        """Whether nothing but the parts can tell the two from each other."""
        are_named = self.unknowns is not None and other.unknowns is not None
        return (
            (self.form, len(self.parts)) == (other.form, len(other.parts))
            and len(self.parts) <= MOST_PARTS
            and not (are_named and self.unknowns != other.unknowns)
        )


def read_computation(tree: Expression) -> Computation:
    """What is asked: relations are to be solved, whether it is said or not."""
    match tree:
        case Apply(function="solve", arguments=(conditions, *unknowns)):
            return replace(_conditions(conditions), unknowns=_names(unknowns))
        case Group(items=items) if all(map(is_relation, items)):
            return _conditions(tree)
        case _ if is_relation(tree):
            return _conditions(tree)
        case Apply(function=form, arguments=arguments) if form in _FORMS:
            return Computation(form=form, parts=arguments)
        case _:
            return Computation(form="value", parts=(tree,))


def read_sides(tree: Expression) -> tuple[str, tuple[Expression, Expression]]:
    """A relation as its sign with its sides; an expression is compared with 0."""
    match tree:
        case Apply(function=">" | ">=" as sign, arguments=(left, right)):
            return sign.replace(">", "<"), (right, left)
        case Apply(function=sign, arguments=(left, right)) if sign in RELATIONS:
            return sign, (left, right)
        case _:
            return "=", (tree, Number("0"))


def is_joined(tree: Expression) -> bool:
    """Whether it is several conditions in one."""
    return isinstance(tree, Apply) and tree.function in JOINTS


def _conditions(tree: Expression) -> Computation:
    match tree:
        case Group(items=parts) | Apply(function="and", arguments=parts):
            return Computation(form="solve", parts=parts)
        case Apply(function="or", arguments=parts):
            return Computation(form="solve any", parts=parts)
        case _:
            return Computation(form="solve", parts=(tree,))


def _names(unknowns: Iterable[Expression]) -> frozenset[str] | None:
    nodes = [node for one in unknowns for node in walk(one)]
    return frozenset(node.name for node in nodes if isinstance(node, Symbol)) if nodes else None
