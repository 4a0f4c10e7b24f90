"""What instalments come to, above the price or in all: "5000, 10 rat po 560, ile przepłacę"."""

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_INSTALMENTS = Guarded(r"\brat(?:[aeyo]|ach|ami)?\b")
_ABOVE = regex(
    r"\b(?:przeplac\w*|nadplac\w*|doplac\w*|odset\w*|o ile (?:\w+ ){0,2}?(?:drozej|wiecej)|"
    r"(?:koszt\w*|cena) (?:kredytu|pozyczki|rat)|ile (?:\w+ ){0,2}?(?:drozej|wiecej|ponad))\b"
)
_SPAN = r"(?:miesi\w+|mies)"
_COUNT_AFTER = regex(rf"^ (?:(?:rown|miesieczn)\w+ )*(?:rat\w*|{_SPAN})\b")
_COUNT_BEFORE = regex(r"\brat(?:y|ach)? $")
_EACH = regex(r"\b(?:rat[aeyo]|po)(?: (?:miesieczn\w+|wynosi\w*|to|jest|rowna))* $")
_NUMBERS = 3

_DUE = Guarded(
    r"\b(?:rat[aey]|czynsz\w*|abonament\w*|skladk\w+)(?: [a-z]+){0,3}"
    r"(?<! od)(?<! na)(?<! bez)(?<! co)(?<! za)(?<! po) $"
)
"""What is paid each month, before its amount."""

_MONTHS = regex(rf"^ {_SPAN}\b")
_YEARS = regex(r"^ (?:lat\w*|rok\w*)\b")
_OTHERWISE = Guarded(r"\b(?:roczn|kwartaln|tygodniow|dzienn)\w+")
_IN_ALL = regex(r"^(?!.*\b(?:po ilu|na ile|o ile|ile (?:miesi\w+|lat|rat|razy))\b).*\bile\b")
_MONEY = frozenset({"", "zl", "zloty", "zlotych", "zlote", "euro", "tys", "tysiecy"})


def read_dues(statement: Statement) -> str | None:
    """Return what is paid in so many months or years at so much a month; ``None`` if not told."""
    numbers = statement.quantities
    if len(numbers) != _NUMBERS - 1 or not _IN_ALL.search(statement.question):
        return None
    if _OTHERWISE.search(statement.words):
        return None
    due = [one for one in numbers if one.unit in _MONEY and _DUE.search(one.before)]
    spans = [one for one in numbers if one not in due]
    if len(due) != 1:
        return None
    if _MONTHS.search(spans[0].after):
        return f"{due[0].text}*{spans[0].text}"
    return f"{due[0].text}*12*{spans[0].text}" if _YEARS.search(spans[0].after) else None


def read_instalments(statement: Statement) -> str | None:
    """Return by how much the instalments exceed the price; ``None`` where a number is unclear."""
    numbers = statement.quantities
    if len(numbers) != _NUMBERS or any(one.unit == "%" for one in numbers):
        return None
    if not _INSTALMENTS.search(statement.words) or not _ABOVE.search(statement.question):
        return None
    counts = [one for one in numbers if _COUNT_AFTER.search(one.after)]
    if not counts:
        counts = [one for one in numbers if _COUNT_BEFORE.search(one.before)]
    each = [one for one in numbers if one not in counts and _EACH.search(one.before)]
    price = [one for one in numbers if one not in counts and one not in each]
    if not len(counts) == len(each) == len(price) == 1:
        return None
    return f"{counts[0].text}*{each[0].text} - {price[0].text}"
