"""A number of the last calculation that the prompt names by its place: "druga ma być 14"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts
from chatbot.router.dialogue.calculations.constants import constants
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.scene import Scene

_PLACES = ("pierwsz", "drug", "trzeci", "czwart", "piat")
_THING = r"(?:liczb\w*|cyfr\w*|skladnik\w*|czynnik\w*|wartosc\w*|kwot\w*|pozycj\w*|bok\w*)"
_NAMED = regex(
    rf"\b(?P<at>pierwsz|drug|trzeci|czwart|piat)\w*(?: {_THING})? (?:to|ma byc|mial[aoy]? byc|"
    rf"powin\w+ byc|byl[aoy]?(?: tak naprawde)?|jest|wynosi|zmien\w* (?:sie )?na|na|zamiast)\b|"
    rf"\b(?:zamiast|zamien\w*|zmien\w*|popraw\w*|podmien\w*) (?:te |ta |tej )?"
    rf"(?P<of>pierwsz|drug|trzeci|czwart|piat)\w*(?: {_THING})?\b"
)


def placed(scene: Scene) -> str | None:
    """Put the prompt's only number where it says."""
    expression = last_expression(scene.state)
    amounts = [one for one in read_amounts(scene.text) if not _is_ordinal(scene, one)]
    if expression is None:
        return None
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
