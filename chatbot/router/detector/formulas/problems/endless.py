"""The sum of a geometric series without an end."""

import re
from fractions import Fraction
from itertools import pairwise

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement
from chatbot.router.detector.formulas.problems.vectors import signed

_S = r"-? ?\d+(?:\.\d+)?(?:/\d+)?"
_ON = r"(?:\. ?\. ?\.|…|itd\b|i tak (?:dalej|w|bez konca)\b|i tak do|bez konca|do oo)"
_ADDED = Guarded(
    rf"(?<![\w.])(?P<terms>{_S}(?: [+-] \d+(?:\.\d+)?(?:/\d+)?){{1,6}})(?: [+-])?,? ?{_ON}"
)
_LISTED = Guarded(
    rf"\b(?:ciag|szereg)\w*[^\d]{{0,30}}(?P<terms>{_S}(?: ?[,;] ?{_S}){{2,6}}),? ?{_ON}?"
)
_GOING_ON = Guarded(r"\bnieskon|\boo\b|konca\b|\. ?\. ?\.|…|\bitd\b|\bdalej\b")
_NO_END = regex(r"\bnieskoncz|\boo\b|\bbez konca\b|\bw nieskon")
_SUMMED = regex(r"\bsum\w*|\bzsumuj\w*|\brazem\b|\bszereg\w*|\bile\b|\bdoda\w*|\bwynos\w+|=")
_GEOMETRIC = Guarded(r"\b(?:szereg|ciag|geometryczn)\w*")
_FIRST = regex(rf"\b(?:pierwsz\w+ wyraz\w*|wyraz\w* pierwsz\w+|a ?_? ?1)[^\d-]{{0,12}}({_S})")
_RATIO = regex(rf"\b(?:iloraz\w*|q)\b[^\d-]{{0,12}}({_S})")
_FEWEST = 3


def read_endless(statement: Statement) -> str | None:
    """Return the sum of "5 + 5/3 + 5/9 i tak dalej w nieskończoność", or of what is told of it."""
    words = statement.words
    if not _GOING_ON.search(words) or not _SUMMED.search(words):
        return None
    is_endless = bool(_NO_END.search(words))
    if found := _ADDED.search(words):
        return _summed(found["terms"], is_said=is_endless or "szereg" in words)
    if not is_endless or not _GEOMETRIC.search(words):
        return None
    if found := _LISTED.search(words):
        return _summed(", ".join(re.split(r" ?[,;] ?", found["terms"])), is_said=True)
    first, ratio = _FIRST.search(words), _RATIO.search(words)
    return None if first is None or ratio is None else _sum_of(*map(_number, (first[1], ratio[1])))


def _summed(listed: str, *, is_said: bool) -> str | None:
    """The sum where all steps are the same; two terms are enough only if no end is said."""
    terms = [_number(part) for part in re.findall(_S, re.sub(r"\+ ", " ", listed))]
    if 0 in terms or len(terms) < (_FEWEST if not is_said else _FEWEST - 1):
        return None
    ratios = {after / before for before, after in pairwise(terms)}
    return _sum_of(terms[0], ratios.pop()) if len(ratios) == 1 else None


def _sum_of(first: Fraction, ratio: Fraction) -> str | None:
    if not 0 < abs(ratio) < 1:
        return None
    start = str(first) if first.denominator == 1 else f"({first})"
    return f"{start}/(1 - {f'({ratio})' if ratio > 0 else signed(str(ratio))})"


def _number(text: str) -> Fraction:
    return Fraction(text.replace(" ", ""))
