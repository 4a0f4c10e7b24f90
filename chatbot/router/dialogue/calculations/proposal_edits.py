"""The last calculation with some of its numbers exchanged, raised or lowered, or a term less."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from chatbot.router.dialogue.calculations.amounts import written
from chatbot.router.dialogue.calculations.constants import constants, exchange
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.measures import factor
from chatbot.router.dialogue.calculations.proposal_operands import LONGEST, Operand, operands_in
from chatbot.router.dialogue.calculations.proposal_parts import Part, addends, parts, summed
from chatbot.router.dialogue.calculations.proposal_roles import roles, root
from chatbot.router.dialogue.calculations.rereading import plain_value
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
    told = [
        one for turn in reversed(scene.state.turns) for one in operands_in(turn.prompt, "asked")
    ]
    if not own or own[0].is_implied:
        yield from _of_parts(expression, told)
    if not own:
        return
    used = list(_used(expression, last.prompt))
    if len(own) == 1:
        yield from _of_one(expression, used, own[0])
        yield from _of_terms(expression, told, own[0])
    else:
        yield from _of_both(expression, used, own)


def _used(expression: str, prompt: str) -> Iterator[Operand]:
    """The numbers that the last prompt told for an expression, and what it has besides."""
    told, known = operands_in(prompt, "asked"), roles(expression)
    for one in told:
        if exchange(expression, one.exact, one.exact, share=one.unit == "%"):
            yield replace(one, role=known.get(one.exact, ""))
    said = {one.exact for one in told} | _UNSAID
    for each in constants(expression):
        if each.value not in said:
            yield Operand(
                text=written(each.value),
                value=float(each.value),
                source="constant",
                role=known.get(each.value, ""),
            )


def _of_one(expression: str, used: Sequence[Operand], new: Operand) -> Iterator[Edit]:
    for old in used:
        changes: tuple[tuple[str, Fraction], ...] = (
            ("put", new.exact), ("raise", old.exact + new.exact), ("lower", old.exact - new.exact),
        )  # fmt: skip
        scale = factor(new.unit, old.unit)
        if scale is not None and scale != 1:
            changes = (*changes, ("turned", new.exact * scale))
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


def _of_parts(expression: str, told: Sequence[Operand]) -> Iterator[Edit]:
    """Each part of an expression alone, and its sum without each of what it adds or takes off."""
    for part in parts(expression):
        yield "term", part.text, (_named(part, expression, told),)
    terms = addends(expression)
    for at, term in enumerate(terms if len(terms) > 1 else ()):
        rest = [one for place, one in enumerate(terms) if place != at]
        yield "drop", summed(rest), (_named(term, expression, told),)


def _of_terms(expression: str, told: Sequence[Operand], new: Operand) -> Iterator[Edit]:
    """The sum with a number in the place of one of its terms that is no number itself."""
    terms = addends(expression)
    for at, term in enumerate(terms if len(terms) > 1 else ()):
        if not term.is_number:
            put = replace(term, text=new.text)
            made = summed([put if place == at else one for place, one in enumerate(terms)])
            yield "swap", made, (_named(term, expression, told), new)


def _named(part: Part, expression: str, told: Sequence[Operand]) -> Operand:
    """A part of an expression as an operand, with the nouns that no other part has."""
    inside = set(roles(part.text))
    own = [name for one in told if one.exact in inside for name in (*one.names, one.unit)]
    rest = roles(expression).keys() - inside
    other = {name for one in told if one.exact in rest for name in (*one.names, one.unit)}
    value = plain_value(part.text)
    return Operand(
        text=part.text,
        value=0.0 if value is None else value,
        source="term",
        names=tuple(dict.fromkeys(name for name in own if name and name not in other)),
        role="taken" if part.is_taken else root(part.text),
    )
