"""Computes an expression and words the answer; runs in a worker process, under its limits."""

from typing import Literal

import sympy
from sympy import Basic, Expr, MatrixBase, PoleError, S
from sympy.polys.polyerrors import BasePolynomialError

from chatbot.errors import ToolError
from chatbot.tools.mathematics.answer import Answer
from chatbot.tools.mathematics.building import CONSTANTS, Builder
from chatbot.tools.mathematics.expression import (
    Apply,
    Expression,
    Group,
    Number,
    Symbol,
    is_relation,
    walk,
)
from chatbot.tools.mathematics.formulas import write
from chatbot.tools.mathematics.magnitudes import TooLarge, approximate as approximate_tree
from chatbot.tools.mathematics.results import SHORT, Result, describe, equate, show
from chatbot.tools.mathematics.solutions import word_solution
from chatbot.tools.mathematics.solving import solve
from chatbot.tools.mathematics.values import Value
from chatbot.tools.mathematics.wording import (
    Wording,
    approximate,
    exact_decimal,
    is_terminating,
    join,
    word_decimal,
    word_value,
)

_ROUNDING = frozenset({"N", "round", "nsolve"})
KNOWN_FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    BasePolynomialError,
    LookupError,
    NotImplementedError,
    PoleError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What SymPy raises where it has no method."""
_UNKNOWN = "Nie umiem tego obliczyć. Uprość wyrażenie albo zapisz je inaczej."


def calculate(tree: Expression) -> Answer:
    """Compute and word the answer.

    Raises:
        ToolError: in Polish, why there is no answer.
    """
    try:
        return _calculate(tree)
    except ZeroDivisionError as error:
        raise ToolError("Nie można dzielić przez zero.") from error
    except ToolError:
        raise
    except KNOWN_FAILURES as error:
        raise ToolError(_UNKNOWN) from error


def _calculate(tree: Expression) -> Answer:
    builder = Builder(tree)
    match tree:
        case Apply(function="solve", arguments=(conditions, *unknowns)):
            given = (builder.build(conditions), *map(builder.build, unknowns))
            return word_solution(conditions, solve(*given))
        case Group(items=items) if any(is_relation(item) for item in items):
            return word_solution(tree, solve(builder.build(tree)))
        case Group():
            raise ToolError("To lista, a nie działanie. Podaj jedno wyrażenie albo układ równań.")
        case Apply() if is_relation(tree):
            return _compare_or_solve(tree, builder.build(tree))
        case _:
            return _evaluate(tree, builder)


def _evaluate(tree: Expression, builder: Builder) -> Answer:
    function = tree.function if isinstance(tree, Apply) else ""
    try:
        value = builder.build(tree)
    except TooLarge:
        found = approximate_tree(tree)
        if found is None:
            raise
        return equate(tree, Result("≈", word_decimal(sympy.Float(found, 10))))
    if isinstance(tree, Apply) and function == "isprime":
        return _word_primality(word_value(builder.build(tree.arguments[0])), value == S.true)
    if isinstance(tree, Apply) and function == "integrate" and not _has_range(tree):
        found = _with_moduli(_tidy(function, value), builder.build(tree.arguments[0]))
        return equate(tree, Result("=", _word_antiderivative(found)))
    return equate(tree, _describe(tree, function, _tidy(function, value)))


def _tidy(function: str, value: Value) -> Value:
    """Bring a result into its simplest form, where the question was not about the form."""
    if not isinstance(value, Expr) or value.is_Atom or value.count_ops() > SHORT:
        return value
    if value.is_number and value.has(sympy.I):
        return value.expand(complex=True)
    if function in _FORMS:
        return value
    shorter = sympy.simplify(value)
    return shorter if shorter.count_ops() < value.count_ops() else value


_FORMS = frozenset({
    *("expand", "factor", "cancel", "together", "apart", "expand_trig", "collect", "series"),
    *("N", "factorint", "product"),
})


def _word_primality(number: Wording, is_prime: bool) -> Answer:
    claim = "jest liczbą pierwszą" if is_prime else "nie jest liczbą pierwszą"
    sentence = f"{number.plain} {claim}."
    return Answer(content=sentence, plain=sentence, result=claim)


def _with_moduli(antiderivative: Expr, integrand: Expr) -> Expr:
    """``ln |x|`` for ``ln x``, which is right for negative x too.

    Logarithms of the integrand stay: where they are defined, their arguments are positive.
    """
    if antiderivative.has(sympy.I):
        return antiderivative
    real = {symbol: sympy.Dummy(real=True) for symbol in antiderivative.free_symbols}
    return antiderivative.xreplace({
        logarithm: sympy.log(sympy.Abs(logarithm.args[0]))
        for logarithm in antiderivative.atoms(sympy.log) - integrand.atoms(sympy.log)
        if not logarithm.args[0].subs(real).is_nonnegative
    })


def _word_antiderivative(value: Expr) -> Wording:
    found = word_value(value)
    return Wording(f"{found.latex} + C", f"{found.plain} + C")


def _describe(tree: Expression, function: str, value: Value) -> Result:
    if function == "degrees" and isinstance(value, Expr) and value.is_number:
        return _in_degrees(value)
    if function == "nsolve" and (rounded := approximate(value)) is not None:
        return Result("≈", rounded)
    if function in _ROUNDING:
        return Result("≈", exact_decimal(value) if is_terminating(value) else word_value(value))
    is_decimal = any(map(_is_decimal, walk(tree)))
    if isinstance(value, tuple) and not any(isinstance(one, tuple) for one in value):
        return Result("=", join(tuple(describe(one, is_decimal=is_decimal).value for one in value)))
    if not isinstance(value, Expr) or isinstance(value, MatrixBase) or function == "factorint":
        return Result("=", word_value(value))
    return describe(value, is_decimal=is_decimal)


def _in_degrees(value: Expr) -> Result:
    number = exact_decimal(value) if is_terminating(value) else word_decimal(value.evalf(10))
    sign: Literal["=", "≈"] = "=" if is_terminating(value) else "≈"
    return Result(sign, Wording(f"{number.latex}^{{\\circ}}", f"{number.plain}°"))


def _is_decimal(node: Expression) -> bool:
    """Whether a common fraction would be no answer to a question with this in it."""
    match node:
        case Number():
            return node.is_decimal
        case Apply(function="percent"):
            return True
        case _:
            return False


def _has_range(integral: Apply) -> bool:
    """Whether bounds are given, in brackets or as further arguments."""
    rest = integral.arguments[1:]
    in_brackets = any(isinstance(one, Group) and len(one.items) > 1 for one in rest)
    return in_brackets or any(not isinstance(one, Group | Symbol) for one in rest)


_IDENTITY = "Zachodzi dla wszystkich wartości zmiennych, dla których obie strony mają sens."
_CONTRADICTION = "Brak rozwiązań: to sprzeczność."


def _has_variables(tree: Expression) -> bool:
    return any(isinstance(node, Symbol) and node.name not in CONSTANTS for node in walk(tree))


def _compare_or_solve(tree: Apply, condition: Basic) -> Answer:
    if condition in {S.true, S.false} and _has_variables(tree):
        claim = _IDENTITY if condition == S.true else _CONTRADICTION
        return show(write(tree), claim, claim)
    if condition.free_symbols:
        return word_solution(tree, solve(condition))
    truth = sympy.simplify(condition)
    if truth not in {S.true, S.false}:
        raise ToolError(_UNKNOWN)
    word = "prawda" if truth == S.true else "fałsz"
    return show(f"{write(tree)} \\quad \\text{{({word})}}", f"Wynik: {word}", word)
