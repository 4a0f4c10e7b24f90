"""Write comparisons of an expression with signs: "kiedy x^2 - 9 jest mniejsze od zera"."""

import re

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_COMPARED = Guarded(
    r"(?<!o )(?<=[\dxyztn)²³ ])(?: (?:jest|sa|ma byc|bedzie))? ?(?P<not>\bnie )?(?:jest )?\b"
    r"(?:(?P<order>wieks|mniejs)z\w+ (?:od|niz) (?P<zero>zera\b|0\b)?|"
    r"(?P<sign>(?:nie)?dodatni|(?:nie)?ujemn)(?:e|y|a)\b)"
)
_WHEN = r"(?:kiedy|(?:dla|przy) (?:jaki|ktor)\w* (?:wartosci )?[xyztn])\b"
_ASKED = regex(rf"\b(?:{_WHEN}|rozwiaz\w*|(?:ile|jakie) (?:to |jest )?[xyztn]\b)")
_LEAD = regex(rf"^.*?\b{_WHEN}(?: jest)?")
_NOUN = regex(r"\b(?:wyrazenie|funkcja|wartosc|liczba|trojmian|wielomian)\b")
_UNKNOWN = regex(r"(?<![a-z])\d*[xytn](?![a-z])")
_SIGNS = {"dodatni": "> 0", "ujemn": "< 0", "niedodatni": "<= 0", "nieujemn": ">= 0"}
_NOT = {">": "<=", "<": ">="}


def write_comparison(text: str) -> str:
    """Put a sign in place of the one comparison that an asked expression is told with."""
    folded = fold_evenly(text)
    found = list(_COMPARED.finditer(folded))
    if len(found) != 1 or not _ASKED.search(folded) or re.search(r"[<>=≤≥]", text):
        return text
    before, behind = folded[: found[0].start()], folded[found[0].end() :]
    if not _UNKNOWN.search(before):
        return text
    said = _LEAD.sub("rozwiaz", _NOUN.sub("", before))
    return f"{said} {_sign(found[0])}{behind}"


def _sign(found: re.Match[str]) -> str:
    if found["sign"]:
        return _SIGNS[found["sign"]]
    order = ">" if found["order"] == "wieks" else "<"
    order = _NOT[order] if found["not"] else order
    return f"{order} 0" if found["zero"] else f"{order} "
