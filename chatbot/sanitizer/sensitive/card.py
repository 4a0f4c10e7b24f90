"""Numbers of payment cards."""

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chatbot.sanitizer.sensitive.detector import Detector, Matches
from chatbot.sanitizer.sensitive.numbers import SEPARATOR, NumberDetector, digits_of, of_lengths
from chatbot.sanitizer.sensitive.signs import Numbers, Signs

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
        scan=_scan,
    )


def is_card(text: str) -> bool:
    """Whether the digits of ``text`` are the number of a payment card."""
    digits = digits_of(text)
    if not _SHORTEST <= len(digits) <= _LONGEST or not _ISSUER.fullmatch(digits):
        return False
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value // 10 + value % 10 for value in doubled) % 10 == 0


def _scan(text: str) -> Matches:
    signs = Signs(text)
    sums = _luhn_sums(signs.values)
    starts = np.flatnonzero(signs.begins)
    starts = starts[starts + _SHORTEST - 1 <= signs.last[starts]]
    heads = sum(10 ** (3 - place) * signs.column(place, starts) for place in range(4))
    issued = _issued()[heads]
    found, lengths = [starts[:0]], [starts[:0]]
    for length in range(_LONGEST, _SHORTEST - 1, -1):
        is_known = issued >> (length - _SHORTEST) & 1 == 1
        own = signs.windows(length, starts[is_known])
        last = own + length - 1
        own = own[(sums[last % 2, last + 1] - sums[last % 2, own]) % 10 == 0]
        found.append(own)
        lengths.append(np.full(len(own), length))
        is_left = ~np.isin(starts, own)
        starts, issued = starts[is_left], issued[is_left]
    return signs.spans(np.concatenate(found), np.concatenate(lengths))


def _luhn_sums(digits: Numbers) -> Numbers:
    """Sums of the digits before each, one row where the even ones count once, one for the odd."""
    doubled = 2 * digits - 9 * (digits > 4)  # noqa: PLR2004 (the digits of what has two of them)
    is_even = np.arange(len(digits)) % 2 == 0
    rows = np.where(is_even, digits, doubled), np.where(is_even, doubled, digits)
    return np.array([np.concatenate(([0], np.cumsum(row))) for row in rows])


@cache
def _issued() -> NDArray[np.int64]:
    """For each four digits that a number begins with a bit for each length that is issued."""
    lengths = range(_SHORTEST, _LONGEST + 1)
    return np.array([
        sum(
            1 << place
            for place, length in enumerate(lengths)
            if _ISSUER.fullmatch(f"{head:04}{'0' * (length - 4)}")
        )
        for head in range(10_000)
    ])
