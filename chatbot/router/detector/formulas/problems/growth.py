"""What grows or shrinks by a percentage again and again: "traci 6% rocznie, po 4 latach"."""

from collections.abc import Mapping
from types import MappingProxyType

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.percentages import DOWN, UP
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_EVERY = Guarded(
    r"\b(?:(?P<adverb>roczn|miesieczn|tygodniow|dzienn|codzienn|godzinow)(?:ie|o)\b|"
    r"(?:co|kazd\w+|w|z|na) (?:kolejn\w+ |1 |caly )?(?P<noun>rok|miesia|tydzien|tygodni|dzien|dnia|"
    r"godzin|dob|kwarta)\w*)"
)
_SPAN = regex(r"\b(?:po|przez|za|w ciagu|w|na|po uplywie|uplywie) (?:kolejn\w+ )?$")
_HALF_YEAR = regex(r"\b(?:po|przez|za|w ciagu) (?:1/2|polowie|pol) roku\b")
_LOST = regex(
    r"\b(?:w dol\b|trac|strat|ubyw|starz|kurcz|wymier|maleje|malej|spala|znika|zmniejsz)\w*"
)
_GAINED = regex(r"\b(?:w gore\b|zysk|przyby|powieksz|przyrost|mnoz|puchn|zwieksz)\w*")
_SIMPLE = regex(r"\b(?:wartosci poczatkow|poczatkow\w+ wartosci|od ceny zakupu|lokat|oprocent|"
                     r"odset|kapitaliz|kredyt)\w*")  # fmt: skip
_ASKED = regex(r"\b(?:cena|wartosc|ile|ilu|jak\w+|oblicz|policz|do ilu|podaj)\b")
_UNITS: Mapping[str, str] = MappingProxyType({
    "ro": "year", "la": "year", "mi": "month", "ty": "week", "dz": "day", "dn": "day",
    "co": "day", "go": "hour", "do": "day", "kw": "quarter",
})  # fmt: skip
_TIMES: Mapping[tuple[str, str], int] = MappingProxyType({
    ("month", "year"): 12, ("quarter", "year"): 4, ("day", "week"): 7, ("hour", "day"): 24,
})  # fmt: skip


def read_growth(statement: Statement) -> str | None:
    """Return what is left of, or has become of, a sum after so many equal changes."""
    words = statement.words
    every = _EVERY.search(words) if "%" in words else None
    if every is None or not _ASKED.search(words) or _SIMPLE.search(words):
        return None
    rates = [one for one in statement.quantities if one.unit == "%"]
    others = [one for one in statement.quantities if one.unit != "%"]
    period = _UNITS[(every["adverb"] or every["noun"])[:2]]
    spans = [one for one in others if _SPAN.search(one.before) and _is_time(one.unit)]
    sums = [one for one in others if one not in spans and "roku" not in one.unit]
    is_half = not spans and _HALF_YEAR.search(words) is not None and period == "month"
    if len(rates) != 1 or len(sums) != 1 or (len(spans) != 1 and not is_half):
        return None
    count = "6" if is_half else _count(spans[0], period)
    sign = _sign(words)
    if count is None or sign is None:
        return None
    return f"{sums[0].text}*(1 {sign} {rates[0].text}/100)**{count}"


def _is_time(unit: str) -> bool:
    return unit[:2] in _UNITS and unit not in {"co", "do"}


def _count(span: Quantity, period: str) -> str | None:
    """How many periods a span has."""
    unit = _UNITS[span.unit[:2]]
    if unit == period:
        return span.text
    times = _TIMES.get((period, unit))
    return None if times is None else f"({span.text}*{times})"


def _sign(words: str) -> str | None:
    """Whether the change is up or down; ``None`` where both or neither is said."""
    is_down = bool(DOWN.search(words) or _LOST.search(words))
    is_up = bool(UP.search(words) or _GAINED.search(words))
    return None if is_down == is_up else "-" if is_down else "+"
