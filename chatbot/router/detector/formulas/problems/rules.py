"""Rules of contracts and promotions, told or pasted, and the numbers they are put to."""

import re

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import NUMBER, Quantity, Statement

_PER = r"(?P<unit>dzien|dob[eay]|tydzien|miesiac|godzin[eay])"
_DAILY = Guarded(
    rf"{NUMBER} %[^.;?]{{0,90}}?\bza kazd\w+ (?:rozpoczet\w+ |kolejn\w+ |pelny |nastepny )*{_PER}"
    rf"|{NUMBER} %(?: \w+){{0,3}}? (?P<adverb>dziennie|tygodniowo)\b"
    rf"|\bza kazd\w+ (?:rozpoczet\w+ |kolejn\w+ )*(?P<before>dzien|dobe|tydzien|miesiac|godzine)"
    rf"[^.;?\d]{{0,60}}{NUMBER} %"
)
_STEMS = (
    ("dzien", "dn"), ("dob", "dob"), ("tydz", "tyg"), ("tyg", "tyg"), ("mies", "mies"),
    ("godz", "godz"),
)  # fmt: skip
_COMPOUND = regex(r"\b(?:kapitaliz\w+|skladan\w+|odsetki od odsetek)\b")
_MONEY = ("zl", "pln", "euro", "eur", "zlot", "tys")
_CHEAPEST = Guarded(
    rf"\b(?:najtansz\w+|tansz\w+)\b[^.;?]{{0,60}}?(?:za {NUMBER} %(?! taniej)|"
    r"(?P<free>gratis|za darmo|za 0 zl|w prezencie)|"
    r"(?P<half>za (?:1/2|polowe|pol) (?:ceny|wartosci|kwoty))|"
    rf"(?:o )?{NUMBER} % (?:taniej|rabatu|znizki|mniej|tansz\w+)|"
    rf"(?:ze znizka|z rabatem|rabat|znizka|-) ?{NUMBER} %|"
    r"za (?P<fixed>1|jed\w+) (?:zl|gr)\w*|za (?P<coin>zlotowk\w+|grosz\w*))"
    r"|(?P<free_before>gratis|za darmo)[^.;?\d]{0,20}\bnajtansz\w+"
)
_SENTENCE = regex(r" (?:[.?!;”]|: „) ")
_LIST = regex(r"(?<![\w.])\d+(?:\.\d+)?(?: zl\w*| pln)?(?: ?,| i| oraz| a| plus)+(?= ?(?:za )?\d)")
_PRICE = regex(r"(?<![\w.])(\d+(?:\.\d+)?)(?= (?:zl|pln|,|i\b|oraz|a\b|plus|[.?])|$)")


def read_rule(statement: Statement) -> str | None:
    """Return what a rule comes to: a penalty for each day, the cheapest thing at half its price."""
    return _read_daily(statement) or _read_cheapest(statement.words)


def _read_daily(statement: Statement) -> str | None:
    """Read "0,2 % wartości za każdy dzień … zamówienie na 18 600 zł, 23 dni"."""
    words = statement.words
    found = _DAILY.search(words)
    if found is None or _COMPOUND.search(words):
        return None
    rate = next(part for part in found.groups() if part and part[0].isdigit())
    said = found["unit"] or found["before"] or found["adverb"]
    stem = next(unit for name, unit in _STEMS if said.startswith(name))
    others = _of_own(statement, found)
    times = [one for one in others if one.unit.startswith(stem)]
    values = [one for one in others if one.unit.startswith(_MONEY)] or [
        one for one in others if one not in times and one.unit != "%"
    ]
    if len(times) != 1 or len(values) != 1 or len(others) > _most(words):
        return None
    return f"{values[0].text}*{rate}/100*{times[0].text}"


def _most(words: str) -> int:
    """How many numbers there may be beside the rate: a pasted text has some of no use."""
    return 6 if "„" in words else 2


def _of_own(statement: Statement, found: re.Match[str]) -> list[Quantity]:
    """The quantities that the user tells: outside a quotation, not those of the rule."""
    words = statement.words
    start, end = words.find("„"), words.rfind("”")
    is_quoted = 0 <= start < found.start() < end
    return [
        one
        for one in statement.quantities
        if (
            not start < one.end <= end if is_quoted else not found.start() <= one.end <= found.end()
        )
    ]


def _read_cheapest(words: str) -> str | None:
    """Read "najtańszy za połowę ceny … biorę za 120, 89 i 64 zł"."""
    found = _CHEAPEST.search(words)
    if found is None:
        return None
    rest = words[max(words.rfind("”"), found.end()) :]
    if _LIST.search(rest) is None:
        return None
    prices = _PRICE.findall(rest)
    if not 1 < len(prices) <= 6 or len(prices) != len(re.findall(r"(?<![\w.])\d", rest)):  # noqa: PLR2004 - a few things
        return None
    cheapest = min(prices, key=float)
    at = prices.index(cheapest)
    others = " + ".join(prices[:at] + prices[at + 1 :])
    return f"{others}{_for_cheapest(found, cheapest)}"


def _for_cheapest(found: re.Match[str], price: str) -> str:
    """What the cheapest thing adds to the sum."""
    if found["free"] or found["free_before"]:
        return ""
    if found["fixed"] or found["coin"]:
        return " + 0.01" if "gr" in (found["coin"] or found[0].rsplit(maxsplit=1)[-1]) else " + 1"
    if found["half"]:
        return f" + {price}/2"
    kept, *less = (found[1], found[4], found[5])
    if kept:
        return f" + {price}*{kept}/100"
    return f" + {price}*(1 - {next(part for part in less if part)}/100)"
