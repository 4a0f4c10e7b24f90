"""Writes an expression tree as LaTeX, the way it was asked for."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias, assert_never

from chatbot.tools.mathematics.expression import (
    Apply,
    Expression,
    Group,
    Number,
    Symbol,
    is_relation,
)

Writer: TypeAlias = Callable[[tuple[Expression, ...]], tuple[str, int]]
Shape: TypeAlias = Callable[[tuple[Expression, ...]], tuple[str, int] | None]
"""A notation; ``None`` where the arguments do not fit it."""

GREEK = frozenset({
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lamda", "mu", "nu", "xi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lamda", "Xi", "Sigma", "Phi", "Psi", "Omega"),
})
FUNCTION_NAMES: Mapping[str, str] = MappingProxyType({
    **{name: f"\\{name}" for name in ("sin", "cos", "sec", "csc", "sinh", "cosh", "coth", "tanh")},
    **{name: f"\\{name}" for name in ("det", "arg")},
    "tan": "\\operatorname{tg}",
    "cot": "\\operatorname{ctg}",
    "asin": "\\arcsin",
    "acos": "\\arccos",
    "atan": "\\operatorname{arctg}",
    "acot": "\\operatorname{arcctg}",
    "Min": "\\min",
    "Max": "\\max",
    "gcd": "\\operatorname{NWD}",
    "lcm": "\\operatorname{NWW}",
    "re": "\\operatorname{Re}",
    "im": "\\operatorname{Im}",
    "sign": "\\operatorname{sgn}",
    "rank": "\\operatorname{rz}",
    "trace": "\\operatorname{tr}",
    "gamma": "\\Gamma",
    "mean": "\\text{średnia}",
    "median": "\\text{mediana}",
    "eigenvals": "\\text{wartości własne}",
    "divisors": "\\text{dzielniki}",
    "divisor_count": "\\text{liczba dzielników}",
    "roots": "\\text{pierwiastki}",
    "primepi": "\\pi",
    "totient": "\\varphi",
    "degree": "\\text{stopień}",
    "norm": "\\text{norma}",
    "rref": "\\text{postać schodkowa}",
})
SILENT = frozenset({
    *("simplify", "expand", "factor", "cancel", "together", "apart", "trigsimp", "expand_trig"),
    *("radsimp", "N", "Rational", "collect", "round", "factorint", "Matrix", "degrees"),
})
"""Functions that change only the form of their argument: the argument alone is shown."""

_OF_MATRICES = frozenset((
    "det",
    "inv",
    "transpose",
    "rank",
    "trace",
    "rref",
    "norm",
    "eigenvals",
    "dot",
    "cross",
))
_CONSTANTS: Mapping[str, str] = MappingProxyType({
    "pi": "\\pi",
    "oo": "\\infty",
    "inf": "\\infty",
    "E": "e",
    "I": "i",
})
_RELATIONS: Mapping[str, str] = MappingProxyType({
    "=": "=",
    "!=": "\\neq",
    "<": "<",
    "<=": "\\leq",
    ">": ">",
    ">=": "\\geq",
    "and": "\\;\\land\\;",
    "or": "\\;\\lor\\;",
})
_LOOSE, _SUM, _PRODUCT, _SIGN, _POWER, _TIGHT = range(6)


def write_number(text: str) -> str:
    """A literal with a decimal comma; an exponent as a power of ten."""
    mantissa, _, exponent = text.partition("e")
    written = mantissa.rstrip(".").replace(".", "{,}")
    return f"{written} \\cdot 10^{{{int(exponent)}}}" if exponent else written


def write_name(name: str) -> str:
    """A variable's name: Greek letters, and digits as an index."""
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    found = _NAME.fullmatch(name)
    letters, digits, index = found.groups() if found else (name, "", None)
    base = _write_letters(letters)
    below = index or digits
    return f"{base}_{{{below}}}" if below else base


_NAME = re.compile(r"([A-Za-z]+)(\d*)(?:_(\w+))?")


