"""Vouchers for a sum: after a rebate ("2890, minus 35%, bon na 100"), or before the change."""

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_LOWERED = regex(
    r"\b(?:minus|rabat\w*|zniz\w*|upust\w*|przecen\w*|wyprzedaz\w*|promocj\w*|obniz\w*|taniej)\b"
)
_VOUCHER = Guarded(r"\b(?:bon\w{0,3}|voucher\w*|kupon\w*|kod\w{0,2} rabat\w+|karta podarunk\w+)\b")
_AFTERWARDS = regex(r"\b(?:jeszcze|potem|po (?:obnizce|rabacie|przecenie)|dodatkowo|do tego)\b")
_ASKED = regex(r"\b(?:ile|do zaplaty|cena)\b")
_PRICE = regex(r"\b(?:za|kosztuj\w*|kosztow\w*|cena\w*|po|cene) (?:\w+ )?$")
_CHANGE = regex(r"\breszt[yaeę]\b|\bwyda\w* mi\b")
_TAKEN_OFF = regex(
    r"\b(?:bon\w{0,3}|voucher\w*|kupon\w*|rabat\w*|zniz\w*|upust\w*)"
    r"(?: (?:na|o|w|wysokosci|za|rabatow\w+|wartosci|wynosi|kwotow\w+))* $"
)
_PAID = regex(r"\b(?:plac\w*|zaplac\w*|da(?:je|m|lem|lam)|banknot\w*|ze?|podaj\w*)(?: \w+)? $")
_NUMBERS = 3


def read_voucher(statement: Statement) -> str | None:
    """Return what is to be paid, or given back as change; ``None`` where it is unclear."""
    if _CHANGE.search(statement.question):
        return _read_change(statement)
    return _read_price(statement)


def _read_change(statement: Statement) -> str | None:
    """Read "zakupy 86,40, kupon na 15 zł, płacę setką, ile reszty"."""
    numbers = statement.quantities
    vouchers = [one for one in numbers if _TAKEN_OFF.search(one.before)]
    paid = [one for one in numbers if one not in vouchers and _PAID.search(one.before)]
    costs = [one for one in numbers if one not in vouchers and one not in paid]
    if not len(vouchers) == len(paid) == len(costs) == 1 or vouchers[0].unit == "%":
        return None
    return f"{paid[0].text} - ({costs[0].text} - {vouchers[0].text})"


def _read_price(statement: Statement) -> str | None:
    """Read "2890, minus 35%, potem bon na 100": the voucher comes after the rebate."""
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
