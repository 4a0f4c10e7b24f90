"""Pieces of an expression in SymPy's syntax, with what is needed to put brackets right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

RELATION, SUM, PRODUCT, NEGATIVE, POWER, ATOM = range(6)

Role: TypeAlias = Literal["", "number", "share", "percent", "matrix", "relation", "solution"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """Text of a subexpression; ``level`` is how tightly it binds, ``letters`` its variables.

    ``is_work`` is true once there is something to compute: an operator, a function, a relation.
    """

    text: str
    level: int = ATOM
    letters: tuple[str, ...] = ()
    role: Role = ""
    is_work: bool = False

    def at(self, level: int) -> str:
        """Return the text, in brackets where it binds less tightly than ``level``."""
        return self.text if self.level >= level else f"({self.text})"


def letters_of(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Return the variables of all nodes, each once, in order."""
    return tuple(dict.fromkeys(letter for node in nodes for letter in node.letters))


def call(function: str, *arguments: Node, tail: str = "") -> Node:
    """Apply a function to arguments; ``tail`` is text of further ones."""
    inside = ", ".join(node.text for node in arguments)
    return Node(text=f"{function}({inside}{tail})", letters=letters_of(arguments), is_work=True)


def add(left: Node, sign: str, right: Node) -> Node:
    """Write a sum or difference; a percentage is taken of the left side."""
    letters = letters_of((left, right))
    if right.role == "percent" and left.role != "percent":
        text = f"{left.at(PRODUCT)}*(1 {sign} {right.text})"
        return Node(text=text, level=PRODUCT, letters=letters, is_work=True)
    right_level = PRODUCT if sign == "-" else SUM
    text = f"{left.at(SUM)} {sign} {_unsigned(right, right_level)}"
    return Node(text=text, level=SUM, letters=letters, is_work=True)


def multiply(left: Node, sign: str, right: Node) -> Node:
    """Write a product (``*``) or a quotient (``/``)."""
    level = POWER if sign == "/" else PRODUCT
    inner = level if right.role not in {"share", "percent"} else POWER
    text = f"{left.at(PRODUCT)}{sign}{_unsigned(right, inner)}"
    role: Role = "matrix" if left.role == right.role == "matrix" else ""
    if {left.role, right.role} <= {"share", "percent"}:  # "10% z 10% z 1000"
        role = right.role
    return Node(
        text=text, level=PRODUCT, letters=letters_of((left, right)), is_work=True, role=role
    )


def power(base: Node, exponent: Node) -> Node:
    """Write a power."""
    text = f"{base.at(ATOM)}**{exponent.at(ATOM)}"
    return Node(text=text, level=POWER, letters=letters_of((base, exponent)), is_work=True)


def negate(node: Node) -> Node:
    """Write the opposite."""
    return Node(
        text=f"-{node.at(PRODUCT)}", level=NEGATIVE, letters=node.letters, is_work=node.is_work
    )


def relate(left: Node, sign: str, right: Node) -> Node:
    """Write an equation or inequality."""
    texts = {
        "=": f"Eq({left.text}, {right.text})",
        "!=": f"Ne({left.text}, {right.text})",
    }
    text = texts.get(sign, f"{left.text} {sign} {right.text}")
    level = ATOM if sign in texts else RELATION
    letters = letters_of((left, right))
    return Node(text=text, level=level, letters=letters, role="relation", is_work=True)


def number(text: str) -> Node:
    """Write a number."""
    return Node(text=text, role="number", level=ATOM if not text.startswith("-") else NEGATIVE)


def share(text: str) -> Node:
    """Write a fraction that was said in words: "trzy czwarte"."""
    return Node(text=text, level=PRODUCT, role="share")


def percent(node: Node) -> Node:
    """Write a percentage."""
    return Node(text=f"{node.at(PRODUCT)}/100", level=PRODUCT, role="percent", letters=node.letters)


def plain(node: Node) -> Node:
    """Drop the role, so that the node is an ordinary operand."""
    return replace(node, role="")


def _unsigned(node: Node, level: int) -> str:
    """Return the text, in brackets also where it would put two signs side by side."""
    return f"({node.text})" if node.level == NEGATIVE else node.at(level)
