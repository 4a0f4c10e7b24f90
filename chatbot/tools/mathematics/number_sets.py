"""Words sets of numbers: intervals, lists, and families that repeat."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import sympy
from sympy import Expr, Rational, S, Symbol

from chatbot.tools.mathematics.wording import Wording, join, plain, word_value, write_latex

_Family: TypeAlias = tuple[Expr, Expr]
"""Numbers at equal distances: the first, and the distance."""


def word_set(values: sympy.Set) -> Wording:
    """A set of real numbers; closed ends in angle brackets, as in Polish schools."""
    for kind, write in _SETS.items():
        if isinstance(values, kind):
            return write(values)
    if values == S.Reals:
        return Wording("\\mathbb{R}", "ℝ")
    return Wording(write_latex(values), plain(values))


def _word_interval(values: sympy.Interval) -> Wording:
    low, high = (word_value(_shortest(end)) for end in (values.start, values.end))
    opening = ("\\left(", "(") if values.left_open else ("\\left\\langle ", "⟨")
    closing = (" \\right)", ")") if values.right_open else (" \\right\\rangle", "⟩")
    return Wording(
        f"{opening[0]}{low.latex};\\, {high.latex}{closing[0]}",
        f"{opening[1]}{low.plain}; {high.plain}{closing[1]}",
    )


def _shortest(end: Expr) -> Expr:
    """2 for ``ln(4)/ln(2)``."""
    return sympy.simplify(end) if end.has(sympy.log) else end


def _word_finite(values: sympy.FiniteSet) -> Wording:
    inner = join(tuple(map(word_value, sorted(values, key=sympy.default_sort_key))))
    return Wording(f"\\left\\{{{inner.latex}\\right\\}}", f"{{{inner.plain}}}")


def _word_union(values: sympy.Union) -> Wording:
    members = [word_set(member) for member in values.args]
    return Wording(" \\cup ".join(m.latex for m in members), " ∪ ".join(m.plain for m in members))


def _word_difference(values: sympy.Complement) -> Wording:
    left, right = map(word_set, values.args)
    return Wording(f"{left.latex} \\setminus {right.latex}", f"{left.plain} ∖ {right.plain}")


_SETS: "Mapping[type[sympy.Set], Callable[[sympy.Set], Wording]]" = MappingProxyType({
    sympy.Interval: _word_interval,
    sympy.FiniteSet: _word_finite,
    sympy.Union: _word_union,
    sympy.Complement: _word_difference,
})


def images(values: sympy.Set, counter: Symbol) -> tuple[Wording, ...] | None:
    """``π/6 + 2kπ`` for the solutions that repeat; ``None`` where the set is of another form."""
    members = values.args if isinstance(values, sympy.Union) else (values,)
    if not all(isinstance(m, sympy.ImageSet) and m.base_sets == (S.Integers,) for m in members):
        return None
    formulas = tuple(sympy.expand(member.lamda(counter)) for member in members)
    families = [found for one in formulas if (found := _as_family(one, counter)) is not None]
    if len(families) < len(formulas):
        return tuple(Wording(write_latex(one), plain(one)) for one in formulas)
    return tuple(_word_family(one, counter.name) for one in _merge(families))


def _as_family(formula: Expr, counter: Symbol) -> _Family | None:
    first, period = formula.subs(counter, 0), formula.coeff(counter)
    is_linear = sympy.expand(first + period * counter - formula) == 0
    turns = period / sympy.pi
    return (first, abs(period)) if is_linear and turns.is_Rational and turns != 0 else None


def _merge(families: list[_Family]) -> list[_Family]:
    """``2kπ`` and ``π + 2kπ`` together are ``kπ``."""
    merged: list[_Family] = []
    for first, period in families:
        twins = [one for one in merged if one[1] == period and abs(one[0] - first) == period / 2]
        for twin in twins[:1]:
            merged.remove(twin)
            merged.append((min(first, twin[0]), period / 2))
        if not twins:
            merged.append((first, period))
    return merged


def _word_family(family: _Family, counter: str) -> Wording:
    first, period = family
    step = _word_turns(period / sympy.pi, counter)
    if first == 0:
        return step
    if first > sympy.pi and period == 2 * sympy.pi:
        first -= period
    return Wording(f"{write_latex(first)} + {step.latex}", f"{plain(first)} + {step.plain}")


def _word_turns(turns: Rational, counter: str) -> Wording:
    """``2kπ`` or ``kπ/2``: so many half turns, ``counter`` times."""
    times = "" if turns.p == 1 else str(turns.p)
    if turns.q == 1:
        return Wording(f"{times}{counter}\\pi", f"{times}{counter}π")
    return Wording(f"\\frac{{{times}{counter}\\pi}}{{{turns.q}}}", f"{times}{counter}π/{turns.q}")
