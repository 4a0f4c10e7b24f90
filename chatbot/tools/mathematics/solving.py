"""Solves equations, inequalities and systems; only worker processes import this module."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import sympy
from sympy import Basic, Expr, S, Symbol
from sympy.core.relational import Relational
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from chatbot.errors import ToolError
from chatbot.tools.mathematics.values import Value

MAX_EQUATIONS = 12
_QUARTIC = 4
_ASIDE = sympy.Float("1e-6")
_STARTS = (0.5, 1, -1, 3, -3, 10, -10)
_UNSOLVED = "Nie umiem rozwiązać tego równania. Spróbuj je uprościć albo podać liczby."


@dataclass(frozen=True, kw_only=True, slots=True)
class Roots:
    """Every solution of an equation in one unknown, real ones where there are any."""

    unknown: Symbol
    values: tuple[Expr, ...]
    is_real: bool = True
    is_complete: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """The real solutions of an inequality, or of an equation that has infinitely many."""

    unknown: Symbol
    values: sympy.Set


@dataclass(frozen=True, kw_only=True, slots=True)
class Assignments:
    """The solutions of a system: values of the unknowns, one row a solution."""

    unknowns: tuple[Symbol, ...]
    rows: tuple[tuple[tuple[Symbol, Expr], ...], ...]
    is_real: bool = True
    is_complete: bool = True


Solution: TypeAlias = Roots | Range | Assignments


def solve(conditions: Value, unknowns: "Value | None" = None) -> Solution:
    """Solve what is given: an expression means that it equals zero.

    Raises:
        ToolError: there is nothing to solve, or no method for it.
    """
    listed = conditions if isinstance(conditions, tuple) else _conjuncts(conditions)
    if len(listed) > MAX_EQUATIONS:
        raise ToolError(f"Za dużo równań: przyjmuję najwyżej {MAX_EQUATIONS}.")
    relations = tuple(map(_as_relation, listed))
    symbols = _choose(relations, unknowns)
    inequalities = any(not isinstance(relation, sympy.Eq) for relation in relations)
    if len(symbols) == 1 and (inequalities or isinstance(conditions, sympy.Or)):
        return _solve_inequalities(conditions, relations, symbols[0])
    if inequalities:
        raise ToolError("Nierówności rozwiązuję z jedną niewiadomą.")
    if len(relations) == 1 and len(symbols) == 1:
        return _solve_equation(relations[0], symbols[0])
    return _solve_system(relations, symbols)


def _conjuncts(condition: Value) -> tuple[Value, ...]:
    return tuple(condition.args) if isinstance(condition, sympy.And | sympy.Or) else (condition,)


def _as_relation(condition: Value) -> Basic:
    if isinstance(condition, Relational) or condition in {S.true, S.false}:
        return condition
    if isinstance(condition, Expr):
        return sympy.Eq(condition, 0)
    raise ToolError("Równanie zapisz tak: solve(x**2 - 4, x) albo x**2 = 4.")


def _choose(relations: Sequence[Basic], unknowns: "Value | None") -> tuple[Symbol, ...]:
    """The unknowns asked for, else every variable; of one equation ``x``, or the first."""
    if unknowns is not None:
        named = unknowns if isinstance(unknowns, tuple) else (unknowns,)
        named = tuple(one[0] if isinstance(one, tuple) and one else one for one in named)
        if not named or not all(isinstance(one, Symbol) for one in named):
            raise ToolError("Niewiadome podaj po przecinku: solve([x + y - 3, x - y], [x, y]).")
        return named
    free = sorted(set().union(*(relation.free_symbols for relation in relations)), key=str)
    if not free:
        raise ToolError("Nie ma tu niewiadomej. Zapisz na przykład: x**2 = 4.")
    if len(relations) == 1 and len(free) > 1:
        return (Symbol("x") if Symbol("x") in free else free[0],)
    return tuple(free)


def _solve_equation(relation: Basic, unknown: Symbol) -> Solution:
    if relation in {S.true, S.false}:
        return Range(unknown=unknown, values=S.Reals if relation == S.true else S.EmptySet)
    if relation.free_symbols == {unknown}:
        return _solve_over_numbers(relation, unknown)
    values = tuple(sympy.solve(relation, unknown))
    if not values:
        raise ToolError(_UNSOLVED)
    return Roots(unknown=unknown, values=values)


def _solve_over_numbers(relation: Basic, unknown: Symbol) -> Solution:
    if (polynomial := _polynomial_without_formulas(relation, unknown)) is not None:
        return _solve_polynomial(polynomial, unknown)
    found = _solution_set(relation, unknown, S.Reals)
    if isinstance(found, sympy.FiniteSet):
        found = sympy.FiniteSet(*(one for one in found if _satisfies(relation, unknown, one)))
    if isinstance(found, sympy.FiniteSet) and found != S.EmptySet:
        return Roots(unknown=unknown, values=_ordered(found))
    if found == S.EmptySet:
        beyond = _solution_set(relation, unknown, S.Complexes)
        listed = beyond if isinstance(beyond, sympy.FiniteSet) else ()
        values = _ordered(one for one in listed if not one.is_real)
        return Roots(unknown=unknown, values=values, is_real=False)
    if _is_explicit(found):
        return Range(unknown=unknown, values=found)
    return _solve_otherwise(relation, unknown)


def _polynomial_without_formulas(relation: Basic, unknown: Symbol) -> "sympy.Poly | None":
    """A polynomial whose roots have no formula that can be read, with rational coefficients."""
    difference = relation.lhs - relation.rhs
    if not difference.is_polynomial(unknown):
        return None
    polynomial = sympy.Poly(difference, unknown)
    if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
        return None
    if polynomial.degree() < _QUARTIC:
        return None
    known = sympy.roots(polynomial, cubics=False, quartics=False)
    return polynomial if sum(known.values()) < polynomial.degree() else None


def _solve_polynomial(polynomial: "sympy.Poly", unknown: Symbol) -> Roots:
    real = tuple(dict.fromkeys(sympy.real_roots(polynomial)))
    if real:
        return Roots(unknown=unknown, values=real)
    return Roots(unknown=unknown, values=_ordered(polynomial.nroots()), is_real=False)


def _satisfies(relation: Basic, unknown: Symbol, value: Expr) -> bool:
    """Whether both sides are the same real number; SymPy forgets that of some logarithms and roots.

    What cannot be evaluated counts as a solution.
    """
    sides = [side.subs(unknown, value).evalf(15) for side in (relation.lhs, relation.rhs)]
    if not all(side.is_number and side.is_finite for side in sides):
        return not any(side.has(sympy.zoo, sympy.nan) for side in sides)
    (left, left_beyond), (right, right_beyond) = (side.as_real_imag() for side in sides)
    tolerance = sympy.Float("1e-8") * (1 + abs(left))
    differences = (left - right, left_beyond, right_beyond)
    return all(abs(difference) < tolerance for difference in differences)


def _solution_set(relation: Basic, unknown: Symbol, domain: sympy.Set) -> sympy.Set:
    try:
        return sympy.solveset(relation, unknown, domain)
    except (NotImplementedError, ValueError, TypeError):
        return sympy.ConditionSet(unknown, relation, domain)


def _is_explicit(found: sympy.Set) -> bool:
    return not found.has(sympy.ConditionSet, sympy.Intersection, sympy.Complement)


def _solve_otherwise(relation: Basic, unknown: Symbol) -> Solution:
    """By SymPy's older solver, else one root found numerically."""
    try:
        values = () if _has_no_method(relation) else tuple(sympy.solve(relation, unknown))
    except NotImplementedError:
        values = ()
    real = tuple(value for value in values if value.is_extended_real is not False)
    if real and not any(value.has(sympy.CRootOf) for value in real):
        return Roots(unknown=unknown, values=real, is_complete=False)
    return Roots(unknown=unknown, values=_find_numerically(relation, unknown), is_complete=False)


