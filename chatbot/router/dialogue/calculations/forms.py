"""The last result in another form: rounded, as a decimal, with a told value of pi."""

import re

from chatbot.language.numerals import read_number
from chatbot.language.patterns import regex
from chatbot.router.dialogue.calculations.figures import last_expression, plain, variable_of
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.state import MATHEMATICS

_PLACES = regex(
    r"\b(\w+) (?:miejsc\w*|cyfr\w*)(?: po przecinku| dziesietn\w+)?|"
    r"\bpo przecinku(?: \w+)? (\w+) (?:miejsc|cyfr)\w*"
)
_UP_TO: tuple[tuple[re.Pattern[str], int], ...] = (
    (regex(r"\bczesci dziesiat\w+|\bdziesiatych\b"), 1),
    (regex(r"\bczesci setn\w+|\bsetnych\b|\bdo groszy?\b|\bdo (?:1 )?grosz\w*"), 2),
    (regex(r"\bczesci tysieczn\w+|\btysiecznych\b"), 3),
    (
        regex(
            r"\b(?:do|w|na) (?:\w+ )?(?:calosci|calych|jednosci|calkowit\w+|"
            r"pelnych(?! (?:dziesiat|set|tysi))|pelnej|pelnego|"
            r"zlotow\w+|"
            r"rown\w+ zlot\w+)\b|\bbez groszy\b|\bliczb\w+ calkowit\w+"
        ),
        0,
    ),
    (regex(r"\bdo dziesiatek\b|\bdo pelnych dziesiatek\b"), -1),
    (regex(r"\bdo (?:pelnych )?setek\b"), -2),
    (regex(r"\bdo (?:pelnych )?tysiecy\b"), -3),
)
_ROUNDED = regex(r"\bzaokragl\w*|\bw zaokragleniu\b|\bokragl\w+\b|\bz dokladnoscia\b")
_DECIMAL = regex(
    r"\bdziesietn\w*|\bw przyblizeniu\b|\bprzybliz\w*|\bliczbowo\b|\bliczbow\w+ wartosc\w*|"
    r"\bwartosc\w* liczbow\w+|\bz przecinkiem\b|\bpo przecinku\b|\borientacyjnie\b|"
    r"\bmniej wiecej\b|\bile to (?:jest )?okolo\b"
)
_PI = regex(r"\b(?:pi|π) ?(?:=|to|jako|rown\w+|wynosi|przyjmij|weź)? ?(\d[.,]\d+|22/7)")
_AS_PERCENT = regex(
    r"^(?:(?:a|i|no|to|teraz|podaj|zapisz|ile|jest|bedzie|wynik|prosze|mi) )*"
    r"(?:(?:w|na|jako) )?procent\w*\W*$"
)
_APPLIES = regex(
    r"\b(?:razy|plus|minus|dodaj|odejmij|podziel|pomnoz|dolicz|przez|brakuje|reszt\w*)\b|%|\bproc"
)
_UNCALCULATED = ("solve", "Eq", "isprime", "factor", "divisors", "Matrix", "round(", "N(")
_AS_DECIMAL = regex(r"^N\(((?:[^(),]|\([^()]*\))+)(?:, \d+)?\)$")
_IN_DEGREES = regex(r"^(?:[a-z]+ ){0,3}stopni(?:e|ach)?\W*$")
_ANGLE = regex(r"\b(?:atan|asin|acos|acot)\(|\bpi\b")
_PLAIN_FRACTION = regex(r"\bulam\w+ zwykl\w+|\bzwykl\w+ ulam\w+|\bdokladn\w+ wartosc\w*")
_MOST, _LONGEST = 15, 14


def in_other_form(scene: Scene) -> str | None:
    """Round the last result, or write it as a decimal; no other number may be named."""
    expression = last_expression(scene.state) if scene.is_active(MATHEMATICS) else None
    if expression is None or scene.size > _LONGEST or variable_of(expression):
        return None
    expression = _bare(expression)
    if any(word in expression for word in _UNCALCULATED):
        return None
    is_part = re.search(r"/|Rational", expression) and "100" not in expression
    if is_part and _AS_PERCENT.match(scene.folded):
        return f"100*({expression})"
    return None if _APPLIES.search(scene.folded) else _written(scene, expression)


def _bare(expression: str) -> str:
    """The expression of which a decimal was asked for."""
    found = _AS_DECIMAL.match(expression)
    return expression if found is None else found[1]


def _written(scene: Scene, expression: str) -> str | None:
    """The result with a told value of pi, rounded, or as a decimal."""
    if (told := _PI.search(scene.folded)) and "pi" in expression:
        return re.sub(r"\bpi\b", plain(told[1]), expression)
    if _IN_DEGREES.match(scene.folded) and _ANGLE.search(expression):
        return f"({expression})*180/pi"
    if _PLAIN_FRACTION.search(scene.folded):
        return expression
    places = _places(scene.folded)
    if places is not None and (places > 0 or _ROUNDED.search(scene.folded)):
        return f"round({expression}, {places})" if places else f"round({expression})"
    is_plain = not re.search(r"\d", scene.folded) and _DECIMAL.search(scene.folded)
    return f"N({expression})" if is_plain else None


def _places(folded: str) -> int | None:
    """How many places after the point are wanted; ``None`` where none are named."""
    found = next((at for pattern, at in _UP_TO if pattern.search(folded)), None)
    said = _PLACES.search(folded)
    if found is not None or said is None:
        return found
    named = next(filter(None, said.groups()))
    number = 1 if named.startswith("jed") else read_number(named)
    is_few = number is not None and number == int(number) and 0 < number <= _MOST
    return int(number) if number is not None and is_few else None
