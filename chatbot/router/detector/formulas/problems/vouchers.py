"""A price that falls by a percentage, then by a sum: "2890, minus 35%, potem bon na 100"."""

import re

from chatbot.language.literals import Guarded
from chatbot.router.detector.formulas.problems.statement import Statement

_LOWERED = re.compile(
    r"\b(?:minus|rabat\w*|zniz\w*|upust\w*|przecen\w*|wyprzedaz\w*|promocj\w*|obniz\w*|taniej)\b"
)
_VOUCHER = Guarded(r"\b(?:bon\w{0,3}|voucher\w*|kupon\w*|kod\w{0,2} rabat\w+|karta podarunk\w+)\b")
_AFTERWARDS = re.compile(
    r"\b(?:jeszcze|potem|po (?:obnizce|rabacie|przecenie)|dodatkowo|do tego)\b"
)
_ASKED = re.compile(r"\b(?:ile|do zaplaty|cena)\b")
_PRICE = re.compile(r"\b(?:za|kosztuj\w*|kosztow\w*|cena\w*|po|cene) (?:\w+ )?$")
_NUMBERS = 3


def read_voucher(statement: Statement) -> str | None:
    """Return what is to be paid after both; ``None`` unless the voucher comes after the rebate."""
    words, numbers = statement.words, statement.quantities
    found = _VOUCHER.search(words)
    if found is None or len(numbers) != _NUMBERS or not _ASKED.search(words):
        return None
    price, rate, voucher = numbers
    if rate.unit != "%" or "%" in {price.unit, voucher.unit} or not _PRICE.search(price.before):
        return None
    between, behind = words[price.end : rate.end], words[rate.end :]
    if not _LOWERED.search(between) or not _AFTERWARDS.search(behind) or found.start() < rate.end:
        return None
    return f"{price.text}*(1 - {rate.text}/100) - {voucher.text}"
