"""Every calculation that a prompt may ask for with the numbers of its conversation."""

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from types import MappingProxyType

from chatbot.router.detector.formulas.stories.templates import LETTERS, Template, parse
from chatbot.router.dialogue.calculations.measures import factor, is_same
from chatbot.router.dialogue.calculations.proposal_edits import edits
from chatbot.router.dialogue.calculations.proposal_operands import (
    Operand,
    own_operands,
    told_operands,
    wanted_unit,
)
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.router.dialogue.scene import Scene

_PAIR = ("a b +", "a b -", "b a -", "a b *", "a b /", "b a /")
_PERCENT = ("a b / 100 *", "b a / 100 *")
_SHARE = (
    "b a * 100 /", "1 a 100 / + b *", "1 a 100 / - b *", "b 1 a 100 / + /", "b 1 a 100 / - /",
    "b a / 100 *",
)  # fmt: skip
_OF_SHARE = (*_PAIR, "a b * 100 /", "1 b 100 / + a *", "1 b 100 / - a *")
_CHANGE = ("a b - b / 100 *", "b a - b / 100 *", "a b - a / 100 *", "b a - a / 100 *")
_FRACTION = ("1 a - b *", "1 a + b *")
_POWER = ("b a **", "b 1 a / **")
_WITH_TWO = (
    "c a b * +", "c a b * -", "c a * b *", "c a * b /", "c b * a /", "c a b * /", "c a + b /",
    "c a - b /", "c a + b *", "c a - b *", "c a * b +", "c a * b -", "c a / b +", "c a / b -",
    "c a + b +", "c a - b -", "c a + b -", "c a - b +", "a b c * -",
)  # fmt: skip
_SHARE_WITH = (
    "1 a 100 / + c * b /", "1 a 100 / - c * b /", "1 a 100 / + c * b *", "1 a 100 / - c * b *",
    "1 a 100 / + c * b +", "1 a 100 / - c * b -", "1 a 100 / - c * b +",
)  # fmt: skip
_BOTH_SHARES = (
    "1 a 100 / + 1 b 100 / + * c *", "1 a 100 / - 1 b 100 / - * c *",
    "1 a 100 / + 1 b 100 / - * c *", "1 a 100 / - 1 b 100 / + * c *",
)  # fmt: skip
_AT_RESULT = ("c a b * +", "c a b * -", "c b + a -", "c b + a +")
_TIMES = (2, 3, 7, 10, 12, 24, 30, 52, 60, 100, 365, 1000)
_ALONE = (
    "a", "a 2 **", "a 3 **", "a 0.5 **", "1 a /", "100 a -", "1 a -", "0 a -",
    *(f"a {number} *" for number in _TIMES), *(f"a {number} /" for number in (4, *_TIMES)),
)  # fmt: skip
_NEAREST, _MOST_POWER = 6, 10
_OWN = 2
_BINARY: Mapping[str, Callable[[float, float], float]] = MappingProxyType({
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "**": operator.pow,
})  # fmt: skip
_RESULTS = frozenset({"result", "earlier"})


