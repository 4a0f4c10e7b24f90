"""Builds and evaluates the SymPy value of an expression tree, bottom up."""

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import assert_never

import sympy
from sympy import Basic, Integer, MatrixBase, Rational

from chatbot.errors import ToolError
from chatbot.tools.mathematics.expression import (
    Apply,
    Expression,
    Group,
    Number,
    Symbol,
    bound_names,
)
from chatbot.tools.mathematics.magnitudes import MAX_DEGREE, power
from chatbot.tools.mathematics.operations import OPERATIONS
from chatbot.tools.mathematics.values import Scalar, Value

_CONSTANTS: Mapping[str, Basic] = MappingProxyType({
    "pi": sympy.pi,
    "E": sympy.E,
    "I": sympy.I,
    "oo": sympy.oo,
    "inf": sympy.oo,
})
_UNLESS_BOUND: Mapping[str, Basic] = MappingProxyType({"e": sympy.E, "i": sympy.I})
CONSTANTS = frozenset(_CONSTANTS) | frozenset(_UNLESS_BOUND)
"""Names that mean a number."""


class Builder:
    """Builds the values of one tree; ``i`` and ``e`` are constants unless something binds them."""

    def __init__(self, tree: Expression) -> None:
        """Look through the tree once for the names that are variables."""
        bound = bound_names(tree)
        free = {name: value for name, value in _UNLESS_BOUND.items() if name not in bound}
        self._constants = {**_CONSTANTS, **free}

    def build(self, node: Expression) -> Value:
        """The value of a node.

        Raises:
            ToolError: something cannot be combined or computed.
            TooLarge: a number would have too many digits.
        """
        match node:
            case Number(text=text):
                return Rational(text)
            case Symbol(name=name):
                return self._constants.get(name) or sympy.Symbol(name)
            case Group(items=items):
                return tuple(map(self.build, items))
            case Apply(function="solve"):
                raise ToolError("Rozwiązania równań nie da się użyć wewnątrz innego wyrażenia.")
            case Apply(function=function, arguments=arguments):
                return _apply(function, tuple(map(self.build, arguments)))
            case _:
                assert_never(node)


def _apply(function: str, values: tuple[Value, ...]) -> Value:
    if function in OPERATIONS:
        return _of_function(OPERATIONS[function](*values))
    if any(isinstance(value, tuple) for value in values):
        raise ToolError(
            "Wewnątrz nawiasów przecinek rozdziela wartości. Ułamek dziesiętny zapisz z kropką "
            "(2.5), a macierz tak: Matrix([[1, 2], [3, 4]])."
        )
    return _found(_OPERATORS[function](*values))


def _add(left: Scalar, right: Scalar) -> Value:
    _check_addition(left, right)
    return left + right


def _subtract(left: Scalar, right: Scalar) -> Value:
    _check_addition(left, right)
    return left - right


def _check_addition(left: Scalar, right: Scalar) -> None:
    if isinstance(left, MatrixBase) != isinstance(right, MatrixBase):
        raise ToolError("Macierzy i liczby nie da się dodać. Użyj na przykład: A + eye(2).")
    if isinstance(left, MatrixBase) and left.shape != right.shape:
        raise _wrong_shapes(left, right)


def _multiply(left: Scalar, right: Scalar) -> Value:
    are_matrices = isinstance(left, MatrixBase) and isinstance(right, MatrixBase)
    if are_matrices and left.cols != right.rows:
        raise _wrong_shapes(left, right)
    return left * right


def _wrong_shapes(left: MatrixBase, right: MatrixBase) -> ToolError:
    return ToolError(
        f"Wymiary macierzy nie pasują: {left.rows} × {left.cols} i {right.rows} × {right.cols}."
    )


def _divide(left: Scalar, right: Scalar) -> Value:
    if right == 0:
        raise ZeroDivisionError
    if isinstance(right, MatrixBase):
        raise ToolError("Przez macierz się nie dzieli. Pomnóż przez odwrotną: A*inv(B).")
    return left / right


def _raise(base: Scalar, exponent: Scalar) -> Value:
    if isinstance(base, MatrixBase):
        if not isinstance(exponent, Integer) or abs(exponent) > MAX_DEGREE:
            raise ToolError(f"Macierz podnoszę do potęgi całkowitej, najwyżej {MAX_DEGREE}.")
        return base**exponent
    if base == 0 and exponent.is_negative:
        raise ZeroDivisionError
    return power(base, exponent)


_OPERATORS: Mapping[str, Callable[..., Value]] = MappingProxyType({
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "**": _raise,
    "neg": operator.neg,
    "pos": operator.pos,
    "=": sympy.Eq,
    "!=": sympy.Ne,
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
    "and": sympy.And,
    "or": sympy.Or,
    "not": sympy.Not,
})


def _of_function(value: Value) -> Value:
    try:
        return _found(value)
    except ZeroDivisionError as error:
        raise ToolError("Ta funkcja nie ma wartości w tym punkcie.") from error


def _found(value: Value) -> Value:
    """Pass on a value that means something.

    Raises:
        ZeroDivisionError: it is the infinity without a sign.
        ToolError: it is no number at all.
    """
    if isinstance(value, Basic) and value.has(sympy.zoo):
        raise ZeroDivisionError
    if isinstance(value, Basic) and value.has(sympy.nan):
        raise ToolError("To wyrażenie jest nieoznaczone, na przykład 0/0 albo ∞ − ∞.")
    return value
