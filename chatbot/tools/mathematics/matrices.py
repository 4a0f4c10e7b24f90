"""What each function of matrices does, in SymPy; only worker processes import this module."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import sympy
from sympy import Integer, MatrixBase

from chatbot.errors import ToolError
from chatbot.tools.mathematics.values import Operation, Value, flatten, read_integer

MAX_SIDE = 12


def _matrix(rows: Value) -> MatrixBase:
    if isinstance(rows, MatrixBase):
        return rows
    if not isinstance(rows, tuple) or not rows:
        raise ToolError("Macierz zapisz wierszami: Matrix([[1, 2], [3, 4]]).")
    table = [list(row) if isinstance(row, tuple) else [row] for row in rows]
    if len({len(row) for row in table}) != 1:
        raise ToolError("Wiersze macierzy mają różne długości.")
    if max(len(table), len(table[0])) > MAX_SIDE:
        raise ToolError(f"Macierz jest za duża: najwyżej {MAX_SIDE} wierszy i kolumn.")
    return sympy.ImmutableDenseMatrix(table)


def _of_matrix(function: Callable[[MatrixBase], Value], *, is_square: bool = False) -> Operation:
    def apply(value: Value) -> Value:
        matrix = _matrix(value)
        if is_square and matrix.rows != matrix.cols:
            raise ToolError(
                f"Ta macierz ma wymiary {matrix.rows} × {matrix.cols}, a potrzebna jest kwadratowa."
            )
        return function(matrix)

    return apply


def _inverse(matrix: MatrixBase) -> Value:
    if sympy.simplify(matrix.det()) == 0:
        raise ToolError("Macierz jest osobliwa (wyznacznik równy 0), więc nie ma odwrotnej.")
    return matrix.inv().applyfunc(sympy.simplify)


def _eigenvalues(matrix: MatrixBase) -> Value:
    return tuple(value for value, times in matrix.eigenvals().items() for _ in range(int(times)))


def _sized(make: Callable[[int, int], MatrixBase]) -> Operation:
    def build(rows: Value, columns: "Value | None" = None) -> Value:
        what = "Rozmiar macierzy"
        height = read_integer(rows, least=1, most=MAX_SIDE, what=what)
        width = (
            height if columns is None else read_integer(columns, least=1, most=MAX_SIDE, what=what)
        )
        return make(height, width).as_immutable()

    return build


MATRICES: Mapping[str, Operation] = MappingProxyType({
    "Matrix": _matrix,
    "det": _of_matrix(lambda m: sympy.simplify(m.det()), is_square=True),
    "inv": _of_matrix(_inverse, is_square=True),
    "transpose": _of_matrix(lambda m: m.T),
    "rank": _of_matrix(lambda m: Integer(m.rank())),
    "trace": _of_matrix(lambda m: m.trace(), is_square=True),
    "rref": _of_matrix(lambda m: m.rref()[0]),
    "norm": _of_matrix(lambda m: m.norm()),
    "eigenvals": _of_matrix(_eigenvalues, is_square=True),
    "dot": lambda a, b: _matrix(a).dot(_matrix(b)),
    "cross": lambda a, b: _matrix(a).cross(_matrix(b)),
    "eye": _sized(lambda rows, _: sympy.eye(rows)),
    "zeros": _sized(sympy.zeros),
    "ones": _sized(sympy.ones),
    "diag": lambda *values: sympy.diag(*flatten(values)).as_immutable(),
})
