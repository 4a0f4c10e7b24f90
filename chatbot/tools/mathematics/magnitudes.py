"""Keeps numbers within bounds: sizes are estimated before anything is computed."""

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType

import mpmath  # type: ignore[import-untyped]  # mpmath has no types
from sympy import Expr, Float, Integer, Pow, Rational, binomial, factorial

from chatbot.errors import ToolError
from chatbot.tools.mathematics.expression import Apply, Expression, Number

MAX_DIGITS = 4000
MAX_APPROXIMATE_DIGITS = 10**15
MAX_LOGARITHM = 18
MAX_DEGREE = 100
DIGITS = 30
LOG10_2 = 0.30103


class TooLarge(ToolError):
    """A number would have more digits than are computed exactly."""

    def __init__(self, message: str = "") -> None:
        """Say it in Polish unless the caller knows better."""
        super().__init__(message or f"Wynik miałby ponad {MAX_DIGITS} cyfr. Zmniejsz liczby.")


def check_digits(estimate: float) -> None:
    """Refuse a number of so many decimal digits.

    Raises:
        TooLarge: more than are computed exactly.
    """
    if not estimate <= MAX_DIGITS:
        raise TooLarge


def power(base: Expr, exponent: Expr) -> Expr:
    """``base**exponent`` where its digits are within bounds.

    Raises:
        TooLarge: they are not.
    """
    if base.is_Rational and exponent.is_Rational:
        is_moderate = abs(exponent) < MAX_DIGITS * 10
        check_digits(_digits(base) * float(abs(exponent)) if is_moderate else _beyond(base))
    elif exponent.is_Rational and abs(exponent) > MAX_DEGREE and not base.is_Atom:
        raise TooLarge(f"Wykładnik jest za duży: przyjmuję najwyżej {MAX_DEGREE}.")
    return Pow(base, exponent)


def _beyond(base: Expr) -> float:
    """Digits of a power with an enormous exponent: none where the base is 0 or ±1."""
    return 0.0 if base in {Integer(0), Integer(1), Integer(-1)} else float("inf")


def _digits(value: Expr) -> float:
    """About how many digits numerator and denominator have."""
    rational = Rational(value)
    return LOG10_2 * (max(rational.p.bit_length(), rational.q.bit_length()) - 1) or 0.0


def exact_factorial(n: Expr) -> Expr:
    """``n!`` within bounds."""
    if n.is_Integer and n < 0:
        raise ToolError("Silnia jest określona dla liczb naturalnych: 0, 1, 2, ….")
    if n.is_Integer and n > 0:
        check_digits(_log10_factorial(int(n)) if n < MAX_APPROXIMATE_DIGITS else float("inf"))
    return factorial(n)


def exact_binomial(n: Expr, k: Expr) -> Expr:
    """``n`` over ``k`` within bounds."""
    if n.is_Integer and k.is_Integer and 0 <= k <= n:
        if n > MAX_APPROXIMATE_DIGITS:
            raise TooLarge
        factorials = _log10_factorial(int(k)) + _log10_factorial(int(n - k))
        check_digits(_log10_factorial(int(n)) - factorials)
        if min(k, n - k) > MAX_DIGITS:
            raise TooLarge
    elif k.is_Integer and k > MAX_DEGREE:
        raise TooLarge
    return binomial(n, k)


def _log10_factorial(n: int) -> float:
    return float(mpmath.loggamma(n + 1) / mpmath.log(10))


# --- numbers too large to write down: their logarithm ---


def approximate(tree: Expression) -> Expr | None:
    """About how large a product of powers and factorials is; ``None`` for anything else.

    Sums are left out: where terms cancel an approximation would be wrong without a sign of it.
    """
    with mpmath.workdps(DIGITS + 20):
        logarithm = _logarithm(tree)
        if logarithm is None or not abs(logarithm) < MAX_APPROXIMATE_DIGITS:
            return None
        whole = mpmath.floor(logarithm)
        mantissa = mpmath.power(10, logarithm - whole)
        digits = str(mpmath.nstr(mantissa, DIGITS, strip_zeros=False))
    return Float(f"{digits}e{int(whole)}", DIGITS)


def _logarithm(tree: Expression) -> mpmath.mpf | None:
    """The decimal logarithm of a positive number; ``None`` for what has no simple one."""
    match tree:
        case Number(text=text) if (value := mpmath.mpf(text)) > 0:
            return mpmath.log10(value)
        case Apply(function=function, arguments=arguments) if function in _LOGARITHMS:
            below = tuple(map(_logarithm, arguments))
            return None if None in below else _LOGARITHMS[function](*below)
        case _:
            return None


def _of_power(base: mpmath.mpf, exponent: mpmath.mpf) -> mpmath.mpf | None:
    return base * mpmath.power(10, exponent) if exponent < MAX_LOGARITHM else None


def _of_factorial(n: mpmath.mpf) -> mpmath.mpf | None:
    if n >= MAX_LOGARITHM:
        return None
    return mpmath.loggamma(mpmath.nint(mpmath.power(10, n)) + 1) / mpmath.log(10)


_LOGARITHMS: Mapping[str, Callable[..., mpmath.mpf | None]] = MappingProxyType({
    "*": operator.add,
    "/": operator.sub,
    "**": _of_power,
    "factorial": _of_factorial,
})
