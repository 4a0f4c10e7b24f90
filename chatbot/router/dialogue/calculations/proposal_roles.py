"""What each number of an expression does in it: added, taken off, a factor, a divisor."""

import ast
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

_ADDED, _FACTOR, _DIVISOR = "added", "factor", "divisor"


@lru_cache(maxsize=256)
def roles(expression: str) -> Mapping[Fraction, str]:
    """Return the role of each number; of one that stands there twice, that of the first."""
    found: dict[Fraction, str] = {}
    for value, role in _roles(tree(expression), _ADDED, is_taken=False):
        found.setdefault(value, role)
    return found


def root(expression: str | None) -> str:
    """Return what an expression does last; "f" where it is no arithmetic, "none" without one."""
    match None if expression is None else tree(expression):
        case None:
            return "none"
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return "+-"
        case ast.BinOp(op=ast.Mult()):
            return "*"
        case ast.BinOp(op=ast.Div()) | ast.Call(func=ast.Name(id="Rational")):
            return "/"
        case _:
            return "f"


@lru_cache(maxsize=256)
def tree(expression: str) -> ast.expr:
    """Return an expression taken apart; a name where it cannot be read."""
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Name(id="?")


def _roles(node: ast.AST, role: str, *, is_taken: bool) -> Iterator[tuple[Fraction, str]]:
    match node:
        case ast.Constant(value=int() | float() as value) if math.isfinite(value):
            exact = Fraction(value) if isinstance(value, int) else Fraction(str(value))
            yield exact, f"taken {role}" if is_taken else role
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            inner = _ADDED if role == _ADDED else f"in {role.removeprefix('in ')}"
            yield from _roles(left, inner, is_taken=is_taken)
            yield from _roles(right, inner, is_taken=is_taken != isinstance(op, ast.Sub))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            first = _FACTOR if role == _ADDED else role
            yield from _roles(left, first, is_taken=is_taken)
            second = _turned(first) if isinstance(op, ast.Div) else first
            yield from _roles(right, second, is_taken=is_taken)
        case ast.Call(func=ast.Name(id="Rational"), args=[above, below]):
            if whole := _quotient(above, below):
                yield whole, role
            yield from _roles(above, _FACTOR, is_taken=is_taken)
            yield from _roles(below, _DIVISOR, is_taken=is_taken)
        case _:
            for one in ast.iter_child_nodes(node):
                yield from _roles(one, "inside", is_taken=is_taken)


def _quotient(above: ast.expr, below: ast.expr) -> Fraction | None:
    match above, below:
        case ast.Constant(value=int() as one), ast.Constant(value=int() as other) if other:
            return Fraction(one, other)
        case _:
            return None


def _turned(role: str) -> str:
    return role.replace(_FACTOR, _DIVISOR) if _FACTOR in role else role.replace(_DIVISOR, _FACTOR)
