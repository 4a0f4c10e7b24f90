"""What speaks for a calculation within a conversation: words, units, numbers, what rules say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TypeAlias

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.stories.cues import cues_of
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.measures import KNOWN, factor, is_same, kind_of
from chatbot.router.dialogue.calculations.proposal_operands import Operand, wanted_unit
from chatbot.router.dialogue.calculations.proposal_relations import (
    answers,
    exchange,
    relation,
    size,
)
from chatbot.router.dialogue.calculations.proposal_roles import root
from chatbot.router.dialogue.calculations.proposal_units import CLASH, fits, kind, outcome
from chatbot.router.dialogue.calculations.proposals import EDITS, Proposal, template
from chatbot.router.dialogue.calculations.quantities import nouns_in
from chatbot.router.dialogue.calculations.rereading import is_same_value
from chatbot.router.dialogue.scene import Scene

Crossing: TypeAlias = tuple[str, tuple[str, ...]]
"""A part of a calculation with its signs: each of them is weighed for this part."""

Signs: TypeAlias = tuple[Crossing, ...]

_WORD = regex(r"[a-z]+|%|\d+(?:,\d+)?")
_PERCENT = regex(r"\b(?:jaki|ile|o ile|w) (?:to )?(?:jest )?proc|\bilu proc")
_QUESTION = regex(r"\b(?:o ile|po ile|na ile|za ile|ile razy|il[eu]|jak\w*|czy|co|kt\w+)\b")
_STEM, _MOST_WORDS, _MOST_OWN, _LONG = 5, 12, 3, 9
_MOST_PLACES, _MOST_RELATED, _MOST_RATIO = 3, 3, 4
_CLOSE = 1e-9
_SIGNS = frozenset({"+", "-", "*", "/", "**"})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Context:
    """What all calculations for a prompt share: its words, what it asks for, numbers told."""

    said: tuple[str, ...]
    phrases: tuple[str, ...]
    asked: str
    kind: str
    nouns: tuple[str, ...]
    result: Operand | None


def describe(scene: Scene, proposals: Sequence[Proposal]) -> list[Signs]:
    """Return the signs of each calculation."""
    reader = _Reader(_context(scene, proposals))
    return [tuple(reader.read(one)) for one in proposals]


def _context(scene: Scene, proposals: Sequence[Proposal]) -> _Context:
    said = _WORD.findall(scene.folded)[:_MOST_WORDS]
    words = ["#" if one[0].isdigit() else one[:_STEM] for one in said]
    cues = dict.fromkeys(cue for one in said if one[0].isalpha() for cue in cues_of(one))
    asked = "%" if _PERCENT.search(scene.folded) else wanted_unit(scene)
    numbers = [one for each in proposals for one in each.operands]
    own = min(len({one.place for one in numbers if one.source == "own"}), _MOST_OWN)
    nouns, last = nouns_in(scene.text), root(last_expression(scene.state))
    return _Context(
        said=(
            "",
            f"last {last}",
            f"n {own} {min(scene.size, _LONG) // 3}",
            f"ask {kind(asked)}",
            f"open {' '.join(words[:2])}",
            f"mark {'?' if scene.is_question else ''} {_asking(scene.folded)}",
            f"nouns {_novelty_of(nouns, numbers)}",
            f"said {_said_last(scene)}",
            *(f"w {word}" for word in dict.fromkeys(words)),
            *(f"c {cue}" for cue in cues),
        ),
        phrases=tuple(dict.fromkeys(f"p {one} {other}" for one, other in pairwise(words))),
        asked=asked,
        kind=kind(asked),
        nouns=nouns,
        result=next((one for one in numbers if one.source == "result"), None),
    )


def _asking(folded: str) -> str:
    """The question word of a prompt."""
    found = _QUESTION.search(folded)
    return "" if found is None else found[0][:_STEM]


def _said_last(scene: Scene) -> str:
    """The question word of the prompt before."""
    last = scene.state.last
    return "" if last is None else _asking(fold_evenly(last.prompt))


def _novelty_of(nouns: Sequence[str], numbers: Sequence[Operand]) -> str:
    """Whether the nouns of a prompt are those of the numbers told: "old", "new", both, none."""
    told = {name for one in numbers if one.source != "own" for name in (*one.names, one.unit)}
    known = [
        any(is_same(noun, name) for name in told) for noun in nouns if kind_of(noun) not in KNOWN
    ]
    return f"{any(known):d}{not all(known):d}"


class _Reader:
    """Reads the signs of the calculations for one prompt, those of a number or a pair once."""

    def __init__(self, context: _Context) -> None:
        self._context = context
        self._words = (*context.said, *context.phrases)
        self._sources: dict[str, tuple[str]] = {}
        self._of_one: dict[int, tuple[str, ...]] = {}
        self._of_two: dict[tuple[int, int], tuple[str, ...]] = {}

    def read(self, one: Proposal) -> Iterator[Crossing]:
        """Return the signs of a calculation as a whole, of its numbers, of each two of them."""
        told = " ".join([each.source for each in one.operands if each.source != "own"])
        sources = self._sources.setdefault(told, (f"from {told}",))
        yield one.form, self._context.said
        yield one.form, sources
        for name in families(one.form):
            yield name, self._words
            yield name, sources
        yield from self._outcome(one)
        if one.form in EDITS:
            for old, new in zip(one.operands[::2], one.operands[1::2], strict=True):
                signs = self._exchange(old, new)
                yield one.form, signs
                yield "edit", signs
                yield "old", self._number(old)
            return
        yield from self._numbers(one)

    def _numbers(self, one: Proposal) -> Iterator[Crossing]:
        roles, joins = parts(one.code)
        for slot, operand in enumerate(one.operands[:_MOST_RELATED]):
            signs = self._number(operand)
            yield f"{one.form}|{slot}", signs
            if operand.source != "own":
                yield operand.source, signs
            yield from ((role, signs) for role in roles.get(slot, ()))
        for at, to in combinations(range(min(len(one.operands), _MOST_RELATED)), 2):
            signs = self._pair(one.operands[at], one.operands[to])
            yield f"{one.form}|{at}{to}", signs
            yield from ((join, signs) for join in joins.get((at, to), ()))

    def _outcome(self, one: Proposal) -> Iterator[Crossing]:
        large, context = size(one.value), self._context
        signs = [large, self._novelty(one), f"by {self._ratio(one.value)}"]
        unit = None if not one.code else outcome(one.code, one.operands)
        if unit is not None:
            what = "!" if unit == CLASH else f"{kind(unit[0])}{'/' if unit[1] else ''}"
            is_asked = bool(context.asked) and fits(unit[0], context.asked)
            signs += [f"unit {what}", f"asked {is_asked:d} {bool(unit[1]):d}"]
        signs.append(f"turned {self._converts(one.value)}")
        found = tuple(signs)
        yield "", found
        yield one.form, found
        yield f"ask {context.kind}", found

    def _novelty(self, one: Proposal) -> str:
        """Whether the outcome is a number that was told already."""
        result = self._context.result
        if result is not None and is_same_value(one.value, result.value):
            return "new result"
        return (
            "new no"
            if any(is_same_value(one.value, each.value) for each in one.operands)
            else "new"
        )

    def _converts(self, value: float) -> str:
        """Whether it is the last result in the unit that is asked for."""
        result, asked = self._context.result, self._context.asked
        scale = factor(result.unit, asked) if result is not None and asked else None
        if result is None or scale is None or scale == 1:
            return "-"
        return str(is_same_value(value, result.value * float(scale)))

    def _ratio(self, value: float) -> str:
        result = self._context.result
        if result is None or not result.value:
            return "-"
        ratio = value / result.value
        if ratio <= 0:
            return "below"
        steps = 0
        while ratio > 1 + _CLOSE and steps < _MOST_RATIO:
            ratio, steps = ratio / 3, steps + 1
        while ratio < 1 - _CLOSE and steps > -_MOST_RATIO and steps <= 0:
            ratio, steps = ratio * 3, steps - 1
        return str(steps)

    def _number(self, one: Operand) -> tuple[str, ...]:
        if id(one) not in self._of_one:
            self._of_one[id(one)] = tuple(self._read_number(one))
        return self._of_one[id(one)]

    def _read_number(self, one: Operand) -> Iterator[str]:
        nouns, asked = self._context.nouns, self._context.asked
        is_named = any(is_same(name, noun) for name in one.names for noun in nouns)
        is_counted = any(is_same(one.unit, kind_of(noun)) for noun in nouns)
        what = f"{kind(one.unit)}{'/' if one.per else ''}"
        yield f"unit {what}"
        yield f"{one.source} {what}"
        yield f"named {is_named:d} {is_counted:d} {is_same(one.unit, asked):d}"
        yield f"role {one.role}"
        yield f"{one.source} role {one.role}"
        yield f"end {min(one.after, _MOST_PLACES)} {one.is_asked:d}"
        yield f"cue {one.cue}"
        yield f"at {min(one.place, _MOST_PLACES)}"
        yield f"value {size(one.value)}"

    def _pair(self, left: Operand, right: Operand) -> tuple[str, ...]:
        key = (id(left), id(right))
        if key not in self._of_two:
            related = relation(left, right)
            asked = f"{related} ask {answers(left, right, self._context.asked)}"
            self._of_two[key] = (related, asked, f"larger {left.value > right.value:d}")
        return self._of_two[key]

    def _exchange(self, old: Operand, new: Operand) -> tuple[str, ...]:
        key = (id(old), id(new))
        if key not in self._of_two:
            self._of_two[key] = tuple(exchange(old, new))
        return self._of_two[key]


@lru_cache(maxsize=512)
def families(form: str) -> tuple[str, ...]:
    """Return what forms have in common: an exchange, a percentage, their operations."""
    first = form.partition(" ")[0]
    if form in EDITS or first in {"term", "drop"}:
        return ("F edit", "F put") if first == "put" else ("F edit",)
    if first in {"mean", "span", "sum"} and not re.search(r"[-+*/]", form):
        return ("F group", f"F {first}")
    found = [f"F {first if first.isalpha() and len(first) > 1 else 'one'}"]
    bare = re.sub(r"1 [ab] 100 / [-+]", "", form)
    if bare != form:
        found.append("F %+" if "100 / +" in form else "F %-")
    elif "100 /" in form:
        found.append("F %")
    if "100 *" in form:
        found.append("F of 100")
    return (*found, *(f"F {sign}" for sign in sorted(_SIGNS) if sign in bare.split()))


@lru_cache(maxsize=512)
def parts(code: str) -> tuple[dict[int, list[str]], dict[tuple[int, int], list[str]]]:
    """Return what each slot of a postfix code is ("divisor"), and what joins each two of them."""
    roles: dict[int, list[str]] = {}
    joins: dict[tuple[int, int], list[str]] = {}
    if code:
        for slot, role in template(code).roles:
            roles.setdefault(slot, []).append(f"as {role}")
        for one, other, join in template(code).joins:
            joins.setdefault((one, other), []).append(f"by {join}")
    return roles, joins
