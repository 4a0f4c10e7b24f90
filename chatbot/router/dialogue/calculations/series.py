"""Sums of the sequence of which a term was calculated: "a suma tych dwudziestu wyrazów?"."""

import re

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene

_NUMBER = r"-?\d+(?:\.\d+)?|\(-?\d+(?:\.\d+)?\)|Rational\(-?\d+, \d+\)"
_ARITHMETIC = regex(
    rf"^(?P<a>{_NUMBER}) (?P<sign>[+-]) (?P<n>{_NUMBER}|\(\d+ - 1\))\*(?P<r>{_NUMBER}|\(\d+ - 1\))$"
)
_GEOMETRIC = regex(rf"^(?P<a>{_NUMBER})\*(?P<q>{_NUMBER})\*\*(?P<n>\d+|\(\d+ - 1\))$")
_SUM = regex(r"\bsum[aeyęą]\w*\b|\bzsumuj\w*|\brazem\b|\blacznie\b|\bdodaj (?:je|te|wszyst)")
_SEQUENCE = regex(r"\bciag\w*|\bwyraz\w*|\ba_?\d+\b|\ba₀?[₀-₉]+")
_ONE_LESS = regex(r"^\((\d+) - 1\)$")
_MOST = 10_000


def summed(scene: Scene) -> str | None:
    """Add the terms up to the one that was calculated, or as many as the prompt names."""
    expression, last = last_expression(scene.state), scene.state.last
    if expression is None or last is None or not _SUM.search(scene.folded):
        return None
    if not _SEQUENCE.search(f"{fold_evenly(last.prompt)} {scene.folded}"):
        return None
    named = [int(one.value) for one in read_amounts(scene.text) if one.value.denominator == 1]
    if len(named) > 1 or any(not 1 < count <= _MOST for count in named):
        return None
    if found := _GEOMETRIC.match(expression):
        count = named[0] if named else _less_one(found["n"]) + 1
        return f"{found['a']}*({found['q']}**{count} - 1)/({found['q']} - 1)"
    if found := _ARITHMETIC.match(expression):
        return _arithmetic(found, named, fold_evenly(last.prompt))
    return None


def _arithmetic(found: re.Match[str], named: list[int], prompt: str) -> str | None:
    """The sum of an arithmetic sequence; which factor counts the terms is told by the prompt."""
    factors = (found["n"], found["r"])
    told = {str(one.value) for one in read_amounts(prompt)}
    at = 1 if _is_step(factors[0], told) and not _is_step(factors[1], told) else 0
    count = named[0] if named else _less_one(factors[at]) + 1
    step = factors[1 - at].strip("()")
    if count <= 1:
        return None
    return f"{count}*(2*{found['a']} {found['sign']} {count - 1}*({step}))/2"


def _is_step(factor: str, told: set[str]) -> bool:
    """Whether the prompt names this factor itself, so that it is the difference."""
    return factor in told


def _less_one(text: str) -> int:
    inner = _ONE_LESS.match(text)
    return int(inner[1]) - 1 if inner else int(float(text.strip("()"))) if text.isdigit() else 0
