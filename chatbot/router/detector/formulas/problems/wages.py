"""What is earned in so many days of so many hours: "32 zł za godzinę, 8 h dziennie, 21 dni"."""

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Quantity, Statement

_WORK = Guarded(
    r"\b(?:prac\w+|zarab\w+|zarob\w+|stawk\w+|dniowk\w+|etat\w*|brutto|netto|wyplat\w*)\b"
)
_HOURS = regex(r"^(?:godzin\w*|h|godz)$")
_A_DAY = regex(r"^ \w+ (?:dziennie|na dzien|w ciagu dnia|kazdego dnia)\b")
_DAYS = regex(r"^(?:dni|dniowek|dniowki|zmian|zmiany)$")
_IN_A_WEEK = regex(r"^ \w+ (?:w tygodniu|na tydzien|tygodniowo)\b")
_MONEY = frozenset({"zl", "zloty", "zlotych", "zlote", "euro", "dolarow"})
_OTHER = Guarded(
    r"\bile (?:to )?(?:godzin|dni|czasu)\b|\b(?:na|za) godzine\b|\bgodzinow\w+|\bstawk\w+|"
    r"\bpo ilu\b|\bna ile\b|\bo ile\b|%"
)
_FOR_LONG = Guarded(r"\b(?:miesiecz\w+|w miesiacu|za miesiac|na miesiac|roczn\w+|na rok|za rok)\b")
_NUMBERS = 3


def read_wage(statement: Statement) -> str | None:
    """Return the rate of an hour times hours a day times days; ``None`` where one is not told."""
    numbers = statement.quantities
    if len(numbers) != _NUMBERS or not _WORK.search(statement.words):
        return None
    if _OTHER.search(statement.question):
        return None
    hours = [one for one in numbers if _HOURS.match(one.unit) and _A_DAY.match(one.after)]
    days = [one for one in numbers if _DAYS.match(one.unit)]
    rate = [one for one in numbers if one.unit in _MONEY]
    if not len(hours) == len(days) == len(rate) == 1 or _is_for_longer(days[0], statement):
        return None
    return "*".join(one.text for one in numbers)


def _is_for_longer(days: Quantity, statement: Statement) -> bool:
    """Whether days of a week are told and a month's or a year's pay is asked for."""
    is_week = _IN_A_WEEK.match(days.after) is not None
    return is_week and _FOR_LONG.search(statement.question) is not None
