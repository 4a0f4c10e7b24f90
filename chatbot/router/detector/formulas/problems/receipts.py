"""Lists of prices without units, tickets of two kinds, the second for half, profit by the piece."""

import re
from collections.abc import Callable, Sequence

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Statement

_FEWEST = 2
_TOTAL = Guarded(
    r"\bile(?= ?[?.]?$)|\bile (?:\w+ ){0,2}?(?:plac|zaplac|koszt|wyjdzie|wyszlo|gotowk|pieniedzy|"
    r"kasy|wyda[mjn]|wezm|wzia|potrzeb)|\b(?:razem|lacznie|w sumie|suma|sume|zsumuj|podlicz|"
    r"policz|calosc\w*|wszystko|do zaplaty)\b"
)
_ASKS_OTHER = regex(
    r"\b(?:reszt\w*|zosta\w*|brak\w*|o ile|roznic\w*|oszczedz\w*|zaoszcz\w*|odset\w*|taniej|"
    r"drozej|srednio|kazd\w+|jedn\w+|dziel\w*|podziel\w*|osob\w*|glow\w*|leb\w*|na ile|po ile|"
    r"procent\w*|rodzinn\w*|kilogram\w*|ile (?:kg|sztuk|litrow|dni|godzin|lat)|kolejn\w+|mediana|"
    r"max\w*|min)\b"
)
_SEPARATOR = regex(r" ?(?:[,;:?!]|\.(?!\d)| oraz | plus | i (?=[^\d]*\d)) ?")
_NAMES = r"(?:[a-z]{2,} ){0,3}?"
_MONEY = r"(?: (?:zl|zlotych|zlote|pln))?"
_SINGLE = regex(rf"(?:[a-z]{{2,}} ){{1,3}}(?:za |po )?{NUMBER}{_MONEY}")
_SEVERAL = regex(
    rf"{_NAMES}{NUMBER} (?:x|\*) {_NAMES}(?:po )?{NUMBER}{_MONEY}"
    rf"|{_NAMES}{NUMBER} {_NAMES}po {NUMBER}{_MONEY}"
)
_UNPRICED = regex(
    r"\b(?:km|kg|g|dag|l|ml|m|cm|mm|godzin\w*|minut\w*|osob\w*|lat|dni|punkt\w*|stopni|raz[y]?|"
    r"na|z|ze|do|o|od|w|przez|minus|mial\w*|mam|mamy|zaliczk\w*|wplac\w*|zaplac\w*|bylo|jest|"
    r"stan|licznik\w*|nie|tylko|rabat\w*|podziel\w*|dodaj|odejm\w*|pomnoz\w*|razy|rok\w*|numer|"
    r"bior[ea]\w*|wezm\w*|kupuj\w*|budzet\w*|limit\w*|potem|czyli|ma|saldo|stypendi\w*|pensj\w*|dochod\w*|wyplat\w*)\b"
)
_PERCENT = regex(rf"\b{NUMBER} %")
_LOWER = Guarded(r"\b(?:rabat\w*|zniz\w*|upust\w*|minus|taniej|mniej)\b")
_RAISE = Guarded(r"\b(?:napiw\w*|serwis\w*|obslug\w*)\b")
_PARTLY = Guarded(r"\btylko|\bna (?!wszystko|calosc|gore|koniec|rachun)[a-z]{4,}")

_ADULT = regex(rf"\b(?:normaln\w*|doros[lł]\w*)(?: \w+){{0,2}}? {NUMBER}(?! (?:doros|osob))")
_CHILD = regex(rf"\b(?:ulgow\w*|dzieck\w*|dzieciec\w*|dzieci)(?: \w+){{0,2}}? {NUMBER}(?! dzie)")
_ADULTS = regex(rf"{NUMBER} (?:osob\w* )?(?:doros[lł]\w*|normaln\w*)")
_CHILDREN = regex(rf"{NUMBER} (?:dzie\w+|ulgow\w*)")

_HALF = Guarded(
    r"\b(drug|trzeci)\w* (?:\w+ ){0,2}?(?:za (?:1/2 ceny|pol ceny|50 %(?: ceny)?)|"
    r"(?:z rabatem )?50 % taniej|"
    r"-50 %)"
)
_ORDERED = {"drug": 2, "trzeci": 3}


