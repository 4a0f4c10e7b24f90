"""Numbers of bank accounts: IBAN, and the Polish form without the country."""

from types import MappingProxyType
from typing import Final

from chatbot.sanitizer.sensitive.detector import Detector
from chatbot.sanitizer.sensitive.numbers import SEPARATOR, NumberDetector

_LONGEST = 34
_POLISH = 26
_LENGTHS: Final = MappingProxyType({
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FO FI GL NL SD", 19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV", 22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST",
        26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
})  # fmt: skip


def iban() -> Detector:
    """An international account number, or the 26 digits of a Polish one, with right check digits.

    Source: ISO 13616-1 (the check, by ISO/IEC 7064 mod 97-10) and SWIFT's IBAN registry (lengths).
    """
    inner = f"{SEPARATOR}?[A-Za-z0-9\\d]"
    letters, checks = rf"[A-Za-z]{{2}}{SEPARATOR}?", rf"\d{SEPARATOR}?\d"
    return NumberDetector(
        candidate=rf"(?<![^\W_])(?:{letters})?{checks}(?:{inner}){{11,{_LONGEST - 4}}}",
        beginning=rf"(?<![^\W_])(?:[A-Za-z]|{letters}|(?:{letters})?"
        rf"(?:\d{SEPARATOR}?|{checks}(?:{inner}){{0,{_LONGEST - 4}}}{SEPARATOR}?))",
        trigger=rf"\d|(?<![^\W_])[A-Za-z]{{1,2}}{SEPARATOR}?\Z",
        longest=2 * _LONGEST,
        lengths=_lengths,
        accepts=is_iban,
        is_inner=str.isalnum,
    )


def is_iban(text: str) -> bool:
    """Whether ``text`` is the number of a bank account."""
    signs = "".join(_plain(char) for char in text if char.isalnum())
    if not signs.isascii():
        return False
    if signs.isdigit() and len(signs) == _POLISH:
        signs = f"PL{signs}"
    if len(signs) != _LENGTHS.get(signs[:2]) or not signs[2:4].isdigit():
        return False
    return int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97 == 1


def _lengths(candidate: str) -> tuple[int, ...]:
    if candidate[0].isdecimal():
        return (_POLISH,)
    return (_LENGTHS.get(candidate[:2].upper(), 0),)


def _plain(char: str) -> str:
    return str(int(char)) if char.isdecimal() else char.upper()
