"""Sums of money changed at a rate that the prompt tells: "kurs euro 4,32, ile zł za 750 euro"."""

import re

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

FOREIGN = (
    r"(?:euro|eur|dolar\w*|usd|funt\w*|gbp|frank\w*|chf|koron\w*|czk|sek|nok|dkk|jen(?:y|ow|a)?|jpy|"
    r"hrywn\w*|hrywien|uah)"
)
_RATE = Guarded(
    r"\bkurs\w*(?: (?!za\b|\d)[a-z]+){0,4} ?[:=,]? ?(?P<rate>\d+(?:\.\d+)?)(?! %)|"
    rf"\b{FOREIGN}(?: (?:teraz|dzis|obecnie|jest|szwajcarsk\w+|amerykansk\w+|czesk\w+))* "
    r"(?:(?:stoi|jest|byl\w*|sprzedaj\w*|kosztuj\w+|kosztowal\w*|po|to|=|wynosi) )+"
    r"(?P<price>\d+(?:\.\d+)?)|"
    r"\b(?:zlot\w+|zl|pln) po (?P<told>\d+\.\d+)"
)
_ONE = regex(rf"\b(?:1|jed\w+) (?={FOREIGN}\b)")
_AMOUNT = regex(r"(?<![\d.])(?P<amount>\d+(?:\.\d+)?)(?: (?!zl|pln)[a-z]+ych)? (?P<unit>[a-z]+)")
_HOME = regex(r"(?:zl|zlot\w+|pln)$")
_ASKED = regex(
    r"\b(?:il[eu]|przelicz\w*|zamien\w*|wymien\w*)\b"
    r"(?:[^?\d]| \d+(?:\.\d+)? [a-z]+ (?=na |w |to ))*?"
    rf"(?<!kursie )(?P<unit>\b{FOREIGN}\b|\bzlot\w+|\bzl\b|\bpln\b)"
)


def read_exchange(statement: Statement) -> str | None:
    """Return a foreign sum in zlotys, or the other way round, where the rate is told."""
    words = _ONE.sub("", statement.words)
    found = _RATE.search(words)
    if found is None or "%" in words:
        return None
    group = found.lastgroup or "rate"
    rest = f"{words[: found.start(group)]}{words[found.end(group) :]}"
    rest = re.sub(r"^(.*kurs[^\d]*) (?:zl\w*|pln)\b", r"\1", rest)
    amounts = list(_AMOUNT.finditer(rest))
    if len(amounts) != 1 or len(re.findall(r"\d+(?:\.\d+)?", rest)) != 1:
        return None
    amount, asked = amounts[0], _ASKED.search(words)
    is_home = bool(_HOME.match(amount["unit"]))
    if not is_home and not re.fullmatch(FOREIGN, amount["unit"]):
        return None
    if asked is None or bool(_HOME.match(asked["unit"])) == is_home:
        return None
    return f"{amount['amount']}{'/' if is_home else '*'}{found[group]}"
