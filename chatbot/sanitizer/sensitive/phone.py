"""Polish telephone numbers."""

import re

from chatbot.sanitizer.sensitive.detector import Detector
from chatbot.sanitizer.sensitive.numbers import SEPARATOR, NumberDetector, digits_of, of_lengths

_DIGITS = 9
_LONGEST = 28
_COUNTRY = re.compile(rf"(?:\+|00){SEPARATOR}?48")
_MOBILE = re.compile(r"(?:45|5[01379]|6[069]|7[2389]|88)\d{7}")
_AREA = re.compile(
    r"(?:1[2-8]|2[2-59]|3[2-4]|4[1-468]|5[24-689]|6[1-357-8]|7[14-7]|8[1-79]|9[145])\d{7}"
)
_GROUPS = frozenset({(3, 3, 3), (2, 3, 2, 2), (2, 7), (3, 6), (3, 2, 2, 2)})


def phone() -> Detector:
    """Nine digits as Polish numbers begin, with ``+48`` or grouped as people write them.

    Nine digits in a row count if they begin like a mobile number's. Source: the national numbering
    plan, regulation of the Minister of Administration and Digitization of 30 October 2013
    (Dz.U. 2013 poz. 1281).
    """
    country = rf"(?:(?:\+|00){SEPARATOR}?48{SEPARATOR}?)?"
    digits = rf"\(?\d(?:{SEPARATOR}?\d){{0,1}}\)?(?:{SEPARATOR}?\d){{7,8}}"
    return NumberDetector(
        candidate=rf"(?<![\d+]){country}{digits}",
        beginning=rf"(?<![\d+])[+(\d](?:[()\d]|{SEPARATOR}){{0,{_LONGEST - 1}}}",
        trigger=r"[\d+(]",
        longest=_LONGEST,
        lengths=of_lengths(13, 11, 9),
        accepts=is_phone,
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
