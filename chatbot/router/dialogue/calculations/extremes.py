"""A number of the last calculation that is called the larger or the smaller: "krótszy bok to 9"."""

from fractions import Fraction

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts, written
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.figures import last_expression, shown_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_GREATER = regex(r"\b(?:dluzsz|wieksz|wyzsz|szersz|drozsz)(?:y|a|e|ej|ego|ym)\b(?! niz)")
_LESSER = regex(r"\b(?:krotsz|mniejsz|nizsz|wezsz|tansz)(?:y|a|e|ej|ego|ym)\b(?! niz)")
_RISES = regex(r"\b(?:zwieksz|powieksz|wydluz|podnios|podnies|urosni|wzrosni)\w*")
_FALLS = regex(r"\b(?:zmniejsz|skroc|skroce|obniz|spadni)\w*")
_BY = regex(r"\bo (?:\d|jed|dw|trzy|cztery|pie|sze|sie|osi|dzie)")
_NOUN = regex(
    r"\b(?:krotsz|dluzsz|mniejsz|wieksz|wyzsz|nizsz|szersz|wezsz|drozsz|tansz)\w* [a-z]{3,}"
)
_HOW_FAR = regex(r"\bo ile\b|\broznic\w+")
_MOST = regex(r"\bnaj(?:wieksz|wyzsz|dluzsz|drozsz|mniejsz|nizsz|krotsz|tansz)\w+")
_TWO = 2


def apart(scene: Scene) -> str | None:
    """How far the result is from the greatest or the least that it was made of."""
    expression, last = last_expression(scene.state), scene.state.last
    found = _MOST.search(scene.folded) if _HOW_FAR.search(scene.folded) else None
    if expression is None or last is None or found is None or read_amounts(scene.text):
        return None
    told = _operands(last.prompt, expression)
    if len(told) < _TWO or not scene.is_active(MATHEMATICS):
        return None
    is_greatest = found[0].startswith("najw")
    one = written(max(told) if is_greatest else min(told))
    shown = shown_value(scene.state, expression)
    is_less = shown is not None and shown < (max(told) if is_greatest else min(told))
    return f"{one} - ({expression})" if is_less else f"({expression}) - {one}"


def resized(scene: Scene) -> str | None:
    """Change the greater or the smaller of the two numbers, or put another for it."""
    expression, last = last_expression(scene.state), scene.state.last
    amounts = read_amounts(scene.text)
    is_greater, is_lesser = _GREATER.search(scene.folded), _LESSER.search(scene.folded)
    if expression is None or last is None or len(amounts) != 1 or not _NOUN.search(scene.folded):
        return None
    if bool(is_greater) == bool(is_lesser) or not scene.is_active(MATHEMATICS):
        return None
    told = _operands(last.prompt, expression)
    if len(told) < _TWO:
        return None
    old = max(told) if is_greater else min(told)
    new = _changed(scene.folded, old, amounts[0].value, is_share=amounts[0].unit == "%")
    return None if new is None else exchange(expression, old, new)


def _operands(prompt: str, expression: str) -> list[Fraction]:
    """The numbers of the last prompt that are of one kind and stand in the expression."""
    amounts = [one for one in read_amounts(prompt) if exchange(expression, one.value, one.value)]
    pair = [one for one in amounts if one.pair] or amounts
    return sorted({one.value for one in pair})


def _changed(folded: str, old: Fraction, number: Fraction, *, is_share: bool) -> Fraction | None:
    if not _BY.search(folded):
        return None if is_share else number
    change = old * number / 100 if is_share else number
    if _RISES.search(folded):
        return old + change
    return old - change if _FALLS.search(folded) else None
