"""What instalments come to above the price or the loan: "5000, 10 rat po 560, ile przepłacę"."""

import re

from chatbot.language.literals import Guarded
from chatbot.router.detector.formulas.problems.statement import Statement

_INSTALMENTS = Guarded(r"\brat(?:[aeyo]|ach|ami)?\b")
_ABOVE = re.compile(
    r"\b(?:przeplac\w*|nadplac\w*|doplac\w*|odset\w*|o ile (?:\w+ ){0,2}?(?:drozej|wiecej)|"
    r"(?:koszt\w*|cena) (?:kredytu|pozyczki|rat)|ile (?:\w+ ){0,2}?(?:drozej|wiecej|ponad))\b"
)
_SPAN = r"(?:miesi\w+|mies)"
_COUNT_AFTER = re.compile(rf"^ (?:(?:rown|miesieczn)\w+ )*(?:rat\w*|{_SPAN})\b")
_COUNT_BEFORE = re.compile(r"\brat(?:y|ach)? $")
_EACH = re.compile(r"\b(?:rat[aeyo]|po)(?: (?:miesieczn\w+|wynosi\w*|to|jest|rowna))* $")
_NUMBERS = 3


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
