"""The tree of an expression that has been read: plain values, safe to send to a worker."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A literal in ASCII digits with a decimal point, exactly as written: ``"0.10"``."""

    text: str

    @property
    def is_decimal(self) -> bool:
        """Whether it was written as a decimal fraction."""
        return not self.text.isdigit()


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable or a constant."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator (``"+"``, ``"neg"``, ``"="``) or an allowed function with its arguments."""

    function: str
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Group:
    """Several expressions in brackets: rows, limits, equations."""

    items: "tuple[Expression, ...]"


Expression: TypeAlias = Number | Symbol | Apply | Group

RELATIONS = frozenset({"=", "!=", "<", "<=", ">", ">="})


def is_relation(node: Expression) -> bool:
    """Whether it is an equation, an inequality, or several of them joined."""
    return isinstance(node, Apply) and (
        node.function in RELATIONS
        or (node.function in {"and", "or"} and all(map(is_relation, node.arguments)))
    )


def parts(node: Expression) -> tuple[Expression, ...]:
    """The nodes directly below this one."""
    match node:
        case Apply(arguments=below) | Group(items=below):
            return below
        case _:
            return ()


def walk(node: Expression) -> Iterator[Expression]:
    """Every node of the tree, without recursion."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(parts(current))


def bound_names(node: Expression) -> frozenset[str]:
    """Variables that something runs over: ``i`` in ``summation(i, (i, 1, n))``."""
    names: set[str] = set()
    for current in walk(node):
        match current:
            case Apply(function=function, arguments=(_, *rest)) if function in _BINDERS:
                for argument in rest:
                    names.update(_first_symbols(argument, takes_all=function == "solve"))
            case _:
                pass
    return frozenset(names)


_BINDERS = frozenset({
    "collect",
    "diff",
    "integrate",
    "limit",
    "limit_left",
    "limit_right",
    "nsolve",
    "product",
    "series",
    "solve",
    "subs",
    "summation",
})


def _first_symbols(argument: Expression, *, takes_all: bool) -> tuple[str, ...]:
    match argument:
        case Symbol(name=name):
            return (name,)
        case Group(items=items):
            counted = items if takes_all else items[:1]
            return tuple(item.name for item in counted if isinstance(item, Symbol))
        case _:
            return ()
