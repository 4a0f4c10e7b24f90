"""Numbers of payment cards."""

import re

from chatbot.sanitizer.sensitive.detector import Detector
from chatbot.sanitizer.sensitive.numbers import SEPARATOR, NumberDetector, digits_of, of_lengths

_SHORTEST, _LONGEST = 13, 19
# Visa · Mastercard · American Express · Discover and UnionPay · Diners Club · JCB · Maestro · Mir
_ISSUER = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"
    r"|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}"
    r"|3[47]\d{13}"
    r"|6(?:011|22\d|4[4-9]\d|5\d{2})\d{12,15}|62\d{14,17}|81\d{14,17}"
    r"|3(?:0[0-5]|[689]\d)\d{11,16}"
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"
    r"|(?:50|5[6-9]|6\d)\d{10,17}"
    r"|220[0-4]\d{12,15}"
)


def card() -> Detector:
    """Thirteen to nineteen digits of a known issuer with the right check digit.

    Source: ISO/IEC 7812-1 (Luhn's formula) and the issuers' published ranges.
    """
    return NumberDetector(
        candidate=rf"(?<!\d)\d(?:{SEPARATOR}?\d){{{_SHORTEST - 1},{_LONGEST - 1}}}",
        beginning=rf"(?<!\d)\d(?:{SEPARATOR}?\d){{0,{_LONGEST - 1}}}{SEPARATOR}?",
        trigger=r"\d",
        longest=2 * _LONGEST,
        lengths=of_lengths(*range(_LONGEST, _SHORTEST - 1, -1)),
        accepts=is_card,
    )


def is_card(text: str) -> bool:
    """Whether the digits of ``text`` are the number of a payment card."""
    digits = digits_of(text)
    if not _SHORTEST <= len(digits) <= _LONGEST or not _ISSUER.fullmatch(digits):
        return False
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value // 10 + value % 10 for value in doubled) % 10 == 0
