"""What is asked of the digits of the last result: "a suma cyfr?", "ile to ma cyfr?"."""

from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.amounts import read_amounts
from chatbot.router.dialogue.calculations.figures import is_number, last_expression, shown_value
from chatbot.router.dialogue.calculations.rereading import plain_value
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_DIGITS = regex(r"\bcyfr\w*\b|\bilucyfrow\w+\b")
_OTHERWISE = regex(r"\bprzecink\w*|\bznacz\w+|\bdokladn\w+|\bzaokragl\w*|\bliczb\w* \w*cyfrow")
_SUM = regex(r"\bsum\w+ (?:\w+ )?cyfr|\bcyfry?\b.*\b(?:doda\w+|zsumuj\w*|sum\w+|razem)\b|"
                  r"\b(?:doda\w+|zsumuj\w*) .*\bcyfr")  # fmt: skip
_PRODUCT = regex(r"\biloczyn\w* (?:\w+ )?cyfr|\b(?:po|wy)mnoz\w* .*\bcyfr")
_COUNT = regex(r"\bil(?:e|u)\b.*\bcyfr\b|\bilu ?cyfrow\w+|\bz ilu cyfr\b|\bliczb\w+ cyfr\b")
_LAST = regex(r"\bostatni\w+ cyfr\w+|\bcyfr\w+ jednosci\b")
_MOST = 10**15


def of_digits(scene: Scene) -> str | None:
    """Add, multiply or count the digits of the last whole result, or name its last one."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or not is_number(expression) or not _DIGITS.search(scene.folded):
        return None
    if read_amounts(scene.text) or _OTHERWISE.search(scene.folded):
        return None
    for sign, asked in ((" + ", _SUM), ("*", _PRODUCT)):
        if asked.search(scene.folded):
            number = _whole(scene, expression)
            return None if number is None else sign.join(str(number))
    if _COUNT.search(scene.folded):
        return f"floor(log({expression}, 10)) + 1"
    return f"Mod({expression}, 10)" if _LAST.search(scene.folded) else None


def _whole(scene: Scene, expression: str) -> int | None:
    """The last result, where it is a whole number that was told or can be worked out."""
    value, shown = plain_value(expression), shown_value(scene.state, expression)
    if value is not None and value.is_integer() and 0 < value < _MOST:
        return int(value)
    return int(shown) if shown is not None and shown.denominator == 1 and shown > 0 else None
