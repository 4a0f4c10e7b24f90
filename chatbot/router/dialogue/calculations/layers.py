"""The last result for more than one layer or coat: "no ale na dwie warstwy"."""

import re

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import is_number, last_expression
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_LAYERS = regex(
    r"\b(?P<n>[a-z]+|\d) warstw\w*|\bna (?P<coats>[a-z]+|\d) razy\b|"
    r"\b(?:(?P<two>podwojn|dwukrotn)|potrojn|trzykrotn)\w+ (?:malowan|warstw|kryci)\w*"
)
_LAYER, _ONE_LAYER = regex(r"\bwarstw"), regex(r"\b(?:jedn\w+|1) warstw\w*")
_COATED = regex(r"\b(?:\w*malow|farb|grunt|lakier|impregn|bejc|tynk|klej|emuls)\w*")
_ASIDE = regex(r"\b(?:dlaczego|czemu|po co|czy|jak (?:sie|to|dlugo)|kiedy|narysuj\w*)\b")
_LONGEST = 9


def layered(scene: Scene) -> str | None:
    """Multiply what was calculated for one layer by how many there are."""
    expression, last = last_expression(scene.state), scene.state.last
    found = _LAYERS.search(scene.folded) if scene.size <= _LONGEST else None
    if expression is None or last is None or found is None or not scene.is_active(MATHEMATICS):
        return None
    before = fold_evenly(last.prompt)
    is_for_one = not _LAYER.search(_ONE_LAYER.sub(" ", before))
    is_meant = is_for_one and (found["coats"] is None or _COATED.search(before) is not None)
    if not is_meant or _ASIDE.search(scene.folded) or len(read_amounts(scene.text)) > 1:
        return None
    number = _count(found)
    return f"{number}*({expression})" if number > 1 and is_number(expression) else None


def _count(found: re.Match[str]) -> int:
    """How many layers are named; 0 where no number stands before the word."""
    said = found["n"] or found["coats"]
    if said is None:
        return 2 if found["two"] else 3
    return int(read_number(said) or 0)
