"""What goes around something whose area was calculated: "a ile płotu, bez furtki na 1 metr?"."""

from collections.abc import Sequence

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import KINDS, Amount, read_amounts, written
from chatbot.router.dialogue.calculations.figures import last_expression
from chatbot.router.dialogue.calculations.measures import LENGTHS, factor
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_NUMBER = r"\d+(?:\.\d+)?|Rational\(\d+, \d+\)"
_AREA = regex(rf"^\(?(?P<a>{_NUMBER})\)?(?:\*\*2|\*\(?(?P<b>{_NUMBER})\)?)$")
_AROUND = regex(
    r"\b(?:do ?okol\w*|wokol\w*|naokol\w*|obwod\w*|(?:o|za)grodz(?:en\w*|ic\w*|on\w+|e)|plot\w*|"
    r"parkan\w*|listw\w+|cokol\w*|obsz(?:y|e|w)\w+|lamowk\w*|obieg\w*|obej(?:sc|d)\w*|okraz\w+|"
    r"kraweznik\w*|obrzez\w*)"
)
_BORDER = regex(rf"^2\*\((?:{_NUMBER}) \+ (?:{_NUMBER})\)$|^4\*(?:{_NUMBER})$")
_IS_AREA = regex(
    r"\b(?:pol[aeu]|powierzchni\w*|metraz\w*|kwadrat\w*|m2|arow|hektar\w*|ara)\b|m²|\bmkw"
)
_OPENING = regex(
    r"\b(?:bram\w*|furt\w+|drzwi\w*|wejsci\w*|wjazd\w*|przejsci\w*|otwor\w*|wyjsci\w*)"
)
_PRICE = regex(r"\bmetr\w*\b|\bmb\b|\bza m\b|/ ?m\b")
_LAPS = regex(r" ?(?:razy|okraz\w+|kolk\w*|rundk?\w*)\b")
_OTHER = regex(r"\bpolow\w+|\bpol\b|\bkol[aeo]\b|\bokreg\w*|\btrojkat\w*|\bromb\w*")
_LONGEST = 20


def enclosed(scene: Scene) -> str | None:
    """The perimeter of what was calculated, less its openings, for a price or so many rounds."""
    expression, last = last_expression(scene.state), scene.state.last
    if expression is None or last is None or not scene.is_active(MATHEMATICS):
        return None
    amounts = read_amounts(scene.text)
    if scene.size > _LONGEST or any(one.pair for one in amounts):
        return None
    if _BORDER.match(expression) and amounts and _OPENING.search(scene.folded):
        return _with_amounts(scene, expression, amounts)
    sides = _AREA.match(expression) if _AROUND.search(scene.folded) else None
    if sides is None or _OTHER.search(scene.folded) or not _is_area(last.prompt):
        return None
    a, b = sides["a"], sides["b"]
    return _with_amounts(scene, f"2*({a} + {b})" if b else f"4*{a}", amounts)


def _is_area(prompt: str) -> bool:
    is_measured = any(one.pair for one in read_amounts(prompt))
    return is_measured or _IS_AREA.search(fold_evenly(prompt)) is not None


def _with_amounts(scene: Scene, border: str, amounts: Sequence[Amount]) -> str | None:
    """The border with every amount of the prompt put to it; ``None`` where one has no part."""
    openings: list[str] = []
    times = ""
    left = list(amounts)
    while left:
        one = left.pop(0)
        rest = scene.folded[one.end :]
        is_price = one.unit == "zl" and _PRICE.search(scene.folded)
        if (is_price or _LAPS.match(rest)) and not times:
            times = f"*{one.text}"
        elif left and _OPENING.match(rest.lstrip()) and left[0].unit in LENGTHS:
            openings.append(f"{one.text}*{_length(scene, left.pop(0))}")
        elif _is_opening(scene, one):
            openings.append(_length(scene, one))
        else:
            return None
    whole = " - ".join((border, *openings))
    return f"({whole}){times}" if openings and times else f"{whole}{times}"


def _length(scene: Scene, one: Amount) -> str:
    """A length in the unit of the sides."""
    last = scene.state.last
    units = {side.unit for side in read_amounts(last.prompt) if side.pair} if last else set()
    unit = units.pop() if len(units) == 1 else ""
    scale = factor(one.unit, unit) if {one.unit, unit} <= LENGTHS else None
    return one.text if scale is None else written(one.value * scale)


def _is_opening(scene: Scene, one: Amount) -> bool:
    """Whether a length is told of a gate, a door or a gap."""
    is_length = one.unit in LENGTHS or one.unit not in KINDS
    return is_length and _OPENING.search(scene.folded) is not None
