"""What each allowed function does, in SymPy; only worker processes import this module."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import sympy
from sympy import Expr, Float, Integer, Rational, S, Symbol
from sympy.core.evalf import PrecisionExhausted

from chatbot.errors import ToolError
from chatbot.tools.mathematics.magnitudes import (
    check_digits,
    exact_binomial,
    exact_factorial,
    power,
)
from chatbot.tools.mathematics.matrices import MATRICES
from chatbot.tools.mathematics.values import Operation, Value, flatten, read_integer

MAX_ORDER = 20
MAX_PRECISION = 1000
MAX_PRIME_INDEX = 100_000
_USUAL_DIGITS = Integer(15)
_LARGEST_TESTED = Integer(10) ** 300


def _variable(value: Value) -> Symbol:
    if isinstance(value, Symbol):
        return value
    raise ToolError("W tym miejscu podaj zmienną, na przykład: diff(x**2, x).")


def _limits(given: Sequence[Value]) -> tuple[tuple[Value, ...] | Symbol, ...]:
    """Variables with their bounds; ``x, 0, 2`` after the expression means ``(x, 0, 2)``."""
    if len(given) == 3 and isinstance(given[0], Symbol) and not isinstance(given[1], tuple):  # noqa: PLR2004 - a variable and two bounds
        return (tuple(given),)
    return tuple(
        (_variable(one[0]), *one[1:]) if isinstance(one, tuple) else _variable(one) for one in given
    )


def _only_variable(expression: Value) -> Symbol:
    symbols = sorted(getattr(expression, "free_symbols", ()), key=str)
    if not symbols:
        return Symbol("x")
    if len(symbols) > 1 and Symbol("x") not in symbols:
        names = ", ".join(map(str, symbols))
        raise ToolError(f"Wskaż zmienną; w wyrażeniu są: {names}. Na przykład: diff(a*x, x).")
    return Symbol("x") if Symbol("x") in symbols else symbols[0]


def _differentiate(expression: Expr, *variables: Value) -> Value:
    real = {one: Symbol(one.name, real=True) for one in _symbols_of(expression)}
    steps: list[Value] = []
    for one in variables or (_only_variable(expression),):
        for part in one if isinstance(one, tuple) else (one,):
            steps.append(real.get(part, part))
            if isinstance(part, Integer):
                read_integer(part, least=1, most=MAX_ORDER, what="Rząd pochodnej")
    found = sympy.diff(expression.xreplace(real), *steps)
    return found.xreplace({symbol: one for one, symbol in real.items()})


def _symbols_of(expression: Expr) -> "set[Symbol]":
    """The variables that have to be real for moduli to have a derivative."""
    return expression.free_symbols if expression.has(sympy.Abs, sympy.sign) else set()


def _integrate(expression: Expr, *limits: Value) -> Value:
    result = sympy.integrate(expression, *(_limits(limits) or (_only_variable(expression),)))
    if result.has(sympy.Integral):
        if result.free_symbols or not limits:
            raise ToolError("Nie umiem obliczyć tej całki w postaci wzoru. Podaj granice liczbowe.")
        return _integrate_numerically(_evaluable(result))
    if result.is_number and result.has(sympy.hyper, sympy.meijerg, sympy.exp_polar):
        return _integrate_numerically(sympy.Integral(expression, *_limits(limits)))
    return result


def _evaluable(result: Expr) -> Expr:
    """SymPy evaluates integrals, but not those that it proved to have no formula."""
    return result.xreplace({one: sympy.Integral(*one.args) for one in result.atoms(sympy.Integral)})


def _integrate_numerically(integral: Expr) -> Expr:
    """To 15 digits; zero where all that is left is an error of the method."""
    found = integral.evalf(15)
    if not isinstance(found, Float) or abs(found) > Float("1e-14"):
        return found
    try:
        integral.evalf(1, strict=True)
    except PrecisionExhausted:
        return Float(0)
    return found


def _limit(direction: str) -> Operation:
    def find(expression: Expr, variable: Value, point: Expr) -> Value:
        variable = _variable(variable)
        if direction != "+-" or point.is_infinite:
            return _one_sided(expression, variable, point, direction.replace("+-", "+"))
        left = _one_sided(expression, variable, point, "-")
        right = _one_sided(expression, variable, point, "+")
        if left != right and left.is_extended_real and sympy.simplify(left - right) != 0:
            raise ToolError(
                f"Granica nie istnieje: z lewej jest {_say(left)}, z prawej {_say(right)}."
            )
        return right

    return find


def _one_sided(expression: Expr, variable: Symbol, point: Expr, direction: str) -> Expr:
    found: Expr = sympy.limit(expression, variable, point, direction)
    if found.has(sympy.AccumBounds):
        raise ToolError("Granica nie istnieje: wyrażenie nie zbliża się do żadnej liczby.")
    if found.has(sympy.Limit):
        raise ToolError("Nie umiem obliczyć tej granicy. Spróbuj uprościć wyrażenie.")
    return found


def _say(value: Expr) -> str:
    text = str(value).replace("oo", "∞").replace("-", "−")
    return text.replace("**", "^").replace("*", "·")


def _total(combine: Callable[..., Expr]) -> Operation:
    def find(expression: Expr, *limits: Value) -> Value:
        bounds = _limits(limits)
        if any(not isinstance(one, tuple) or len(one) != 3 for one in bounds):  # noqa: PLR2004 - as above
            raise ToolError("Podaj zmienną i jej zakres, na przykład: summation(k, (k, 1, 10)).")
        for one in bounds:
            _check_range(one)
        result: Expr = combine(expression, *bounds)
        if result.has(sympy.Sum, sympy.Product):
            raise ToolError("Nie umiem obliczyć tej sumy lub iloczynu; mogą też nie istnieć.")
        return result

    return find


def _check_range(bounds: "tuple[Value, ...] | Symbol") -> None:
    """Let no product of millions of factors begin."""
    if isinstance(bounds, tuple):
        _, low, high = bounds
        if isinstance(low, Integer) and isinstance(high, Integer) and high - low > 10**12:
            raise ToolError("Zakres jest za długi: podaj najwyżej 10^12 składników.")


def _root(value: Expr, degree: Expr) -> Value:
    """The real root where there is one; else the principal one."""
    if degree == 0:
        raise ZeroDivisionError
    is_odd_of_real = degree.is_odd and degree > 0 and value.is_number and value.is_real
    return sympy.real_root(value, degree) if is_odd_of_real else power(value, 1 / degree)


def _of_many(function: Callable[..., Value]) -> Operation:
    return lambda *values: function(*flatten(values))


def _median(*values: Expr) -> Value:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _round(value: Expr, places: Expr = S.Zero) -> Value:
    """Half away from zero, as schools teach."""
    shift = Integer(10) ** read_integer(places, least=-30, most=30, what="Liczba miejsc")
    return sympy.sign(value) * sympy.floor(abs(value) * shift + Rational(1, 2)) / shift


def _evaluate(value: Expr, digits: Expr = _USUAL_DIGITS) -> Value:
    return value.evalf(read_integer(digits, least=1, most=MAX_PRECISION, what="Liczba cyfr"))


def _modulo(dividend: Expr, divisor: Expr) -> Value:
    if divisor == 0:
        raise ZeroDivisionError
    return sympy.Mod(dividend, divisor)


def _quotient(dividend: Expr, divisor: Expr) -> Value:
    if divisor == 0:
        raise ZeroDivisionError
    return sympy.floor(dividend / divisor)


def _factorise(number: Expr) -> Value:
    if not isinstance(number, Integer) or number <= 0:
        raise ToolError("Na czynniki pierwsze rozkładam dodatnie liczby całkowite.")
    found = sympy.factorint(int(number))
    factors = (sympy.Pow(p, n, evaluate=False) if n > 1 else Integer(p) for p, n in found.items())
    return sympy.Mul(*factors, evaluate=False)


def _divisors(number: Expr) -> Value:
    if not isinstance(number, Integer) or number == 0:
        raise ToolError("Dzielniki podaję dla liczb całkowitych różnych od zera.")
    return tuple(Integer(divisor) for divisor in sympy.divisors(int(number)))


def _divisor_count(number: Expr) -> Value:
    if not isinstance(number, Integer) or number <= 0:
        raise ToolError("Dzielniki liczę dla dodatnich liczb całkowitych.")
    return Integer(sympy.divisor_count(int(number)))


def _is_prime(number: Expr) -> Value:
    if isinstance(number, Integer) and number > _LARGEST_TESTED:
        raise ToolError("Czy liczba jest pierwsza, sprawdzam do 10^300.")
    if not number.is_number:
        raise ToolError("Podaj liczbę, na przykład: isprime(97).")
    return sympy.sympify(isinstance(number, Integer) and sympy.isprime(int(number)))


def _of_whole(function: Callable[[int], object], *, most: int, what: str) -> Operation:
    return lambda value: sympy.sympify(function(read_integer(value, least=0, most=most, what=what)))


def _prime(index: Value) -> Value:
    return Integer(
        sympy.prime(
            read_integer(index, least=1, most=MAX_PRIME_INDEX, what="Numer liczby pierwszej")
        )
    )


def _fibonacci(index: Expr) -> Value:
    if index.is_Integer:
        check_digits(abs(float(index)) * 0.209)
    return sympy.fibonacci(index)


def _gamma(value: Expr) -> Value:
    return exact_factorial(value - 1) if value.is_Integer else sympy.gamma(value)


def _doublefactorial(value: Expr) -> Value:
    exact_factorial(value)
    return sympy.factorial2(value)


def _substitute(expression: Expr, *what: Value) -> Value:
    match what:
        case (tuple(pair),):
            pairs = [pair] if not isinstance(pair[0], tuple) else list(pair)
        case (sympy.Eq() as equation,):
            pairs = [(equation.lhs, equation.rhs)]
        case _:
            pairs = [what]
    if any(len(pair) != 2 for pair in pairs):  # noqa: PLR2004 - a variable and its value
        raise ToolError("Podstawienie zapisz tak: subs(x**2 + 1, x, 3).")
    return expression.subs([(_variable(name), value) for name, value in pairs])


def _series(expression: Expr, *around: Value) -> Value:
    variable = _variable(around[0])
    point = around[1] if len(around) > 1 else S.Zero
    order = around[2] if len(around) > 2 else Integer(6)  # noqa: PLR2004 - the third argument
    terms = read_integer(order, least=1, most=MAX_ORDER, what="Liczba wyrazów")
    return expression.series(variable, point, terms).removeO()


def _solve_numerically(equation: Value, *rest: Value) -> Value:
    difference = equation.lhs - equation.rhs if isinstance(equation, sympy.Eq) else equation
    variable = _variable(rest[0]) if len(rest) > 1 else _only_variable(difference)
    return sympy.nsolve(difference, variable, rest[-1])


def _degree(polynomial: Expr, *variable: Value) -> Value:
    unknown = _variable(variable[0]) if variable else _only_variable(polynomial)
    _check_polynomial(polynomial, unknown)
    return sympy.degree(polynomial, unknown)


def _roots(polynomial: Expr) -> Value:
    unknown = _only_variable(polynomial)
    _check_polynomial(polynomial, unknown)
    if unknown not in polynomial.free_symbols:
        raise ToolError("W wielomianie, którego pierwiastków szukasz, nie ma zmiennej.")
    found = sympy.roots(polynomial, unknown)
    if sum(found.values()) < sympy.degree(polynomial, unknown):
        raise ToolError(
            "Pierwiastków tego wielomianu nie umiem zapisać wzorem. Podaj równanie, "
            "na przykład: x**5 - x - 1 = 0."
        )
    return tuple(root for root, times in found.items() for _ in range(times))


def _check_polynomial(expression: Expr, unknown: Symbol) -> None:
    if not expression.is_polynomial(unknown):
        raise ToolError(
            f"To nie jest wielomian zmiennej {unknown}. "
            "Stopień i pierwiastki podaję dla wielomianów, na przykład: degree(x**3 - x, x)."
        )


def _as_rational(numerator: Expr, denominator: Expr = S.One) -> Value:
    if denominator == 0:
        raise ZeroDivisionError
    return numerator / denominator


OPERATIONS: Mapping[str, Operation] = MappingProxyType({
    # numbers
    "sqrt": sympy.sqrt,
    "cbrt": lambda x: sympy.real_root(x, 3) if x.is_number and x.is_real else sympy.cbrt(x),
    "root": _root,
    "real_root": sympy.real_root,
    "exp": sympy.exp,
    "log": sympy.log,
    "log10": lambda x: sympy.log(x, 10),
    "log2": lambda x: sympy.log(x, 2),
    "Abs": sympy.Abs,
    "sign": sympy.sign,
    "frac": sympy.frac,
    "percent": lambda x: x / 100,
    "floor": sympy.floor,
    "ceiling": sympy.ceiling,
    "round": _round,
    "factorial": exact_factorial,
    "doublefactorial": _doublefactorial,
    "gamma": _gamma,
    "erf": sympy.erf,
    "binomial": exact_binomial,
    "mod": _modulo,
    "quotient": _quotient,
    "N": _evaluate,
    "Rational": _as_rational,
    "gcd": _of_many(lambda *values: sympy.gcd(list(values))),
    "lcm": _of_many(lambda *values: sympy.lcm(list(values))),
    "Min": _of_many(sympy.Min),
    "Max": _of_many(sympy.Max),
    "mean": _of_many(lambda *values: sum(values, S.Zero) / len(values)),
    "median": _of_many(_median),
    # primes and sequences
    "isprime": _is_prime,
    "prime": _prime,
    "primepi": _of_whole(sympy.primepi, most=10**9, what="Liczba"),
    "nextprime": _of_whole(sympy.nextprime, most=10**100, what="Liczba"),
    "prevprime": _of_whole(sympy.prevprime, most=10**100, what="Liczba"),
    "factorint": _factorise,
    "divisors": _divisors,
    "divisor_count": _divisor_count,
    "totient": _of_whole(sympy.totient, most=10**40, what="Liczba"),
    "fibonacci": _fibonacci,
    # trigonometry
    **{name: getattr(sympy, name) for name in ("sin", "cos", "tan", "cot", "sec", "csc")},
    **{name: getattr(sympy, name) for name in ("asin", "acos", "atan", "acot", "atan2")},
    **{name: getattr(sympy, name) for name in ("sinh", "cosh", "tanh", "coth")},
    **{name: getattr(sympy, name) for name in ("asinh", "acosh", "atanh")},
    "degrees": lambda x: x * 180 / sympy.pi,
    "radians": lambda x: x * sympy.pi / 180,
    # complex numbers
    **{name: getattr(sympy, name) for name in ("re", "im", "conjugate", "arg")},
    # algebra
    "simplify": sympy.simplify,
    "expand": sympy.expand,
    "factor": sympy.factor,
    "cancel": sympy.cancel,
    "together": sympy.together,
    "trigsimp": sympy.trigsimp,
    "expand_trig": sympy.expand_trig,
    "radsimp": sympy.radsimp,
    "apart": sympy.apart,
    "quo": sympy.quo,
    "rem": sympy.rem,
    "collect": sympy.collect,
    "subs": _substitute,
    "degree": _degree,
    "roots": _roots,
    "nsolve": _solve_numerically,
    # analysis
    "diff": _differentiate,
    "integrate": _integrate,
    "limit": _limit("+-"),
    "limit_left": _limit("-"),
    "limit_right": _limit("+"),
    "summation": _total(sympy.summation),
    "product": _total(sympy.product),
    "series": _series,
    **MATRICES,
})
"""Every function of `functions.ARITIES` but ``solve``, which answers with more than a value."""
