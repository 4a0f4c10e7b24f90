"""What the network of word problems writes for a prompt within its conversation."""

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chatbot.router.detector.formulas.problems.statement import Quantity, Statement, state
from chatbot.router.detector.formulas.stories.network import MOST, MOST_TOKENS, story_network
from chatbot.router.detector.formulas.stories.quantities import LARGEST, text_of, value_of
from chatbot.router.detector.formulas.stories.templates import parse
from chatbot.router.detector.formulas.stories.tokens import Said, Token, Worked, tokens_in
from chatbot.router.dialogue.calculations.proposal_operands import LONGEST
from chatbot.router.dialogue.calculations.rereading import is_same_value, plain_value
from chatbot.router.dialogue.state import MATHEMATICS, NEEDED
from chatbot.router.dialogue.turns import Turn

_MOST_TURNS = 4
_CALCULATION, _PROMPT, _REPLY = 1, 2, 3
_PART_COUNT = 3
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_FUNCTIONS = frozenset({"floor", "ceiling", "sqrt"})
_HALF = 0.5001
"""Of the last place of a rounded number."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """A number of a conversation: as an expression has it, and its value, a share of one for %."""

    text: str
    value: float
    is_share: bool = False
    is_result: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A prompt with what was said before it, as the network reads it.

    ``numbers`` are those of the prompt, then the last results, then what else was told, the latest
    exchange first; tokens have their places among them.
    """

    tokens: tuple[Token, ...]
    numbers: tuple[Known, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A calculation, its value, and the logarithm of its share."""

    expression: str
    value: float
    likelihood: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Exchange:
    """What was said and calculated; ``made`` are expressions with their values."""

    prompt: Statement
    reply: Statement
    made: tuple[tuple[str, float], ...]


def write(prompt: str, turns: Sequence[Turn]) -> list[Written]:
    """Return the likeliest calculations for a prompt after other exchanges, oldest first.

    None where nothing was told, where that is too long, or where the last calculation has no plain
    value.
    """
    talk = read_conversation(prompt, turns)
    if talk is None:
        return []
    found: list[Written] = []
    for one in story_network().write(talk.tokens):
        template = parse(one.code)
        chosen = [talk.numbers[at] for at in one.chosen]
        expression = template.write([each.text for each in chosen])
        value = plain_value(expression)
        if value is not None and math.isfinite(value):
            found.append(Written(expression=expression, value=value, likelihood=one.likelihood))
    return found


def read_conversation(prompt: str, turns: Sequence[Turn]) -> Conversation | None:
    """Return a prompt with as many of the exchanges before it as the network reads."""
    exchanges = [_exchange(turn) for turn in turns[-_MOST_TURNS:]]
    for first in range(len(exchanges)):
        kept = exchanges[first:]
        if None in kept:
            continue
        found = _Reader(state(prompt), [one for one in kept if one is not None]).read()
        if len(found.tokens) <= MOST_TOKENS and found.numbers:
            return found
    return None


def _exchange(turn: Turn) -> _Exchange | None:
    """What an exchange told; ``None`` for a calculation without a plain value."""
    made: list[tuple[str, float]] = []
    for one in turn.calls:
        if one.name == MATHEMATICS:
            expression = str(one.arguments.get(NEEDED[MATHEMATICS], ""))
            value = plain_value(expression) if len(expression) <= LONGEST else None
            if value is None or not math.isfinite(value):
                return None
            made.append((expression, value))
    return _Exchange(prompt=state(turn.prompt), reply=state(turn.reply), made=tuple(made))


class _Reader:
    """Gives each number of a conversation its place, then reads it from its beginning."""

    def __init__(self, prompt: Statement, exchanges: Sequence[_Exchange]) -> None:
        self._prompt = prompt
        self._exchanges = exchanges
        self._numbers: list[Known] = []
        self._own = self._add(prompt)
        self._results = [[-1 for _ in one.made] for one in exchanges]
        self._replies: list[list[int]] = [[] for _ in exchanges]
        self._prompts: list[list[int]] = [[] for _ in exchanges]
        latest = range(len(exchanges) - 1, -1, -1)
        for at in latest:
            for of, (expression, value) in enumerate(exchanges[at].made):
                self._results[at][of] = self._place(
                    Known(text=f"({expression})", value=value, is_result=True)
                )
        for at in latest:
            self._prompts[at] = self._add(exchanges[at].prompt)
            self._replies[at] = self._add(exchanges[at].reply, self._results[at])

    def read(self) -> Conversation:
        """Return all of it, latest last."""
        pieces: list[Said | Worked] = []
        count = len(self._exchanges)
        for at, one in enumerate(self._exchanges):
            parts = _PART_COUNT * (count - 1 - at)
            for (expression, value), place in zip(one.made, self._results[at], strict=True):
                signs = tuple(self._signs(expression, at))
                pieces.append(
                    Worked(signs=signs, place=place, value=value, part=parts + _CALCULATION)
                )
            pieces += (
                Said(statement=one.prompt, places=self._prompts[at], part=parts + _PROMPT),
                Said(statement=one.reply, places=self._replies[at], part=parts + _REPLY),
            )
        pieces.append(Said(statement=self._prompt, places=self._own))
        return Conversation(tokens=tuple(tokens_in(pieces)), numbers=tuple(self._numbers))

    def _add(self, statement: Statement, results: Sequence[int] = ()) -> list[int]:
        """The places of a text's quantities; what tells a result has that of the result."""
        telling = _telling(
            statement.quantities, [(at, self._numbers[at]) for at in results if at >= 0]
        )
        return [
            telling[at] if at in telling else self._place(_known(one))
            for at, one in enumerate(statement.quantities)
        ]

    def _place(self, number: Known) -> int:
        if len(self._numbers) == MOST or not abs(number.value) < LARGEST:
            return -1
        self._numbers.append(number)
        return len(self._numbers) - 1

    def _signs(self, expression: str, at: int) -> Iterator[str | int]:
        """An earlier calculation in postfix signs, with the places of what was told before it."""
        known = [
            *(place for one in self._prompts[at::-1] for place in one),
            *(place for one in self._replies[at::-1] for place in one),
        ]
        results = [place for one in self._results[:at][::-1] for place in one]
        told = [(place, self._numbers[place]) for place in known if place >= 0]
        before = [(place, self._numbers[place]) for place in results if place >= 0]
        yield from _postfix(ast.parse(expression, mode="eval").body, told, before)


_Places = Sequence[tuple[int, Known]]


def _postfix(node: ast.expr, told: _Places, results: _Places) -> Iterator[str | int]:
    """The signs of an expression; what has the value of an earlier result is that result."""
    value = plain_value(ast.unparse(node))
    if not isinstance(node, ast.Constant) and (place := _same(value, results)) is not None:
        yield place
        return
    match node:
        case ast.Constant():
            place = _same(value, told)
            place = _same(value, results) if place is None else place
            percent = None if value is None else _same(value / 100, told, is_share=True)
            place = percent if place is None else place
            yield f"{value:g}" if place is None else place
        case (
            ast.BinOp(left=left, op=ast.Div(), right=right)
            | ast.Call(func=ast.Name(id="Rational"), args=[left, right])
        ):
            place = _quotient(left, right, value, told)
            if place is not None:
                yield place
                return
            yield from _postfix(left, told, results)
            yield from _postfix(right, told, results)
            yield "/"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            yield from _postfix(left, told, results)
            yield from _postfix(right, told, results)
            yield _SIGNS[type(op)]
        case ast.UnaryOp(operand=operand):
            yield from _postfix(operand, told, results)
            yield "neg"
        case ast.Call(func=ast.Name(id=name), args=[inside]) if name in _FUNCTIONS:
            yield from _postfix(inside, told, results)
            yield name
        case _:
            yield "other"


def _quotient(left: ast.expr, right: ast.expr, value: float | None, told: _Places) -> int | None:
    """The place of a number that is written as a quotient: 4,50 as 45/10."""
    if not (isinstance(left, ast.Constant) and isinstance(right, ast.Constant)):
        return None
    parts = (plain_value(ast.unparse(one)) for one in (left, right))
    if all(_same(part, told) is not None for part in parts):
        return None
    return _same(value, told)


def _same(value: float | None, numbers: _Places, *, is_share: bool | None = None) -> int | None:
    for place, one in numbers:
        is_fit = is_share is None or one.is_share == is_share
        if value is not None and is_fit and is_same_value(one.value, value):
            return place
    return None


def _known(quantity: Quantity) -> Known:
    return Known(text=text_of(quantity), value=value_of(quantity), is_share=quantity.unit == "%")


def _telling(quantities: Sequence[Quantity], results: _Places) -> dict[int, int]:
    """Which numbers of a reply tell which results, as exactly as any of them does."""
    found: dict[int, int] = {}
    for place, result in results:
        gaps = {at: _gap(one, result.value) for at, one in enumerate(quantities)}
        least = min(gaps.values(), default=math.inf)
        if math.isfinite(least):
            found |= {at: place for at, gap in gaps.items() if gap == least and at not in found}
    return found


def _gap(quantity: Quantity, result: float) -> float:
    """How far a number is from a result; infinite if it is not that result, rounded as written."""
    decimals = len(quantity.text.partition(".")[2])
    gap = abs(quantity.value - result)
    return gap if gap <= _HALF * 10**-decimals else math.inf
