"""The numbers that a calculation within a conversation may be made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.measures import KNOWN, kind_of
from chatbot.router.dialogue.calculations.proposal_roles import roles, root
from chatbot.router.dialogue.calculations.quantities import Quantity, implied, read_quantities
from chatbot.router.dialogue.calculations.reckoning import asked_unit
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS
from chatbot.router.dialogue.turns import Turn

LONGEST = 160
"""Characters of an expression that is calculated with."""

_MOST_TOLD, _MOST_RESULTS = 7, 3
_FINEST = 10**6
_LARGEST = 10**100  # far beyond what anybody goes on with, and within what a float holds
_ASKS = regex(r"\b(?:il[eu]|iloma|jak\w*|czy|oblicz\w*|policz\w*)\b")
_ONE = regex(
    r"(?P<cue>\b(?:na|za|dla|przy|o|z|bez|po|do|w) )?\bjed(?:en|n[aeiou]|nego|nemu|nej|nym)\b"
    r"(?: (?P<what>[a-z]+))?"
)
_QUOTED = regex(r"„[^„”]*”|«[^«»]*»")
_POWERS = regex(r"\bmetr\w* (?:kwadratow|szescienn)")
_BARE = regex(
    r"^(?:(?:a|i|no|to|teraz|ok|w|na) )*(?P<unit>[a-z0-9]+)(?: kwadratow\w+| szescienn\w+)?\W*$"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Operand:
    """A number of the conversation, as an expression has it.

    ``source`` is "own" for the prompt's, "result" for the last result, "earlier" for one before it,
    "asked" and "told" for the last prompt's and reply's, with "before" for older ones; "sum",
    "term" and "constant" for what comes of several or of the last expression. ``cue`` is the
    preposition before it, ``near`` the beginnings of the words beside it, ``place`` its place,
    ``after`` how many numbers follow it, ``is_asked`` whether it stands in the question; ``role``
    is what it is in the last expression, of a result what its expression does last. ``is_implied``:
    no number says it ("na tydzień", "za jedną").
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
    after: int = 0
    is_asked: bool = False
    role: str = ""
    is_implied: bool = False

    @property
    def exact(self) -> Fraction:
        """The number as a fraction."""
        return Fraction(self.value).limit_denominator(_FINEST)


def own_operands(scene: Scene) -> tuple[Operand, ...]:
    """The numbers of the prompt, else the times that it names without one."""
    if own := operands_in(scene.text, "own"):
        return own
    found = tuple(
        replace(_operand(one, "own", 0, ()), is_implied=True) for one in implied(scene.text)
    )
    if found or (one := _ONE.search(scene.folded)) is None:
        return found
    unit = kind_of(one["what"] or "")
    cue = (one["cue"] or "").strip()
    return (Operand(text="1", value=1.0, source="own", unit=unit, cue=cue, is_implied=True),)


@lru_cache(maxsize=128)  # a conversation is read again at each prompt
def operands_in(text: str, source: str) -> tuple[Operand, ...]:
    """The numbers of a text, but for those in the titles that it quotes."""
    text = _QUOTED.sub(lambda title: " " * len(title[0]), text)
    amounts = read_amounts(text)
    found = [one for one in read_quantities(text) if abs(one.value) <= _LARGEST * one.of]
    asks = [one.start() for one in _ASKS.finditer(fold_evenly(text))]
    return tuple(
        replace(
            _operand(one, source, at, amounts),
            after=len(found) - at - 1,
            is_asked=bool(asks) and one.start > asks[-1],
        )
        for at, one in enumerate(found)
    )


def told_operands(scene: Scene) -> list[Operand]:
    """The last results, then the other numbers that were told, the latest first."""
    expression = last_expression(scene.state)
    is_read = expression is not None and len(expression) <= LONGEST
    known = roles(expression or "") if is_read else {}
    results = list(_results(scene))
    shown = {f"{one.value:.9g}" for one in results}
    found: dict[tuple[str, str], Operand] = {}
    for age, turn in enumerate(reversed(scene.state.turns)):
        for source, text in (("told", turn.reply), ("asked", turn.prompt)):
            for one in operands_in(text, f"{source} before" if age else source):
                is_result = source == "told" and _expressions(turn) and f"{one.value:.9g}" in shown
                if not is_result:
                    role = known.get(one.exact, "")
                    found.setdefault((one.text, one.unit), replace(one, role=role))
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


def wanted_unit(scene: Scene) -> str:
    """The unit that a prompt asks for, if only by naming it: "a litrów?"."""
    asked = asked_unit(scene)
    if not asked and (bare := _BARE.match(scene.folded)) and kind_of(bare["unit"]) in KNOWN:
        asked = kind_of(bare["unit"])
    power = _POWERS.search(scene.folded)
    return f"{asked}{'2' if 'kw' in power[0] else '3'}" if power and asked == "m" else asked


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
            shown, wanted = told[-1].unit if told else "", wanted_unit(scene.within(turn.prompt))
            yield Operand(
                text=f"({expression})",
                value=value,
                source="earlier" if count else "result",
                unit=shown if wanted in {"", "m"} and shown else wanted,
                names=told[-1].names if told else (),
                role=root(expression),
            )
            count += 1


def _expressions(turn: Turn) -> list[str]:
    return [
        str(one.arguments["expression"])
        for one in turn.calls
        if one.name == MATHEMATICS and "expression" in one.arguments
    ]
