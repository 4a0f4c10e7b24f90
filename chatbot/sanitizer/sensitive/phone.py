"""Polish telephone numbers."""

import re
from collections.abc import Sequence
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from chatbot.sanitizer.sensitive.detector import Detector, Matches
from chatbot.sanitizer.sensitive.found import EitherMatches, PatternMatches
from chatbot.sanitizer.sensitive.numbers import (
    SEPARATOR,
    NumberDetector,
    digits_of,
    end_of,
    of_lengths,
)
from chatbot.sanitizer.sensitive.signs import Signs

_DIGITS = 9
_LONGEST = 28
_LENGTHS = (13, 11, _DIGITS)  # with 0048, with +48, without
_COUNTRY = re.compile(rf"(?:\+|00){SEPARATOR}?48")
_MOBILE = re.compile(r"(?:45|5[01379]|6[069]|7[2389]|88)\d{7}")
_AREA = re.compile(
    r"(?:1[2-8]|2[2-59]|3[2-4]|4[1-468]|5[24-689]|6[1-357-8]|7[14-7]|8[1-79]|9[145])\d{7}"
)
_AREA_IN_BRACKETS = rf"\(\d\d\)(?:{SEPARATOR}?\d){{7}}"
_GROUPS = frozenset({(3, 3, 3), (2, 3, 2, 2), (2, 7), (3, 6), (3, 2, 2, 2)})


def phone() -> Detector:
    """Nine digits as Polish numbers begin, with ``+48`` or grouped as people write them.

    Nine digits in a row count if they begin like a mobile number's. Source: the national numbering
    plan, regulation of the Minister of Administration and Digitization of 30 October 2013
    (Dz.U. 2013 poz. 1281).
    """
    country = rf"(?:\+|00){SEPARATOR}?48{SEPARATOR}?"
    digits = rf"\(?\d(?:{SEPARATOR}?\d){{0,1}}\)?(?:{SEPARATOR}?\d){{7,8}}"
    return NumberDetector(
        candidate=rf"(?<![\d+])(?:{country})?{digits}",
        beginning=rf"(?<![\d+])[+(\d](?:[()\d]|{SEPARATOR}){{0,{_LONGEST - 1}}}",
        trigger=r"[\d+(]",
        longest=_LONGEST,
        lengths=of_lengths(*_LENGTHS),
        accepts=is_phone,
        scan=partial(_scan, re.compile(rf"(?<![\d+])(?:{country}{digits}|{_AREA_IN_BRACKETS})")),
    )


def is_phone(text: str) -> bool:
    """Whether ``text`` is written as a Polish telephone number is."""
    country = _COUNTRY.match(text)
    national = text[country.end() :] if country else text
    digits = digits_of(national)
    if len(digits) != _DIGITS or national.count("(") != national.count(")"):
        return False
    if country:
        return bool(_MOBILE.fullmatch(digits) or _AREA.fullmatch(digits))
    groups = tuple(len(group) for group in re.findall(r"\d+", national))
    if groups == (_DIGITS,):
        return bool(_MOBILE.fullmatch(digits))
    return groups in _GROUPS and bool(_MOBILE.fullmatch(digits) or _AREA.fullmatch(digits))


def _scan(rare: re.Pattern[str], text: str) -> Matches:
    """Numbers of digits and separators by arrays, those with country or brackets by ``rare``."""
    signs = Signs(text)
    starts = np.flatnonzero(signs.begins)
    before = signs.places[starts] - 1
    starts = starts[(before < 0) | (signs.codes[before] != ord("+"))]
    starts = signs.windows(_DIGITS, starts)
    groups = np.zeros(len(starts), dtype=np.int64)
    for place in range(_DIGITS - 1):
        groups |= signs.gaps[starts + place].astype(np.int64) << place
    heads = 10 * signs.column(0, starts) + signs.column(1, starts)
    mobile, area = _heads()
    in_a_row = mobile[heads] & (groups == 0)
    grouped = (mobile | area)[heads] & np.isin(groups, [_bits(one) for one in _GROUPS])
    plain = signs.spans(starts[in_a_row | grouped], _DIGITS)
    end = partial(end_of, lengths=_LENGTHS, accepts=is_phone, is_inner=str.isdecimal)
    return EitherMatches(plain, PatternMatches(rare, text, before=len(text), end=end))


def _bits(groups: Sequence[int]) -> int:
    """Behind which digits a separator stands, a bit for each."""
    return sum(1 << sum(groups[: number + 1]) - 1 for number in range(len(groups) - 1))


@cache
def _heads() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each two digits whether mobile numbers, and those of an area, begin with them."""
    numbers = [f"{head:02}{'0' * (_DIGITS - 2)}" for head in range(100)]
    mobile, area = (
        np.array([bool(kind.fullmatch(number)) for number in numbers]) for kind in (_MOBILE, _AREA)
    )
    return mobile, area
