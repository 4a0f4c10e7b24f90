"""The numbers that a calculation within a conversation may be made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from chatbot.router.dialogue.amounts import Amount, read_amounts
from chatbot.router.dialogue.quantities import Quantity, implied, read_quantities
from chatbot.router.dialogue.reckoning import asked_unit
from chatbot.router.dialogue.rereading import plain_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS
from chatbot.router.dialogue.turns import Turn

LONGEST = 160
"""Characters of an expression that is calculated with."""

_MOST_TOLD, _MOST_RESULTS = 7, 3
_FINEST = 10**6


@dataclass(frozen=True, kw_only=True, slots=True)
class Operand:
    """A number of the conversation, as an expression has it.

    ``source`` is "own" for the prompt's, "result" for the last result, "earlier" for one before it,
    "asked" and "told" for the last prompt's and reply's, with "before" for older ones; "sum",
    "term" and "constant" for what comes of several or of the last expression. ``cue`` is the
    preposition before it, ``near`` the beginnings of the words beside it, ``place`` its place.
    """

    text: str
    value: float
    source: str
    unit: str = ""
    per: str = ""
    names: tuple[str, ...] = ()
    place: int = 0
    cue: str = ""
    near: frozenset[str] = field(default_factory=frozenset)

    @property
    def exact(self) -> Fraction:
        """The number as a fraction."""
        return Fraction(self.value).limit_denominator(_FINEST)


def own_operands(scene: Scene) -> tuple[Operand, ...]:
    """The numbers of the prompt, else the times that it names without one."""
    return operands_in(scene.text, "own") or tuple(
        _operand(one, "own", 0, ()) for one in implied(scene.text)
    )


@lru_cache(maxsize=128)  # a conversation is read again at each prompt
def operands_in(text: str, source: str) -> tuple[Operand, ...]:
    """The numbers of a text."""
    amounts = read_amounts(text)
    return tuple(_operand(one, source, at, amounts) for at, one in enumerate(read_quantities(text)))


def told_operands(scene: Scene) -> list[Operand]:
    """The last results, then the other numbers that were told, the latest first."""
    results = list(_results(scene))
    shown = {f"{one.value:.9g}" for one in results}
    found: dict[tuple[str, str], Operand] = {}
    for age, turn in enumerate(reversed(scene.state.turns)):
        for source, text in (("told", turn.reply), ("asked", turn.prompt)):
            for one in operands_in(text, f"{source} before" if age else source):
                is_result = source == "told" and _expressions(turn) and f"{one.value:.9g}" in shown
                if not is_result:
                    found.setdefault((one.text, one.unit), one)
    return [*results, *list(found.values())[:_MOST_TOLD]]


def _operand(one: Quantity, source: str, at: int, amounts: Sequence[Amount]) -> Operand:
    amount = next((each for each in amounts if each.start == one.start), None)
    return Operand(
        text=one.text if one.of == 1 else f"({one.each})",
        value=float(one.value / one.of),
        source=source,
        unit=one.unit,
        per=one.per,
        names=one.names,
        place=at,
        cue=amount.cue if amount else "",
        near=amount.near if amount else frozenset(),
    )


def _results(scene: Scene) -> Iterator[Operand]:
    """The results of the last exchanges, but for those that a later one goes on with."""
    later, count = "", 0
    for turn in reversed(scene.state.turns):
        for expression in reversed(_expressions(turn)):
            value = plain_value(expression) if len(expression) <= LONGEST else None
            bare = expression.replace(" ", "")
            if value is None or bare in later or count == _MOST_RESULTS:
                continue
            later += bare
            told = read_quantities(turn.reply)
            yield Operand(
                text=f"({expression})",
                value=value,
                source="earlier" if count else "result",
                unit=asked_unit(scene.within(turn.prompt)) or (told[-1].unit if told else ""),
                names=told[-1].names if told else (),
            )
            count += 1


def _expressions(turn: Turn) -> list[str]:
    return [
        str(one.arguments["expression"])
        for one in turn.calls
        if one.name == MATHEMATICS and "expression" in one.arguments
    ]