def _write_letters(letters: str) -> str:
    if letters in GREEK:
        return "\\" + letters.replace("lamda", "lambda").replace("Lamda", "Lambda")
    return letters if len(letters) == 1 else f"\\mathrm{{{letters}}}"


def write(node: Expression) -> str:
    """LaTeX of a whole expression."""
    return _write(node)[0]


def _write(node: Expression) -> tuple[str, int]:
    """LaTeX, and how tightly it holds together."""
    match node:
        case Number(text=text):
            return write_number(text), _PRODUCT if "e" in text else _TIGHT
        case Symbol(name=name):
            return write_name(name), _TIGHT
        case Group(items=items):
            return f"\\left({_list(items)}\\right)", _TIGHT
        case Apply(function=function, arguments=arguments):
            return _apply(function, arguments)
        case _:
            assert_never(node)


def _within(node: Expression, tightness: int) -> str:
    """LaTeX in brackets where it would fall apart."""
    written, own = _write(node)
    return written if own >= tightness else f"\\left({written}\\right)"


def _list(items: tuple[Expression, ...]) -> str:
    if len(items) == 1 and isinstance(items[0], Group):
        return _list(items[0].items)
    return ";\\, ".join(map(write, items))


def _apply(function: str, arguments: tuple[Expression, ...]) -> tuple[str, int]:
    if function in _OF_MATRICES:
        arguments = tuple(Apply("Matrix", (a,)) if isinstance(a, Group) else a for a in arguments)
    if function in _RELATIONS:
        return f" {_RELATIONS[function]} ".join(_within(a, _LOOSE) for a in arguments), _LOOSE
    if function in _SIGNS:
        return _SIGNS[function](arguments)
    if function in _SHAPES and (shape := _SHAPES[function](arguments)):
        return shape
    if function in SILENT:
        return _write(arguments[0])
    name = FUNCTION_NAMES.get(function) or f"\\operatorname{{{function}}}".replace("_", "\\_")
    return f"{name}\\left({_list(arguments)}\\right)", _TIGHT


# --- operators ---


def _sum(sign: str) -> Writer:
    return lambda a: (
        f"{_within(a[0], _SUM)} {sign} {_within(a[1], _SUM if sign == '+' else _PRODUCT)}",
        _SUM,
    )


_RAISED = frozenset({"sin", "cos", "tan", "cot"})  # sin² x rather than (sin x)²
_JUXTAPOSED = re.compile(r"[A-Za-z]|\\left\((?!-)|\\(?:pi|sqrt|sin|cos|ln|operatorname)\b")


def _product(arguments: tuple[Expression, ...]) -> tuple[str, int]:
    is_negative = isinstance(arguments[0], Apply) and arguments[0].function == "neg"
    left = _within(arguments[0], _SUM if is_negative else _PRODUCT)
    right = _within(arguments[1], _PRODUCT)
    sign = " " if _JUXTAPOSED.match(right) else " \\cdot "
    return f"{left}{sign}{right}", _SUM if is_negative else _PRODUCT


def _quotient(arguments: tuple[Expression, ...]) -> tuple[str, int]:
    return f"\\frac{{{write(arguments[0])}}}{{{write(arguments[1])}}}", _POWER


def _power(arguments: tuple[Expression, ...]) -> tuple[str, int]:
    match arguments:
        case (Apply(function=name, arguments=inner), Number(text=exponent)) if name in _RAISED:
            return f"{FUNCTION_NAMES[name]}^{{{exponent}}}\\left({_list(inner)}\\right)", _TIGHT
        case _:
            pass
    return f"{_within(arguments[0], _TIGHT)}^{{{write(arguments[1])}}}", _POWER


