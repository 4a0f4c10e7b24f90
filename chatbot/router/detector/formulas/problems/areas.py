"""The area between a parabola or a line and another one, or the axis."""

import re
from fractions import Fraction
from math import isqrt

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_ASKED = regex(r"\b(?:pol[ea]|powierzchni\w*)\b")
_BOUNDED = regex(
    r"\b(?:pod|miedzy|pomiedzy|ogranicz\w+|zawart\w+|nad osia|a osia|i osia|oraz osia|wyznacz\w+)\b"
)
_RUN = regex(r"\b(?:od|na przedziale|w przedziale|prosty(?:mi|ch) x|dla x|x =|osi y|osia y)\b")
_AXIS = regex(r"\bosi[aą]?\b(?: (?:x|ox|odcietych))?")
_TERM = (
    r"[-−]? ?(?:\d+(?:\.\d+)?(?:/\d+)?(?: ?\*)? ?)?(?:x(?: ?\^ ?2| 2)?(?![\w^])|(?<=\d)(?![\d.]))"
)
_POLYNOMIAL = rf"(?P<sum>{_TERM}(?: ?[-+−] ?{_TERM})*)"
_NO_MORE = r"(?! ?(?:[\^*/(√]|sin|cos|c?tg|tan|ln|log|e\b|pierw))"
_CURVE = Guarded(rf"\b(?:y|[fgh] ?\( ?x ?\)|[fgh]) ?= ?{_POLYNOMIAL}{_NO_MORE}")
_BARE = Guarded(
    rf"\b(?:parabol[aąey]|wykres\w*|krzyw\w+|funkcj\w+)(?: o rownaniu| funkcji)? "
    rf"{_POLYNOMIAL}{_NO_MORE}"
)
_PART = regex(
    r"(?P<sign>[-+−]?) ?(?P<number>\d+(?:\.\d+)?(?:/\d+)?)? ?\*? ?(?P<x>x(?: ?\^ ?(?P<square>2))?)?"
)
_Coefficients = tuple[Fraction, Fraction, Fraction]


def read_area(statement: Statement) -> str | None:
    """Return the integral between the points in which two curves meet."""
    words = statement.words
    if (
        not _ASKED.search(words)
        or not _BOUNDED.search(words)
        or _RUN.search(_without_equations(words))
    ):
        return None
    curves = [one["sum"] for one in _CURVE.finditer(words)]
    curves = curves or [one["sum"] for one in _BARE.finditer(words)]
    if len(curves) == 1 and _is_with_axis(words):
        curves.append("0")
    if len(curves) != 2:  # noqa: PLR2004 - two bound an area
        return None
    upper, lower = curves
    a, b, c = (one - other for one, other in zip(_read(upper), _read(lower), strict=True))
    meeting = _roots(a, b, c)
    if meeting is None:
        return None
    if a > 0:
        upper, lower = lower, upper
    return f"integrate({_difference(upper, lower)}, (x, {meeting[0]}, {meeting[1]}))"


def _without_equations(words: str) -> str:
    return _CURVE.sub(" ", words)


def _is_with_axis(words: str) -> bool:
    """Whether the other border is the axis, said or, under a parabola, meant."""
    return bool(_AXIS.search(words)) or "pod parabol" in words


def _read(text: str) -> _Coefficients:
    found = [Fraction(0)] * 3
    for part in _PART.finditer(text):
        if not part["number"] and not part["x"]:
            continue
        value = Fraction(part["number"] or 1) * (-1 if part["sign"] in {"-", "−"} else 1)
        found[0 if part["square"] else 1 if part["x"] else 2] += value
    return found[0], found[1], found[2]


def _roots(a: Fraction, b: Fraction, c: Fraction) -> tuple[str, str] | None:
    """The two real roots of a quadratic, the lesser first."""
    discriminant = b * b - 4 * a * c
    if not a or discriminant <= 0:
        return None
    above, below = discriminant.numerator, discriminant.denominator
    if isqrt(above) ** 2 == above and isqrt(below) ** 2 == below:
        root = Fraction(isqrt(above), isqrt(below))
        low, high = sorted(((-b - root) / (2 * a), (-b + root) / (2 * a)))
        return str(low), str(high)
    middle, half = -b / (2 * a), f"sqrt({discriminant})/({2 * abs(a)})"
    return (f"{middle} - {half}", f"{middle} + {half}") if middle else (f"-{half}", half)


def _difference(upper: str, lower: str) -> str:
    one, other = (_written(text) for text in (upper, lower))
    if other == "0":
        return one
    other = f"({other})" if re.search(r"[-+]", other) else other
    return f"-{other}" if one == "0" else f"{one} - {other}"


def _written(text: str) -> str:
    """Write a polynomial in SymPy's syntax: "6x - x^2"."""
    bare = re.sub(r"\s", "", text).replace("−", "-")
    bare = re.sub(r"(?<=\d)x", "*x", bare).replace("^", "**")
    return re.sub(r"(?<=[\dx])([-+])", r" \1 ", bare)
