"""How two numbers of a conversation stand to each other, and how large one is."""

import math
from collections.abc import Iterator

from chatbot.router.dialogue.calculations.measures import is_same
from chatbot.router.dialogue.calculations.proposal_operands import Operand
from chatbot.router.dialogue.calculations.proposal_units import fits, kind

_TINY, _SMALL, _MEDIUM = 0.05, 100, 10_000
_CLOSE = 1e-9


def relation(left: Operand, right: Operand) -> str:
    """Whether two count the same, whether one is for each of the other, or shares its nouns."""
    said = [
        ("for", bool(left.per and fits(left.per, right.unit))),
        ("rof", bool(right.per and fits(right.per, left.unit))),
        ("of", any(is_same(name, left.unit) for name in right.names)),
        ("fo", any(is_same(name, right.unit) for name in left.names)),
        ("like", any(is_same(one, two) for one in left.names for two in right.names)),
    ]
    return " ".join((_likeness(left, right), *(name for name, holds in said if holds)))


def _likeness(left: Operand, right: Operand) -> str:
    if not left.unit or not right.unit:
        return "bare" if left.unit == right.unit else "half"
    if is_same(left.unit, right.unit):
        return "same"
    return "near" if fits(left.unit, right.unit) else "other"


def answers(left: Operand, right: Operand, asked: str) -> str:
    """Which of two is counted in what is asked for, or is for each of that."""
    if not asked:
        return "-"
    units = [str(at) for at, one in enumerate((left, right)) if one.unit and fits(one.unit, asked)]
    each = [f"per {at}" for at, one in enumerate((left, right)) if one.per and fits(one.per, asked)]
    return " ".join((*units, *each)) or "none"


def exchange(old: Operand, new: Operand) -> Iterator[str]:
    """How much the new number of an exchange is like the old one."""
    unit = _likeness(old, new)
    ratio = (
        min(int(abs(math.log10(abs(new.value / old.value))) * 3), 6)
        if old.value and new.value
        else 6
    )
    is_named = any(is_same(one, two) for one in old.names for two in new.names)
    yield f"unit {unit}"
    yield f"kinds {kind(old.unit)} {kind(new.unit)}"
    yield f"per {bool(old.per):d} {bool(new.per):d}"
    yield f"cue {old.cue == new.cue:d} {bool(old.cue):d} {bool(new.cue):d}"
    yield f"cues {old.cue} {new.cue}"
    yield f"near {bool(old.near & new.near):d} {is_named:d}"
    yield f"counted {any(is_same(old.unit, name) for name in new.names):d}"
    yield f"ratio {ratio}"
    yield f"unit {unit} ratio {ratio}"
    yield f"whole {old.value.is_integer():d} {new.value.is_integer():d}"
    yield f"old {old.source}"


def size(value: float) -> str:
    """How large a number is, and whether it is whole, or so many hundredths."""
    if value <= 0:
        return "below" if value < 0 else "0"
    least = _CLOSE * max(1.0, value)
    is_whole, is_cents = (abs(one - round(one)) < least * 100 for one in (value, value * 100))
    bounds = (("tiny", _TINY), ("part", 1), ("small", _SMALL), ("medium", _MEDIUM))
    scale = next((name for name, bound in bounds if value < bound), "large")
    return f"{scale} {'whole' if is_whole else 'cents' if is_cents else 'long'}"
