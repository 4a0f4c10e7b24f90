"""One item of a sum that was told by name: "bez gazu", "a same jabłka?", "gaz podrożał o 20 zł"."""

from collections.abc import Sequence
from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.constants import constants
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.quantities import nouns_in, read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_WITHOUT = regex(
    r"\b(?:bez|odlicz\w*|pomin\w*|pomijajac|skresl\w*|wyrzuc\w*|usun\w*|nie licz\w*|oprocz|"
    r"odejmij|wykresl\w*|odpad\w*|rezygnuj\w*|zrezygn\w*)\b"
)
_ALONE = regex(
    r"\b(?:sam[aeoi]?|samych|samego|samej|tylko|wylacznie|ile (?:\w+ )?za|ile (?:\w+ )?na)\b|"
    r"^(?:a|i)(?: za| na)? [a-z]+\W*$"
)
_AGAIN = regex(r"\b(?:drug(?:i|a|ie)|kolejn(?:y|a|e)|jeszcze (?:jed\w+|raz))\b")
_PARTS = regex(r"\bproc\w*|%|\bczesc\w*|\bobwod\w*|\bpole\b|\bpodziel\w*|\brazy\b")
_OPERATED = regex(r"^(Rational\(|\(|[\d.]+\*\()([^()]+(?:\+[^()]+)+)(, \d+\)|\)|\)[*/][\d.]+)$")
_FEW, _TWO = 8, 2


def of_items(scene: Scene) -> str | None:
    """The last sum without the item that the prompt names, or that item alone."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or scene.size > _FEW or not _is_said_again(scene, expression):
        return None
    head, expression, tail = _bracketed(expression)
    items = _items(expression)
    is_without = _WITHOUT.search(scene.folded) is not None
    is_alone = _ALONE.search(scene.folded) is not None and not _PARTS.search(scene.folded)
    is_again = _AGAIN.search(scene.folded) is not None
    if len(items) < _TWO or is_without + is_alone + is_again != 1:
        return None
    named = _named(scene, items)
    if named is None:
        return None
    if is_again:
        return f"{head}{expression} + {items[named]}{tail}"
    rest = [one for place, one in enumerate(items) if place != named]
    return f"{head}{items[named] if is_alone else ' + '.join(rest)}{tail}"


def _bracketed(expression: str) -> tuple[str, str, str]:
    """A sum that is multiplied or divided as a whole: what is before it, the sum, what follows."""
    found = _OPERATED.match(expression)
    return (found[1], found[2], found[3]) if found else ("", expression, "")


def _is_said_again(scene: Scene, expression: str) -> bool:
    """Whether the prompt has no number but those of the last calculation."""
    values = {one.value for one in constants(expression)}
    sides = {side for one in constants(expression) for side in one.sides or ()}
    last = scene.state.last
    told = {one.value for one in read_amounts(last.prompt)} if last else set()
    known = values | sides | told
    return all(one.value in known for one in read_amounts(scene.text))


def _items(expression: str) -> list[str]:
    """What is added up at the top of an expression; nothing where it is no plain sum."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(expression):
        depth += (sign == "(") - (sign == ")")
        if sign == "+" and depth == 0:
            parts.append(expression[start:at].strip())
            start = at + 1
        elif sign == "-" and depth == 0 and at:
            return []
    return [*parts, expression[start:].strip()]


def _named(scene: Scene, items: Sequence[str]) -> int | None:
    """The place of the only item that a noun of the prompt names."""
    words = nouns_in(scene.text)
    found = {
        place
        for turn in reversed(scene.state.turns)
        for one in read_quantities(turn.prompt)
        if any(one.is_of(word) or one.unit == word for word in words)
        if (place := _place(items, one.value)) is not None
    }
    return found.pop() if len(found) == 1 else None


def _place(items: Sequence[str], value: Fraction) -> int | None:
    """The only item that has a number."""
    having = [
        place
        for place, item in enumerate(items)
        if any(one.value == value for one in constants(item))
    ]
    return having[0] if len(having) == 1 else None
