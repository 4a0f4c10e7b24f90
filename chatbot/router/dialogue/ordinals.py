"""A number of the last calculation that the prompt names by its place: "druga ma być 14"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.amounts import Amount, read_amounts
from chatbot.router.dialogue.constants import constants, exchange
from chatbot.router.dialogue.figures import last_expression
from chatbot.router.dialogue.scene import Scene

_PLACES = ("pierwsz", "drug", "trzeci", "czwart", "piat")
_THING = r"(?:liczb\w*|cyfr\w*|skladnik\w*|czynnik\w*|wartosc\w*|kwot\w*|pozycj\w*|bok\w*)"
_NAMED = regex(
    rf"\b(?P<at>pierwsz|drug|trzeci|czwart|piat)\w*(?: {_THING})? (?:to|ma byc|mial[aoy]? byc|"
    rf"powin\w+ byc|byl[aoy]?(?: tak naprawde)?|jest|wynosi|zmien\w* (?:sie )?na|na|zamiast)\b|"
    rf"\b(?:zamiast|zamien\w*|zmien\w*|popraw\w*|podmien\w*) (?:te |ta |tej )?"
    rf"(?P<of>pierwsz|drug|trzeci|czwart|piat)\w*(?: {_THING})?\b"
)
_EQUATION = regex(r"\bw (?P<at>pierwsz|drug|trzeci)\w* (?:rownani\w*|nierownosc\w*|wierszu|linii)")
_SYSTEM = regex(r"Eq\([^()]*(?:\([^()]*\)[^()]*)*\)")
_TWO = 2


def placed(scene: Scene) -> str | None:
    """Put the prompt's only number where it says, or exchange two within the equation it names."""
    expression = last_expression(scene.state)
    amounts = [one for one in read_amounts(scene.text) if not _is_ordinal(scene, one)]
    if expression is None:
        return None
    if found := _EQUATION.search(scene.folded):
        return _within(expression, _PLACES.index(found["at"]), amounts)
    named = _NAMED.search(scene.folded)
    if named is None or len(amounts) != 1:
        return None
    at, told = _PLACES.index(named["at"] or named["of"]), constants(expression)
    if at >= len(told):
        return None
    place = told[at]
    return f"{expression[: place.start]}{amounts[0].text}{expression[place.end :]}"


def _is_ordinal(scene: Scene, one: Amount) -> bool:
    return scene.folded[one.start : one.end].startswith(_PLACES)


def _within(expression: str, at: int, amounts: list[Amount]) -> str | None:
    """Exchange the first number for the second in one equation of a system."""
    equations = list(_SYSTEM.finditer(expression))
    if len(amounts) != _TWO or at >= len(equations):
        return None
    own = equations[at]
    changed = exchange(own[0], amounts[0].value, amounts[1].value)
    return changed and f"{expression[: own.start()]}{changed}{expression[own.end() :]}"