_SIGNS: Mapping[str, Writer] = MappingProxyType({
    "+": _sum("+"),
    "-": _sum("-"),
    "*": _product,
    "/": _quotient,
    "**": _power,
    "neg": lambda a: (f"-{_within(a[0], _PRODUCT)}", _SUM),
    "pos": lambda a: _write(a[0]),
    "not": lambda a: (f"\\lnot {_within(a[0], _TIGHT)}", _SIGN),
    "mod": lambda a: (f"{_within(a[0], _PRODUCT)} \\bmod {_within(a[1], _PRODUCT)}", _SUM),
    "quotient": lambda a: (f"\\left\\lfloor {_quotient(a)[0]} \\right\\rfloor", _TIGHT),
})


# --- functions with a notation of their own ---


def _around(before: str, after: str) -> Shape:
    return lambda a: (f"{before}{write(a[0])}{after}", _TIGHT)


def _behind(after: str, tightness: int = _POWER) -> Shape:
    return lambda a: (f"{_within(a[0], _TIGHT)}{after}", tightness)


def _between(sign: str) -> Shape:
    return lambda a: (f"{_within(a[0], _POWER)} {sign} {_within(a[1], _POWER)}", _PRODUCT)


def _numeric_solution(arguments: tuple[Expression, ...]) -> tuple[str, int]:
    """The equation, then its unknown, so that the root follows."""
    equation, *rest = arguments
    zero = "" if is_relation(equation) else " = 0"
    unknown = rest[0] if len(rest) > 1 else Symbol("x")
    return f"{write(equation)}{zero},\\quad {write(unknown)}", _LOOSE


def _logarithm(base: str) -> Shape:
    return lambda a: (f"\\log_{{{base}}}\\left({write(a[0])}\\right)", _TIGHT)


def _natural(arguments: tuple[Expression, ...]) -> tuple[str, int]:
    if len(arguments) > 1:
        return _logarithm(write(arguments[1]))(arguments) or ("", _TIGHT)
    return f"\\ln\\left({write(arguments[0])}\\right)", _TIGHT


def _limits(arguments: tuple[Expression, ...]) -> tuple[tuple[Expression, ...], ...]:
    """Variables with bounds, also where they were given without brackets: ``f, x, 0, 2``."""
    rest = arguments[1:]
    if len(rest) == 3 and not any(isinstance(one, Group) for one in rest):  # noqa: PLR2004 - a variable and two bounds
        return (rest,)
    return tuple(one.items if isinstance(one, Group) else (one,) for one in rest)


def _integral(arguments: tuple[Expression, ...]) -> tuple[str, int] | None:
    signs, variables = "", ""
    for limits in _limits(arguments) or ((Symbol("x"),),):
        bounds = ""
        if len(limits) == 3:  # noqa: PLR2004 - as above
            bounds = f"_{{{write(limits[1])}}}^{{{write(limits[2])}}}"
        signs = f"\\int{bounds} {signs}"
        variables += f"\\,d{write(limits[0])}"
    return f"{signs}{_within(arguments[0], _PRODUCT)}{variables}", _SUM


def _derivative(arguments: tuple[Expression, ...]) -> tuple[str, int] | None:
    orders = _orders(arguments[1:])
    if orders is None:
        return None
    sign = "d" if len(orders) == 1 else "\\partial "
    below = "\\,".join(f"{sign}{name}{_exponent(order)}" for name, order in orders)
    above = f"{sign}{_exponent(sum(order for _, order in orders))}".strip()
    return f"\\frac{{{above}}}{{{below}}} \\left({write(arguments[0])}\\right)", _PRODUCT


def _orders(steps: tuple[Expression, ...]) -> list[tuple[str, int]] | None:
    """Variables and how often each is differentiated by: ``x, 2, y`` twice by x, once by y."""
    orders: list[tuple[str, int]] = []
    flat = [part for one in steps for part in (one.items if isinstance(one, Group) else (one,))]
    for step in flat or [Symbol("x")]:
        match step:
            case Symbol(name=name) if orders and orders[-1][0] == write_name(name):
                orders[-1] = (orders[-1][0], orders[-1][1] + 1)
            case Symbol(name=name):
                orders.append((write_name(name), 1))
            case Number(text=text) if orders and text.isdigit():
                orders[-1] = (orders[-1][0], int(text))
            case _:
                return None
    return orders


