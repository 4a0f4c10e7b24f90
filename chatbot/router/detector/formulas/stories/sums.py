"""What a plain expression of numbers comes to, to tell whether two readings are the same."""

import math
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType

from chatbot.language.patterns import regex

_TOKEN = regex(r"\s*(\d+(?:\.\d+)?|\*\*|[-+*/()])")
_SAME = 1e-9
_LONGEST = 2_000
_OPERATORS: Mapping[str, tuple[int, Callable[[float, float], float]]] = MappingProxyType({
    "+": (1, operator.add),
    "-": (1, operator.sub),
    "*": (2, operator.mul),
    "/": (2, operator.truediv),
    "**": (3, operator.pow),
})


def comes_to(expression: str, value: float) -> bool:
    """Whether an expression of numbers, the four operations and powers has a value.

    Args:
        expression: In SymPy's syntax; with functions or letters it has no value here.
        value: What it is compared with, but for rounding.
    """
    return abs(total_of(expression) - value) <= _SAME * max(1.0, abs(value))


def total_of(expression: str) -> float:
    """Return what an expression of numbers, the four operations and powers comes to, else NaN."""
    try:
        return _value(_tokens(expression))
    except (ArithmeticError, LookupError, ValueError, TypeError):
        return math.nan


def _tokens(expression: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    text = expression.rstrip()
    if len(text) > _LONGEST:  # a part of it comes to something else
        raise ValueError(text)
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(text)
        tokens.append(found[1])
        at = found.end()
    return tokens


def _value(tokens: list[str]) -> float:
    """Work off operators by their precedence, a power after what stands right of it."""
    numbers: list[float] = []
    waiting: list[str] = []
    for sign in tokens:
        if sign == "(":
            waiting.append(sign)
        elif sign == ")":
            while waiting[-1] != "(":
                _apply(numbers, waiting.pop())
            waiting.pop()
        elif sign in _OPERATORS:
            level = _OPERATORS[sign][0]
            while waiting and waiting[-1] != "(" and _OPERATORS[waiting[-1]][0] >= level:
                if sign == waiting[-1] == "**":
                    break
                _apply(numbers, waiting.pop())
            waiting.append(sign)
        else:
            numbers.append(float(sign))
    while waiting:
        _apply(numbers, waiting.pop())
    (total,) = numbers
    return float(total)


def _apply(numbers: list[float], sign: str) -> None:
    right, left = numbers.pop(), numbers.pop()
    numbers.append(_OPERATORS[sign][1](left, right))
