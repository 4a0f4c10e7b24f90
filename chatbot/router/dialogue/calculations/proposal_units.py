"""The unit that a calculation comes to, from the units of its operands."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from chatbot.router.detector.formulas.stories.templates import LETTERS
from chatbot.router.dialogue.calculations.measures import KNOWN, LENGTHS, factor, is_time
from chatbot.router.dialogue.calculations.proposal_operands import Operand

Unit: TypeAlias = tuple[str, str]
"""What is counted, and for each of what; both may be empty."""

CLASH = ("!", "")
"""What is no unit: kilograms added to złote."""

_BARE = ("", "")
_COUNTED = frozenset({"osob", "raz"})
_KINDS = {
    "km": "length", "m": "length", "cm": "length", "zl": "money", "gr": "money", "eur": "money",
    "kg": "mass", "g": "mass", "t": "mass", "l": "volume", "ml": "volume", "osob": "people",
    "%": "%", "": "-", "!": "!", "area": "area",
}  # fmt: skip


def kind(unit: str) -> str:
    """Return what sort of thing a unit measures."""
    if is_time(unit):
        return "time"
    return _KINDS.get(unit, "known" if unit in KNOWN else "thing")


def outcome(code: str, operands: Sequence[Operand]) -> Unit:
    """Return the unit of a calculation in postfix order (``a b /``: złote for each kilogram)."""
    return _outcome(code, tuple([(one.unit, one.per) for one in operands]))


@lru_cache(maxsize=4096)  # few units meet in few ways
def _outcome(code: str, units: tuple[Unit, ...]) -> Unit:
    stack: list[Unit] = []
    slots = dict(zip(LETTERS, units, strict=False))
    for sign in code.split():
        if sign in slots:
            stack.append(slots[sign])
        elif sign in {"+", "-", "*", "/", "**"}:
            right, left = stack.pop(), stack.pop()
            stack.append(_joined(sign, left, right))
        else:
            stack.append(_BARE)
    return stack.pop()


@lru_cache(maxsize=4096)
def _joined(sign: str, left: Unit, right: Unit) -> Unit:
    if CLASH in {left, right}:
        return CLASH
    if sign in {"+", "-"}:
        return _summed(left, right)
    if sign == "*":
        return _multiplied(left, right)
    return left if sign == "**" else _divided(left, right)


def _summed(left: Unit, right: Unit) -> Unit:
    if _BARE in {left, right}:
        return right if left == _BARE else left
    return left if fits(left[0], right[0]) else CLASH


def _multiplied(left: Unit, right: Unit) -> Unit:
    for one, other in ((left, right), (right, left)):
        if one in {_BARE, ("%", "")}:
            return other
        if one[1] and fits(one[1], other[0]):
            return one[0], other[1]
    for one, other in ((left, right), (right, left)):
        if one[0] in _COUNTED or kind(one[0]) == "thing":
            return other[0], ""
    return ("area", "") if {left[0], right[0]} <= LENGTHS else CLASH


def _divided(left: Unit, right: Unit) -> Unit:
    if right in {_BARE, ("%", "")}:
        return left
    if left[0] and fits(left[0], right[0]):
        return right[1], ""
    return left[0], right[0]


@lru_cache(maxsize=4096)
def fits(one: str, other: str) -> bool:
    """Whether one unit is so many of another."""
    return factor(one, other) is not None