EDITS = frozenset({"put", "put two", "raise", "lower", "swap", "turned"})
"""Forms that exchange numbers of the last expression: their operands are each old and new one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """One calculation: how it is made of which operands, and its value.

    ``code`` is its postfix order; ``written`` is the expression where none says how it is made.
    """

    form: str
    value: float
    operands: tuple[Operand, ...]
    code: str = ""
    written: str = ""

    @property
    def expression(self) -> str:
        """The calculation as the tool reads it."""
        return self.written or template(self.code).write([one.text for one in self.operands])


def propose(scene: Scene) -> list[Proposal]:
    """Return the calculations that have a value; none where nothing was told."""
    own, told = own_operands(scene), told_operands(scene)
    found = [_edited(*one) for one in edits(scene, own)]
    if len(own) == 1:
        found += [*_with_one(own[0], told), *_with_groups(own[0], told)]
    elif len(own) == _OWN:
        found += [*_of_own(*own), *_with_two(own[0], own[1], told)]
    if not own or own[0].is_implied:
        found += [*_of_told(told), *_of_groups(told), *_in_unit(told, wanted_unit(scene))]
    return [one for one in found if math.isfinite(one.value)]


@lru_cache(maxsize=256)
def template(code: str) -> Template:
    """Return the template of a postfix code."""
    return parse(code)


def _made(code: str, *operands: Operand, kind: str = "") -> Proposal:
    return Proposal(
        form=f"{kind} {code}" if kind else code,
        value=_value(code, operands),
        operands=operands,
        code=code,
    )


def _value(code: str, operands: Sequence[Operand]) -> float:
    """What a postfix code comes to; NaN where it has no value."""
    stack: list[float] = []
    try:
        for sign in _split(code):
            if isinstance(sign, float):
                stack.append(sign)
            elif sign in _BINARY:
                right, left = stack.pop(), stack.pop()
                stack.append(_BINARY[sign](left, right))
            else:
                stack.append(operands[LETTERS.index(sign)].value)
        (value,) = stack
        return float(value)
    except (ArithmeticError, TypeError):  # divided by 0; a root of what is below 0 is no float
        return math.nan


@lru_cache(maxsize=256)
def _split(code: str) -> tuple[str | float, ...]:
    return tuple(
        sign if sign in _BINARY or sign in LETTERS else float(sign) for sign in code.split()
    )


def _edited(form: str, expression: str, operands: tuple[Operand, ...]) -> Proposal:
    value = plain_value(expression)
    known = math.nan if value is None else value
    return Proposal(form=form, written=expression, value=known, operands=operands)


def _of_own(one: Operand, other: Operand) -> Iterator[Proposal]:
    for code in (*_PAIR, *_SHARE, *_PERCENT):
        yield _made(code, one, other, kind="own")


def _with_one(own: Operand, told: Sequence[Operand]) -> Iterator[Proposal]:
    for one in told:
        is_result = one.source == "result"
        codes: tuple[str, ...] = (
            _SHARE if own.unit == "%" else _OF_SHARE if one.unit == "%" else _PAIR + _PERCENT
        )
        if is_result and not own.unit and 1 < own.value <= _MOST_POWER:
            codes += _POWER
        if 0 < own.value < 1:
            codes += _FRACTION
        for code in codes:
            yield _made(code, own, one)
    for one, other in permutations(told[:_NEAREST], 2):
        yield _made("a b * c /", own, one, other)
        for code in _AT_RESULT if other.source == "result" and own.unit != "%" else ():
            yield _made(code, own, one, other)


def _with_two(one: Operand, other: Operand, told: Sequence[Operand]) -> Iterator[Proposal]:
    shares = [each for each in (one, other) if each.unit == "%"]
    for base in told[: _NEAREST - 1]:
        for code in _WITH_TWO:
            yield _made(code, one, other, base)
        for share in shares:
            rest = other if share is one else one
            for code in _SHARE_WITH:
                yield _made(code, share, rest, base)
        for code in _BOTH_SHARES if len(shares) == _OWN else ():
            yield _made(code, one, other, base)


def _of_told(told: Sequence[Operand]) -> Iterator[Proposal]:
    """Two of what was told, or the last result alone."""
    for one, other in combinations(told, 2):
        is_share = "%" in {one.unit, other.unit}
        for code in (*_PAIR, *_PERCENT, *((*_SHARE, *_OF_SHARE[6:]) if is_share else _CHANGE)):
            yield _made(code, one, other, kind="told")
    for one in told:
        for code in _ALONE if one.source == "result" else ("a",):
            yield _made(code, one, kind="alone")


def _in_unit(told: Sequence[Operand], unit: str) -> Iterator[Proposal]:
    """Each number told in the unit that is asked for."""
    for one in told if unit else ():
        scale = factor(one.unit, unit)
        if scale is not None and scale != 1:
            is_more = scale > 1
            code = f"a {float(scale if is_more else 1 / scale):.12g} {'*' if is_more else '/'}"
            value = one.value * float(scale)
            yield Proposal(form="in unit", value=value, operands=(one,), code=code)


def _of_groups(told: Sequence[Operand]) -> Iterator[Proposal]:
    """The sum, mean and span of all that one text tells in one unit, and of all results."""
    for kind, group in _groups(told):
        whole = " + ".join(one.text for one in group)
        total = sum(one.value for one in group)
        high, low = (key(group, key=lambda one: one.value) for key in (max, min))
        yield Proposal(form=f"sum {kind}", written=whole, value=total, operands=group)
        mean = f"({whole})/{len(group)}"
        yield Proposal(form=f"mean {kind}", written=mean, value=total / len(group), operands=group)
        yield _made("a b -", high, low, kind=f"span {kind}")


def _with_groups(own: Operand, told: Sequence[Operand]) -> Iterator[Proposal]:
    """A number of the prompt with the sum of all that one text tells in one unit."""
    for _, group in _groups(told):
        every = Operand(
            text=f"({' + '.join(one.text for one in group)})",
            value=sum(one.value for one in group),
            source="sum",
            unit=group[0].unit,
            per=group[0].per,
        )
        for code in (*_PAIR, *(_SHARE if own.unit == "%" else ())):
            yield _made(code, own, every, kind="sum")


def _groups(told: Sequence[Operand]) -> Iterator[tuple[str, tuple[Operand, ...]]]:
    results = tuple(one for one in told if one.source in _RESULTS)
    if len(results) > 1:
        yield "results", results
    for one in told:
        alike = tuple(each for each in told if _is_alike(one, each))
        if one.source in {"told", "asked"} and len(alike) > 1 and alike[0] is one:
            yield one.source, alike


def _is_alike(one: Operand, other: Operand) -> bool:
    is_one_unit = one.unit == other.unit or is_same(one.unit, other.unit)
    return one.source == other.source and is_one_unit
