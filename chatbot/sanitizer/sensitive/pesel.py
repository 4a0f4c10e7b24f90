"""The number of a person in the Polish register (PESEL)."""

from datetime import date

from chatbot.sanitizer.sensitive.detector import Detector
from chatbot.sanitizer.sensitive.numbers import SEPARATOR, NumberDetector, digits_of, of_lengths

_DIGITS = 11
_WEIGHTS = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)
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
    )


def is_pesel(text: str) -> bool:
    """Whether the digits of ``text`` are a PESEL number."""
    digits = [int(digit) for digit in digits_of(text)]
    if len(digits) != _DIGITS:
        return False
    total = sum(weight * digit for weight, digit in zip(_WEIGHTS, digits, strict=True))
    return total % 10 == 0 and _has_date(digits)


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
