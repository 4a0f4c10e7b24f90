"""The number of a person in the Polish register (PESEL)."""

from datetime import date

import numpy as np

from chatbot.sanitizer.sensitive.detector import Detector, Matches
from chatbot.sanitizer.sensitive.numbers import SEPARATOR, NumberDetector, digits_of, of_lengths
from chatbot.sanitizer.sensitive.signs import Signs

_DIGITS = 11
_WEIGHTS = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)
_FEBRUARY = 2
_DAYS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, *[0] * 7)  # by month, 0 for none
_CENTURIES = {80: 1800, 0: 1900, 20: 2000, 40: 2100, 60: 2200}  # by what is added to the month


def pesel() -> Detector:
    """Eleven digits with the right check digit and a date of birth that exists.

    Source: Act of 24 September 2010 on the population register (Dz.U. 2010 nr 217 poz. 1427),
    articles 15 to 19.
    """
    return NumberDetector(
        candidate=rf"(?<!\d)\d(?:{SEPARATOR}?\d){{{_DIGITS - 1}}}",
        beginning=rf"(?<!\d)\d(?:{SEPARATOR}?\d){{0,{_DIGITS - 1}}}{SEPARATOR}?",
        trigger=r"\d",
        longest=2 * _DIGITS,
        lengths=of_lengths(_DIGITS),
        accepts=is_pesel,
        scan=_scan,
    )


def is_pesel(text: str) -> bool:
    """Whether the digits of ``text`` are a PESEL number."""
    digits = [int(digit) for digit in digits_of(text)]
    if len(digits) != _DIGITS:
        return False
    total = sum(weight * digit for weight, digit in zip(_WEIGHTS, digits, strict=True))
    return total % 10 == 0 and _has_date(digits)


def _scan(text: str) -> Matches:
    signs = Signs(text)
    starts = signs.windows(_DIGITS, np.flatnonzero(signs.begins))
    total = sum(weight * signs.column(place, starts) for place, weight in enumerate(_WEIGHTS))
    starts = starts[total % 10 == 0]
    year, month, day = (
        10 * signs.column(place, starts) + signs.column(place + 1, starts) for place in (0, 2, 4)
    )
    year += np.array([_CENTURIES[century] for century in range(0, 100, 20)])[month // 20]
    month %= 20
    is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    days = np.array(_DAYS)[month] + (is_leap & (month == _FEBRUARY))
    return signs.spans(starts[(day >= 1) & (day <= days)], _DIGITS)


def _has_date(digits: list[int]) -> bool:
    year, month, day = (
        10 * tens + ones for tens, ones in zip(digits[:6:2], digits[1:6:2], strict=True)
    )
    century = _CENTURIES.get(month // 20 * 20, 0)
    try:
        date(century + year, month % 20, day)
    except ValueError:
        return False
    return True
