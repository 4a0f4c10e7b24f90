"""The parts of an expression: its terms, the expressions inside it."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chatbot.router.dialogue.calculations.proposal_roles import tree

_MOST = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part as it is written; ``is_taken``: it is taken off; ``is_number``: it is one constant."""

    text: str
    is_taken: bool = False
    is_number: bool = False


@lru_cache(maxsize=256)
def parts(expression: str) -> tuple[Part, ...]:
    """Return the expressions inside an expression that do something, the outermost first."""
    whole = tree(expression)
    inner = [one for one in ast.walk(whole) if isinstance(one, ast.BinOp) and one is not whole]
    found = (_part(expression, one) for one in inner)
    return tuple({one.text: one for one in found}.values())[:_MOST]


@lru_cache(maxsize=256)
def addends(expression: str) -> tuple[Part, ...]:
    """Return what an expression adds up or takes off; itself where it does neither."""
    return tuple(_addends(expression, tree(expression), is_taken=False))


def summed(terms: Sequence[Part]) -> str:
    """Add up terms and take off those that are taken off."""
    added = [one.text for one in terms if not one.is_taken]
    taken = [one.text for one in terms if one.is_taken]
    if not added:
        return " + ".join(taken)
    return " - ".join((" + ".join(added), *taken))


def _addends(expression: str, node: ast.expr, *, is_taken: bool) -> Iterator[Part]:
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield from _addends(expression, left, is_taken=is_taken)
            is_turned = isinstance(op, ast.Sub)
            yield from _addends(expression, right, is_taken=is_taken != is_turned)
        case _:
            yield _part(expression, node, is_taken=is_taken)


def _part(expression: str, node: ast.expr, *, is_taken: bool = False) -> Part:
    text = ast.get_source_segment(expression.strip(), node) or ""
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return Part(
        text=f"({text})" if is_sum else text,
        is_taken=is_taken,
        is_number=not isinstance(node, ast.BinOp),
    )