def _has_no_method(relation: Basic) -> bool:
    """Whether the older solver would only search in vain, for seconds: it knows no way either."""
    difference = relation.lhs - relation.rhs
    powers = [one for one in difference.atoms(sympy.Pow, sympy.exp) if one.exp.free_symbols]
    return difference.has(TrigonometricFunction) or len(powers) > 2  # noqa: PLR2004 - as many as Lambert's W relates


def _find_numerically(relation: Basic, unknown: Symbol) -> tuple[Expr, ...]:
    difference = relation.lhs - relation.rhs
    found: list[Expr] = []
    for start in _STARTS:
        try:
            root = sympy.nsolve(difference, unknown, start)
        except (ValueError, ZeroDivisionError, TypeError):
            continue
        root = _nearest_simple(difference, unknown, root)
        if not _is_root(difference, unknown, root):
            continue
        if all(abs(root - other) > 1e-9 for other in found):  # noqa: PLR2004 - the same root found twice
            found.append(root)
    if not found:
        raise ToolError(_UNSOLVED)
    return tuple(sorted(found))


def _is_root(difference: Expr, unknown: Symbol, root: Expr) -> bool:
    """Whether this is a real root, and no place where all terms are merely small."""
    if not root.is_real or difference.subs(unknown, root) == 0:
        return bool(root.is_real)
    terms = [abs(term.subs(unknown, root).evalf()) for term in sympy.Add.make_args(difference)]
    left = abs(difference.subs(unknown, root).evalf())
    aside = (1 + abs(root)) * _ASIDE
    around = [difference.subs(unknown, root + shift).evalf() for shift in (-aside, aside)]
    if not all(value.is_real for value in (*terms, *around)):
        return False
    return bool(left < _ASIDE**2 * sum(terms)) or bool(around[0] * around[1] < 0)


