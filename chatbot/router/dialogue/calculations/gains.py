"""What the last result has over what was put in, and what a price for each piece changes of it."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import KINDS, Amount, read_amounts
from chatbot.router.dialogue.calculations.figures import (
    last_expression,
    last_value,
    plain,
    shown_value,
)
from chatbot.router.dialogue.calculations.stories import GAINED, LOST
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_PUT_IN = regex(
    r"\b(?:pozyczyl\w*|wplacil\w*|wlozyl\w*|zainwestowal\w*|kupil\w*|kosztowal\w*|zaplacil\w*|"
    r"wydal\w*|wzial\w*|wziel\w*|kredyt\w* (?:byl|na)|cen\w* gotowk\w*|gotowka|nakl\w+|koszt\w*|"
    r"wklad\w*)\b"
)
_ASKED = regex(
    r"\bzysk\w*|\bzarob\w*|\bile (?:mnie |nas |to )?(?:kosztuj|wynios|wyszl|wyjdz)\w* "
    r"(?:mnie |nas )?"
    r"(?:ten |sam )?(?:kredyt|pozyczk|odset)\w*|\bodset\w+(?! mieszk)|\bprzeplac\w*|\bnadplac\w*|"
    r"\bdo przodu\b|\bstratn\w*|\bna czysto\b|\bponad to\b|\bkoszt\w* (?:tego |tej |samego )?"
    r"(?:kredyt|pozyczk)\w*|\bprzyrost\w*|\bprzyby\w*|\budzial\w* odsetek"
)
_GROWN = regex(
    r"^(?P<p>\d+(?:\.\d+)?|Rational\(\d+, \d+\))\*(?:\(1 \+ .+\)|1\.\d+|\(?Rational\(\d+, \d+\)\)?)"
    r"(?:\*\*.+)?$"
)
_PERCENT_OF = regex(r"%|\bproc")
_EACH = regex(
    r"(?P<price>\d+(?:[.,]\d+)?) ?(?P<unit>zl\w*|gr\w*|pln|euro)? (?:za|od|na) "
    r"(?:1 |jed\w+ |kazd\w+ )?(?P<what>[a-z]{2,})"
)
_STEM, _FEW = 4, 14
_PIECE = ("sztuk", "szt")


def gained(scene: Scene) -> str | None:
    """Take what was put in off the result: "pożyczyłem 62 tysiące, ile mnie to kosztuje?"."""
    value = last_value(scene.state) if scene.is_active(MATHEMATICS) else None
    expression = last_expression(scene.state)
    if value is None or expression is None or not _ASKED.search(scene.folded):
        return None
    if _PERCENT_OF.search(scene.folded):
        return None
    amounts = read_amounts(scene.text)
    if not amounts:
        grown = _GROWN.match(expression) if scene.size <= _FEW else None
        return f"{expression} - {grown['p']}" if grown else None
    if len(amounts) != 1 or amounts[0].unit not in {"", "zl"} or not _PUT_IN.search(scene.folded):
        return None
    shown = shown_value(scene.state, expression)
    is_loss = shown is not None and shown < amounts[0].value
    return f"{amounts[0].text} - ({value})" if is_loss else f"({value}) - {amounts[0].text}"


def for_each(scene: Scene) -> str | None:
    """Add or take off a price for each piece counted before: "odejmij 2,10 za słoik"."""
    value, last = last_value(scene.state), scene.state.last
    found = _EACH.search(scene.folded)
    amounts = read_amounts(scene.text)
    if value is None or last is None or found is None or len(amounts) != 1:
        return None
    is_less = re.search(rf"\b{LOST}\b", scene.folded)
    is_more = re.search(rf"\b{GAINED}\b", scene.folded)
    counted = _counted(scene, last.prompt, found["what"])
    if counted is None or bool(is_less) == bool(is_more) or not scene.is_active(MATHEMATICS):
        return None
    sign = "-" if is_less else "+"
    price = f"{plain(found['price'])}{'/100' if (found['unit'] or '').startswith('gr') else ''}"
    return f"({value}) {sign} {counted.text}*{price}"


def _counted(scene: Scene, prompt: str, what: str) -> Amount | None:
    """The number of the last prompt that counts the pieces: those named, or the only ones."""
    folded = fold_evenly(prompt)
    pieces = [one for one in read_amounts(prompt) if one.unit not in KINDS - {"osob"} and one.unit]
    named = [one for one in pieces if _noun(folded, one).startswith(what[:_STEM])]
    if len(named) == 1:
        return named[0]
    is_said = [one for one in pieces if _noun(folded, one)[:_STEM] in scene.folded]
    if what.startswith(_PIECE) and len(is_said or pieces) == 1:
        return (is_said or pieces)[0]
    return None


def _noun(folded: str, one: Amount) -> str:
    following = re.match(r" ?([a-z]+)", folded[one.end :])
    return following[1] if following else ""
