"""The last calculation with some of its numbers exchanged, raised or lowered, or a term less."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from chatbot.router.dialogue.amounts import written
from chatbot.router.dialogue.constants import constants, exchange
from chatbot.router.dialogue.figures import last_expression
from chatbot.router.dialogue.proposal_operands import LONGEST, Operand, operands_in
from chatbot.router.dialogue.rereading import plain_value
from chatbot.router.dialogue.scene import Scene

_BOTH = 2
_UNSAID = frozenset({Fraction(1), Fraction(100)})

Edit = tuple[str, str, tuple[Operand, ...]]
"""How an expression is changed, what it becomes, and the numbers: each old one with its new one."""


def edits(scene: Scene, own: Sequence[Operand]) -> Iterator[Edit]:
    """Return the last expression changed by the numbers of the prompt, or by a term."""
    expression, last = last_expression(scene.state), scene.state.last
    if expression is None or last is None or len(expression) > LONGEST or len(own) > _BOTH:
        return
    if not own:
        yield from _of_terms(expression)
        return
    used = list(_used(expression, last.prompt))
    if len(own) == 1:
        yield from _of_one(expression, used, own[0])
    else:
        yield from _of_both(expression, used, own)


def _used(expression: str, prompt: str) -> Iterator[Operand]:
    """The numbers that the last prompt told for an expression, and what it has besides."""
    told = operands_in(prompt, "asked")
    for one in told:
        if exchange(expression, one.exact, one.exact, share=one.unit == "%"):
            yield one
    said = {one.exact for one in told} | _UNSAID
    for each in constants(expression):
        if each.value not in said:
            yield Operand(text=written(each.value), value=float(each.value), source="constant")


def _of_one(expression: str, used: Sequence[Operand], new: Operand) -> Iterator[Edit]:
    for old in used:
        changes = (
            ("put", new.exact), ("raise", old.exact + new.exact), ("lower", old.exact - new.exact),
        )  # fmt: skip
        for form, value in changes:
            if made := _exchanged(expression, old, value, new.unit):
                yield form, made, (old, new)


def _of_both(expression: str, used: Sequence[Operand], own: Sequence[Operand]) -> Iterator[Edit]:
    one, other = own
    for first in used:
        made = _exchanged(expression, first, one.exact, one.unit)
        if made is None:
            continue
        yield "put", made, (first, one)
        for second in used:
            both = _exchanged(made, second, other.exact, other.unit)
            if both and second is not first:
                yield "put two", both, (first, one, second, other)


def _exchanged(expression: str, old: Operand, value: Fraction, unit: str) -> str | None:
    return exchange(expression, old.exact, value, share="%" in {old.unit, unit})


def _of_terms(expression: str) -> Iterator[Edit]:
    terms = _terms(expression)
    for at, term in enumerate(terms if len(terms) > 1 else ()):
        value = plain_value(term)
        one = Operand(text=term, value=0.0 if value is None else value, source="term")
        yield "term", term, (one,)
        yield "drop", " + ".join(each for place, each in enumerate(terms) if place != at), (one,)


def _terms(expression: str) -> list[str]:
    """What an expression adds up; one that takes something off counts as a part of a term."""
    depth, start = 0, 0
    terms: list[str] = []
    for at, sign in enumerate(expression):
        depth += (sign == "(") - (sign == ")")
        if sign == "+" and not depth:
            terms.append(expression[start:at].strip())
            start = at + 1
    return [*terms, expression[start:].strip()]