def _nearest_simple(difference: Expr, unknown: Symbol, root: Expr) -> Expr:
    """The fraction beside a root that is one itself; of many times 0 little is found exactly."""
    near = sympy.Rational(round(float(root) * 1000), 1000) if root.is_real else root
    is_close = abs(root - near) < 1e-3  # noqa: PLR2004 - how far a triple root may be missed
    return near if is_close and difference.subs(unknown, near) == 0 else root


def _ordered(values: Iterable[Expr]) -> tuple[Expr, ...]:
    def place(value: Expr) -> tuple[float, float]:
        number = complex(value.evalf())
        return (number.real, number.imag)

    listed = tuple(values)
    return tuple(sorted(listed, key=place)) if all(v.is_number for v in listed) else listed


def _solve_inequalities(conditions: Value, relations: Sequence[Basic], unknown: Symbol) -> Solution:
    if any(relation.free_symbols - {unknown} for relation in relations):
        raise ToolError("Nierówności rozwiązuję bez parametrów: wszystkie liczby muszą być znane.")
    if any(relation.has(TrigonometricFunction) for relation in relations):
        raise ToolError("Nierówności trygonometrycznych nie rozwiązuję. Podaj równanie.")
    sets = [_range_of(relation, unknown) for relation in relations]
    joined = sympy.Union(*sets) if isinstance(conditions, sympy.Or) else sympy.Intersection(*sets)
    if not _is_explicit(joined):
        raise ToolError("Nie umiem rozwiązać tej nierówności.")
    return Range(unknown=unknown, values=joined)


def _range_of(relation: Basic, unknown: Symbol) -> sympy.Set:
    if relation in {S.true, S.false}:
        return S.Reals if relation == S.true else S.EmptySet
    if isinstance(relation, sympy.Eq):
        return _solution_set(relation, unknown, S.Reals)
    if isinstance(relation, sympy.Ne):
        equal = _solution_set(sympy.Eq(relation.lhs, relation.rhs), unknown, S.Reals)
        return S.Reals - equal
    return sympy.solve_univariate_inequality(relation, unknown, relational=False)


def _solve_system(relations: Sequence[Basic], unknowns: tuple[Symbol, ...]) -> Solution:
    if S.false in relations:
        return Assignments(unknowns=unknowns, rows=())
    equations = [relation for relation in relations if relation != S.true]
    found = sympy.solve(equations, list(unknowns), dict=True)
    if not found and not _are_linear(equations, unknowns):
        raise ToolError("Nie umiem znaleźć rozwiązań tego układu. Spróbuj go uprościć.")
    rows = tuple(
        tuple((unknown, row[unknown]) for unknown in unknowns if unknown in row) for row in found
    )
    real = tuple(row for row in rows if not any(value.is_real is False for _, value in row))
    return Assignments(
        unknowns=unknowns,
        rows=real or rows,
        is_real=bool(real) or not rows,
        is_complete=all(_is_algebraic(equation, unknowns) for equation in equations),
    )


def _is_algebraic(equation: Basic, unknowns: tuple[Symbol, ...]) -> bool:
    """Whether SymPy's solver leaves nothing out, as it does where functions repeat."""
    return all(side.is_algebraic_expr(*unknowns) for side in (equation.lhs, equation.rhs))


def _are_linear(equations: Sequence[Basic], unknowns: tuple[Symbol, ...]) -> bool:
    """Whether finding nothing proves that there is nothing to find."""
    sides = (equation.lhs - equation.rhs for equation in equations)
    return all(
        side.is_polynomial(*unknowns) and sympy.Poly(side, *unknowns).total_degree() <= 1
        for side in sides
    )
