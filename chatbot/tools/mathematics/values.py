"""What expressions come to in SymPy, and how functions read what they are given."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sympy import Basic, Expr, Integer, MatrixBase

from chatbot.errors import ToolError

Scalar: TypeAlias = "Basic | MatrixBase"
Value: TypeAlias = "Basic | MatrixBase | tuple[Value, ...]"
"""What an expression comes to: a SymPy object, or several of them."""

Operation: TypeAlias = Callable[..., Value]


_LONGEST_BOUND = 12


def read_integer(value: Value, *, least: int, most: int, what: str) -> int:
    """A whole number within bounds, for orders, sizes and digits.

    Raises:
        ToolError: it is anything else.
    """
    if isinstance(value, Integer) and least <= value <= most:
        return int(value)
    raise ToolError(f"{what}: podaj liczbę całkowitą od {least} do {_brief(most)}.")


def _brief(bound: int) -> str:
    """A bound as people write it: large ones are powers of ten."""
    text = str(bound)
    return text if len(text) <= _LONGEST_BOUND else f"10^{len(text) - 1}"


def flatten(values: Sequence[Value]) -> tuple[Expr, ...]:
    """Numbers given one by one or as one list.

    Raises:
        ToolError: there are none, or lists of lists.
    """
    if len(values) == 1 and isinstance(values[0], tuple):
        return flatten(values[0])
    if not values or any(isinstance(value, tuple) for value in values):
        raise ToolError("Podaj liczby po przecinku, na przykład: gcd(12, 18).")
    return tuple(values)
