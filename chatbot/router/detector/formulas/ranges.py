"""From where to where an integral, a sum or a product runs, as it is said in Polish."""

from dataclasses import dataclass

from chatbot.router.detector.formulas.grammar import Formula
from chatbot.router.detector.formulas.nodes import Node


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """From where to where something runs; ``letter`` is its variable, if that was said."""

    low: Node
    high: Node
    letter: str | None = None


def read_range(formula: Formula) -> Range | None:
    """Read "od 0 do 2", "w granicach od 0 do 2", "na przedziale [0, 2]", "_0^2"."""
    formula.sign(",")
    formula.word("dla", "gdzie", "gdy", "kiedy", "przy")
    letter = formula.attempt(lambda: _read_equated(formula))
    is_interval = formula.attempt(lambda: _is_interval_next(formula))
    formula.skip("calkowania", "liczbowym", "zaczyna", "poczynaj", "liczac")
    if formula.word("miedzy", "pomiedzy"):
        return _read_between(formula, letter)
    if formula.word("od") or formula.attempt(lambda: _is_assignment_next(formula)):
        return _read_from(formula, letter)
    if formula.sign("_"):
        return _read_subscripts(formula.power())
    if not is_interval:
        return None
    formula.sign("[", "(", "<")
    low = formula.sum()
    is_separated = formula.sign(",", ";") or formula.word("i", "do")
    high = formula.sum() if is_separated else None
    formula.sign("]", ")", ">")
    return None if low is None or high is None else Range(low=low, high=high)


def _is_interval_next(formula: Formula) -> str | None:
    """Step over "na przedziale", "w granicach", "po odcinku"."""
    is_placed = formula.word("w", "na", "po")
    return is_placed and formula.word("granic", "przedzial", "zakres", "odcink")


def _read_from(formula: Formula, letter: str | None) -> Range | None:
    inner = formula.attempt(lambda: read_assigned(formula))
    low = formula.sum()
    if low is None:
        return None
    formula.sign(",")
    formula.skip("az")
    high = formula.sum() if formula.word("do") else None
    return None if high is None else Range(low=low, high=high, letter=inner or letter)


def _read_between(formula: Formula, letter: str | None) -> Range | None:
    """Read "x = 0 a x = 6" behind "między"."""
    inner = formula.attempt(lambda: read_assigned(formula))
    low = formula.sum()
    is_joined = low is not None and formula.word("a", "i", "oraz")
    formula.attempt(lambda: read_assigned(formula))
    high = formula.sum() if is_joined else None
    if low is None or high is None:
        return None
    return Range(low=low, high=high, letter=inner or letter)


def _is_assignment_next(formula: Formula) -> bool:
    """Whether "k=1 do" stands here, without "od" before it; the position does not move."""
    start = formula.at
    is_next = read_assigned(formula) and formula.unary() and formula.word("do")
    formula.at = start
    return bool(is_next)


def _read_subscripts(low: Node | None) -> Range | None:
    if low is not None and "**" in low.text and low.text.count("**") == 1:
        below, _, above = low.text.partition("**")
        return Range(low=Node(text=below), high=Node(text=above))
    return None


def read_assigned(formula: Formula) -> str | None:
    """Read "x =" before a value."""
    letter = formula.variable()
    return letter.text if letter is not None and formula.sign("=") else None


def _read_equated(formula: Formula) -> str | None:
    letter = formula.variable()
    formula.word("biegn", "przebiega", "idzie", "idac")
    following = formula.peek()
    if letter is None or following is None or following.text != "od":
        return None
    return letter.text