def _exponent(order: int) -> str:
    return f"^{{{order}}}" if order > 1 else ""


def _limit(direction: str) -> Shape:
    return lambda a: (
        f"\\lim_{{{write(a[1])} \\to {write(a[2])}{direction}}} {_within(a[0], _PRODUCT)}",
        _SUM,
    )


def _total(sign: str) -> Shape:
    def shape(arguments: tuple[Expression, ...]) -> tuple[str, int] | None:
        written = ""
        for limits in _limits(arguments):
            if len(limits) != 3:  # noqa: PLR2004 - a variable and two bounds
                return None
            variable, low, high = map(write, limits)
            written += f"{sign}_{{{variable}={low}}}^{{{high}}} "
        return f"{written}{_within(arguments[0], _PRODUCT)}", _SUM

    return shape


def _substitution(arguments: tuple[Expression, ...]) -> tuple[str, int] | None:
    match arguments[1:]:
        case (Symbol() as variable, value):
            where = f"{write(variable)}={write(value)}"
        case (Group(items=(Symbol() as variable, value)),):
            where = f"{write(variable)}={write(value)}"
        case (Apply(function="=") as equation,):
            where = write(equation)
        case _:
            return None
    return f"\\left.{write(arguments[0])}\\right|_{{{where}}}", _TIGHT


def _matrix(arguments: tuple[Expression, ...]) -> tuple[str, int] | None:
    if not isinstance(arguments[0], Group):
        return None
    rows = (
        " & ".join(map(write, row.items)) if isinstance(row, Group) else write(row)
        for row in arguments[0].items
    )
    return "\\begin{bmatrix} " + " \\\\ ".join(rows) + " \\end{bmatrix}", _TIGHT


_SHAPES: Mapping[str, Shape] = MappingProxyType({
    "sqrt": _around("\\sqrt{", "}"),
    "cbrt": _around("\\sqrt[3]{", "}"),
    "root": lambda a: (f"\\sqrt[{write(a[1])}]{{{write(a[0])}}}", _TIGHT),
    "real_root": lambda a: (f"\\sqrt[{write(a[1])}]{{{write(a[0])}}}", _TIGHT),
    "Abs": _around("\\left|", "\\right|"),
    "floor": _around("\\left\\lfloor ", " \\right\\rfloor"),
    "ceiling": _around("\\left\\lceil ", " \\right\\rceil"),
    "conjugate": _around("\\overline{", "}"),
    "exp": lambda a: (f"e^{{{write(a[0])}}}", _POWER),
    "log": _natural,
    "log10": _logarithm("10"),
    "log2": _logarithm("2"),
    "factorial": _behind("!"),
    "doublefactorial": _behind("!!"),
    "percent": _behind("\\%"),
    "radians": _behind("^{\\circ}"),
    "binomial": lambda a: (f"\\binom{{{write(a[0])}}}{{{write(a[1])}}}", _TIGHT),
    "fibonacci": _around("F_{", "}"),
    "prime": _around("p_{", "}"),
    "nextprime": _around("\\text{następna liczba pierwsza po }", ""),
    "prevprime": _around("\\text{poprzednia liczba pierwsza przed }", ""),
    "nsolve": _numeric_solution,
    "quo": lambda a: (f"\\text{{iloraz }}({write(a[0])}) : ({write(a[1])})", _TIGHT),
    "rem": lambda a: (f"\\text{{reszta z }}({write(a[0])}) : ({write(a[1])})", _TIGHT),
    "dot": _between("\\cdot"),
    "cross": _between("\\times"),
    "series": lambda a: _write(a[0]),
    "subs": _substitution,
    "transpose": _behind("^{T}"),
    "inv": _behind("^{-1}"),
    "integrate": _integral,
    "diff": _derivative,
    "limit": _limit(""),
    "limit_left": _limit("^{-}"),
    "limit_right": _limit("^{+}"),
    "summation": _total("\\sum"),
    "product": _total("\\prod"),
    "Matrix": _matrix,
})