def read_receipt(statement: Statement) -> str | None:
    """Return what a list of prices comes to; ``None`` where something else may be meant."""
    if len(statement.quantities) < _FEWEST:
        return None
    for reader in _READERS:
        if (expression := reader(statement)) is not None:
            return expression
    return None


def _read_second(statement: Statement) -> str | None:
    """Read "druga sztuka za pół ceny, sztuka po 34, biorę dwie"."""
    found = _HALF.search(statement.words)
    if found is None or _ASKS_OTHER.search(statement.question):
        return None
    count = _ORDERED[found[1]]
    numbers = [one for one in statement.quantities if one.text not in {"(1/2)", "0.5"}]
    rest = [one for one in numbers if one.unit != "%" and one.text != str(count)]
    if len(rest) != 1 or len(numbers) - len(rest) - ("50 %" in found[0]) != 1:
        return None
    return f"{'' if count == _FEWEST else f'{count - 1}*'}{rest[0].text} + {rest[0].text}/2"


def _read_tickets(statement: Statement) -> str | None:
    """Read "normalny 29, ulgowy 22, dwoje dorosłych i czworo dzieci"."""
    words = statement.words
    if "dzie" not in words and "ulgow" not in words:
        return None
    if _ASKS_OTHER.search(statement.question) or not _TOTAL.search(words):
        return None
    found = [one.search(words) for one in (_ADULT, _CHILD, _ADULTS, _CHILDREN)]
    numbers = [one[1] for one in found if one is not None]
    places = {one.start(1) for one in found if one is not None}
    if len(places) != len(found) or len(statement.quantities) != len(found):
        return None
    adult, child, adults, children = numbers
    return f"{adults}*{adult} + {children}*{child}"


def _read_list(statement: Statement) -> str | None:
    """Read "korona 1650, kanałowe 940, rabat 8%" and "3 x żurek 21, 2 x pierogi 34"."""
    words = statement.words
    rates = _PERCENT.findall(words)
    if len(rates) > 1 or not _TOTAL.search(words) or _ASKS_OTHER.search(words):
        return None
    items: list[str] = []
    factor = ""
    for part in filter(None, map(str.strip, _SEPARATOR.split(words))):
        if not re.search(r"\d", part):
            continue
        if "%" in part:
            factor = _factor(part) or ""
            continue
        item = _item(part)
        if item is None:
            return None
        items.append(item)
    if len(items) < _FEWEST or bool(rates) != bool(factor):
        return None
    total = " + ".join(items)
    return f"({total}){factor}" if factor else total


def _item(part: str) -> str | None:
    """One line: a thing with its price, or so many of it with the price of each."""
    if several := _SEVERAL.fullmatch(part):
        count, price, *others = [one for one in several.groups() if one]
        return None if others or _UNPRICED.search(part) else f"{count}*{price}"
    single = _SINGLE.fullmatch(part)
    return single[1] if single and not _UNPRICED.search(part) else None


def _factor(part: str) -> str | None:
    """The rebate or the tip on the whole."""
    is_less, is_more = bool(_LOWER.search(part)), bool(_RAISE.search(part))
    rate = _PERCENT.search(part)
    if rate is None or is_less == is_more or _PARTLY.search(part):
        return None
    if len(re.findall(r"\d[\d.]*", part)) != 1:
        return None
    return f"*(1 {'-' if is_less else '+'} {rate[1]}/100)"


def _read_profit(statement: Statement) -> str | None:
    """Read "kupiłem 40 koszulek po 18, sprzedaję po 35, ile zarobię": the gain times the count."""
    words = statement.words
    bought = re.search(
        rf"\b(?:kupi\w*|kupuj\w*|hurt\w*)[^\d]{{0,20}}(?:{NUMBER} \w+ )?po {NUMBER}", words
    )
    sold = re.search(rf"\bsprzed\w+(?: \w+){{0,2}}? po {NUMBER}", words)
    if bought is None or sold is None or not re.search(r"\bzysk|\bzarob", statement.question):
        return None
    others = [
        one.text
        for one in statement.quantities
        if one.end not in {bought.end(2), sold.end(1)} and one.unit != "%"
    ]
    if len(others) != 1 or len(statement.quantities) != _FEWEST + 1:
        return None
    return f"{others[0]}*({sold[1]} - {bought[2]})"


_READERS: Sequence[Callable[[Statement], str | None]] = (
    _read_second,
    _read_tickets,
    _read_profit,
    _read_list,
)
