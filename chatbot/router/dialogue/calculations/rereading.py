"""The last question read again with the prompt's numbers in the place of its own."""

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas import read_formula
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression, variable_of
from chatbot.router.dialogue.scene import Scene

_TERM = regex(r"\ba_?\{?(\d{1,4})\b\}?", re.IGNORECASE)
_IS_GIVEN = regex(r"\s*(?:=|to|wynosi)\s*-?\d")
_LONGEST = 300
_CLOSE = 1e-9
_MOST_POWER = 1000.0
_FUNCTIONS: Mapping[str, Callable[..., float]] = MappingProxyType({
    "Rational": lambda above, below: above / below,
    "sqrt": math.sqrt,
    "root": lambda value, degree: value ** (1 / degree),
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "log": math.log,
    "Abs": abs,
    "floor": math.floor,
    "ceiling": math.ceil,
})
_BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = MappingProxyType({
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.Div: lambda one, other: one / other,
})


def read_again(prompt: str, text: str, pairs: Sequence[tuple[Amount, Amount]]) -> str | None:
    """Read ``prompt`` with each pair's second number, as ``text`` says it, for the first."""
    changed = prompt
    for old, new in sorted(pairs, key=lambda pair: -pair[0].start):
        changed = f"{changed[: old.start]}{text[new.start : new.end]}{changed[old.end :]}"
    found = read_formula(changed)
    return found.expression if found is not None else None


def with_term(scene: Scene) -> str | None:
    """Read the last question for another term of its sequence: "a a20?"."""
    expression, last = last_expression(scene.state), scene.state.last
    new, told = _TERM.findall(scene.text), _TERM.findall(last.prompt) if last else []
    if expression is None or last is None or len(new) != 1 or len(told) < 1:
        return None
    at = [
        one for one in _TERM.finditer(last.prompt) if not _IS_GIVEN.match(last.prompt[one.end() :])
    ]
    if len(at) != 1:
        return None
    found = read_formula(f"{last.prompt[: at[0].start(1)]}{new[0]}{last.prompt[at[0].end(1) :]}")
    return found.expression if found is not None and found.expression != expression else None


def understood(scene: Scene) -> tuple[Amount, ...]:
    """The numbers of the last prompt, where reading it gives what was calculated; else none."""
    expression, last = last_expression(scene.state), scene.state.last
    if expression is None or last is None or len(expression) > _LONGEST:
        return ()
    found = read_formula(last.prompt)
    if found is None or not is_same(found.expression, expression):
        return ()
    return read_amounts(last.prompt)


def is_same(one: str, other: str) -> bool:
    """Whether two expressions are written alike, or have the same value."""
    if re.sub(r"\s", "", one) == re.sub(r"\s", "", other):
        return True
    if variable_of(one) or variable_of(other):
        return False
    values = [plain_value(text) for text in (one, other)]
    if values[0] is None or values[1] is None:
        return False
    return math.isclose(values[0], values[1], rel_tol=_CLOSE)


def is_same_value(one: float, other: float) -> bool:
    """Whether two values are the same but for rounding."""
    return abs(one - other) <= _CLOSE * max(1.0, abs(other))


def plain_value(expression: str) -> float | None:
    """The value of plain arithmetic; ``None`` for everything else."""
    try:
        return _of(ast.parse(expression, mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, TypeError, RecursionError):
        return None


def _of(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id="pi"):
            return math.pi
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_of(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_of(left), _of(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_of(left), _of(right))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return float(_FUNCTIONS[name](*(_of(one) for one in args)))
        case _:
            raise ValueError(ast.dump(node))


def _power(base: float, exponent: float) -> float:
    """A power of moderate size that is a real number."""
    if abs(exponent) > _MOST_POWER or (base < 0 and not exponent.is_integer()):
        raise ValueError(exponent)
    return float(base**exponent)
