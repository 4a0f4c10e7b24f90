"""The functions that an expression may use: names, numbers of arguments, other spellings."""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from chatbot.errors import ToolError

MANY = 50

_ONE = (1, 1)
_TWO = (2, 2)

ARITIES: Mapping[str, tuple[int, int]] = MappingProxyType({
    # numbers
    **dict.fromkeys(("sqrt", "cbrt", "exp", "log10", "log2", "Abs", "sign", "frac"), _ONE),
    "percent": _ONE,
    **dict.fromkeys(("floor", "ceiling", "factorial", "doublefactorial", "gamma", "erf"), _ONE),
    **dict.fromkeys(("root", "real_root", "mod", "quotient", "binomial"), _TWO),
    "log": (1, 2),
    "round": (1, 2),
    "N": (1, 2),
    "Rational": (1, 2),
    **dict.fromkeys(("gcd", "lcm", "Min", "Max", "mean", "median"), (1, MANY)),
    # primes and sequences
    **dict.fromkeys(("isprime", "prime", "primepi", "nextprime", "prevprime"), _ONE),
    **dict.fromkeys(("factorint", "divisors", "divisor_count", "totient", "fibonacci"), _ONE),
    # trigonometry
    **dict.fromkeys(("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos"), _ONE),
    **dict.fromkeys(("atan", "acot", "sinh", "cosh", "tanh", "coth"), _ONE),
    **dict.fromkeys(("asinh", "acosh", "atanh", "degrees", "radians"), _ONE),
    "atan2": _TWO,
    # complex numbers
    **dict.fromkeys(("re", "im", "conjugate", "arg"), _ONE),
    # algebra
    **dict.fromkeys(("simplify", "expand", "factor", "cancel", "together"), _ONE),
    **dict.fromkeys(("trigsimp", "expand_trig", "radsimp"), _ONE),
    "apart": (1, 2),
    **dict.fromkeys(("quo", "rem"), (2, 3)),
    "collect": _TWO,
    "subs": (2, 3),
    "degree": (1, 2),
    "roots": _ONE,
    "solve": (1, 2),
    "nsolve": (2, 3),
    # analysis
    "diff": (1, 8),
    "integrate": (1, 4),
    **dict.fromkeys(("limit", "limit_left", "limit_right"), (3, 3)),
    **dict.fromkeys(("summation", "product"), (2, 3)),
    "series": (2, 4),
    # matrices
    **dict.fromkeys(("Matrix", "det", "inv", "transpose", "rank", "trace", "rref", "norm"), _ONE),
    **dict.fromkeys(("eigenvals",), _ONE),
    **dict.fromkeys(("dot", "cross"), _TWO),
    "eye": _ONE,
    **dict.fromkeys(("zeros", "ones"), (1, 2)),
    "diag": (1, 12),
})
"""Least and greatest number of arguments of each function."""

ALIASES: Mapping[str, str] = MappingProxyType({
    "abs": "Abs",
    "factorial2": "doublefactorial",
    "ceil": "ceiling",
    "ln": "log",
    "lg": "log10",
    "evalf": "N",
    "sgn": "sign",
    "min": "Min",
    "max": "Max",
    "Mod": "mod",
    "igcd": "gcd",
    "ilcm": "lcm",
    "primefactors": "factorint",
    "conj": "conjugate",
    "deg": "degrees",
    "rad": "radians",
    "sum": "summation",
    "Sum": "summation",
    "prod": "product",
    "Product": "product",
    "Derivative": "diff",
    "derivative": "diff",
    "Integral": "integrate",
    "integral": "integrate",
    "Limit": "limit",
    "lim": "limit",
    "solveset": "solve",
    "linsolve": "solve",
    "nonlinsolve": "solve",
    "reduce_inequalities": "solve",
    "solve_univariate_inequality": "solve",
    "powsimp": "simplify",
    "ratsimp": "simplify",
    "substitute": "subs",
    "matrix": "Matrix",
    "inverse": "inv",
    "tr": "trace",
    "avg": "mean",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "tg": "tan",
    "ctg": "cot",
    "arctg": "atan",
    "arcctg": "acot",
    "sh": "sinh",
    "ch": "cosh",
    "th": "tanh",
    "pierwiastek": "sqrt",
    "silnia": "factorial",
    "nwd": "gcd",
    "nww": "lcm",
    "NWD": "gcd",
    "NWW": "lcm",
    "reszta": "mod",
    "modulo": "mod",
    "średnia": "mean",
    "mediana": "median",
    "pochodna": "diff",
    "całka": "integrate",
    "granica": "limit",
    "suma": "summation",
    "iloczyn": "product",
    "rozwiąż": "solve",
    "uprość": "simplify",
    "wyznacznik": "det",
})
"""Other spellings, those of SymPy and the Polish ones."""

RELATIONAL: Mapping[str, str] = MappingProxyType({
    "Eq": "=",
    "Equality": "=",
    "Ne": "!=",
    "Lt": "<",
    "Le": "<=",
    "Gt": ">",
    "Ge": ">=",
})

METHODS: Mapping[str, str] = MappingProxyType({
    "det": "det",
    "inv": "inv",
    "T": "transpose",
    "rank": "rank",
    "eigenvals": "eigenvals",
    "trace": "trace",
    "dot": "dot",
    "cross": "cross",
    "subs": "subs",
})
"""What may stand after a dot: functions of what stands before it; ``T`` without brackets."""

PASSED_THROUGH = frozenset({"S", "Integer", "Float", "sympify"})
"""Conversions that mean their only argument here, because every number is exact."""

CALLABLE = frozenset(ARITIES) | frozenset(ALIASES) | frozenset(RELATIONAL) | PASSED_THROUGH
CALLABLE |= {"And", "Or", "Not"}


def find_function(name: str) -> str:
    """The function's own name for any of its spellings.

    Raises:
        ToolError: there is none; names the nearest one.
    """
    known = ALIASES.get(name, name)
    if known in ARITIES:
        return known
    for lowered in (name.lower(), name.capitalize()):
        if lowered in CALLABLE and lowered in ARITIES.keys() | ALIASES.keys():
            return ALIASES.get(lowered, lowered)
    raise ToolError(f"Nie znam funkcji „{name[:30]}”.{suggest(name)}")


def suggest(name: str) -> str:
    """A question that names the nearest function, or a hint at what exists."""
    nearest = get_close_matches(name[:30], sorted(CALLABLE), n=1, cutoff=0.7)
    if nearest:
        return f" Czy chodziło o „{nearest[0]}”?"
    return " Znam na przykład: sqrt, sin, log, diff, integrate, solve, limit."


def check_arity(function: str, given: int) -> None:
    """Refuse a wrong number of arguments.

    Raises:
        ToolError: too few or too many.
    """
    least, most = ARITIES[function]
    if not least <= given <= most:
        wanted = str(least) if least == most else f"od {least} do {most}"
        hint = " Ułamek dziesiętny w nawiasie zapisz z kropką: 0.25." if given == most + 1 else ""
        raise ToolError(
            f"Funkcja „{function}”: liczba argumentów to {wanted}, a podano {given}.{hint}"
        )
