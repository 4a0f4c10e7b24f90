"""The last calculation for another time, told without figures, or for more years of growth."""

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import read_amounts, written
from chatbot.router.dialogue.calculations.constants import exchange
from chatbot.router.dialogue.calculations.figures import last_expression, variable_of
from chatbot.router.dialogue.calculations.measures import factor
from chatbot.router.dialogue.calculations.quantities import implied, read_quantities
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_HALF_YEAR = regex(r"\b(?:pol roku|polrocz\w+)\b")
_YEARLY = regex(r"\b(?:rocznie|na rok|za rok|w roku|rok)\b")
_GROWS = regex(r"\b(?:lokat\w*|oprocentow\w*|odset\w*|kapital\w*|inflacj\w*|rocznie|co roku)\b")
_GROWN = regex(
    r"^(?P<base>\d+(?:\.\d+)?|Rational\(\d+, \d+\))\*"
    r"(?P<rate>\(1 [+-] .+?\)|Rational\(\d+, 100\)|\d\.\d+)(?:\*\*\d+)?$"
)
_YEARS = frozenset({"lat"})
_SHORT = 8


def for_period(scene: Scene) -> str | None:
    """Calculate for half a year, for a day of 24 hours, for a week of 7 days, for more years."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or variable_of(expression) or scene.size > _SHORT:
        return None
    return (
        _for_half_year(scene, expression)
        or _for_implied(scene, expression)
        or _for_years(scene, expression)
    )


def _for_half_year(scene: Scene, expression: str) -> str | None:
    """Six months of what was calculated for one, half of what was for a year."""
    found = _HALF_YEAR.search(scene.folded)
    if found is None or len(read_amounts(scene.text)) > 1:
        return None
    is_yearly = _YEARLY.search(_said(scene)) is not None
    return f"({expression})/2" if is_yearly else f"6*({expression})"


def _for_implied(scene: Scene, expression: str) -> str | None:
    """Exchange the time that was calculated with: hours for the 24 of a day."""
    last, times = scene.state.last, implied(scene.text)
    if last is None or len(times) != 1 or read_amounts(scene.text):
        return None
    told = [
        (one, scale)
        for one in read_quantities(last.prompt)
        if (scale := factor(times[0].unit, one.unit)) is not None and scale > 1
    ]
    if len(told) != 1:
        return None
    one, scale = told[0]
    return exchange(expression, one.value, times[0].value * scale)


def _for_years(scene: Scene, expression: str) -> str | None:
    """Let what has grown for a year grow for so many."""
    amounts, found = read_amounts(scene.text), _GROWN.match(expression)
    if found is None or len(amounts) != 1 or amounts[0].unit not in _YEARS:
        return None
    if not _GROWS.search(_said(scene)) or amounts[0].value.denominator != 1:
        return None
    return f"{found['base']}*{found['rate']}**{written(amounts[0].value)}"


def _said(scene: Scene) -> str:
    last = scene.state.last
    return fold_evenly(last.prompt) if last is not None else ""
