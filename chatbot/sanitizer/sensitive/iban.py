"""Numbers of bank accounts: IBAN, and the Polish form without the country."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

import numpy as np

from chatbot.sanitizer.sensitive.detector import Detector, Matches
from chatbot.sanitizer.sensitive.numbers import SEPARATOR, NumberDetector
from chatbot.sanitizer.sensitive.signs import TEN, Numbers, Signs

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
        scan=_scan,
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


def _scan(text: str) -> Matches:
    signs = Signs(text, letters=True)
    begins = np.flatnonzero(signs.begins)
    begins = begins[begins + 14 <= signs.last[begins]]  # the shortest has fifteen signs
    is_letter = signs.values[begins] >= TEN
    found, lengths = [_polish(signs, begins[~is_letter])], [_POLISH]
    abroad = begins[is_letter]
    abroad = abroad[
        (signs.column(1, abroad) >= TEN)
        & (signs.places[abroad + 1] - signs.places[abroad] == 1)
        & (signs.column(2, abroad) < TEN)
        & (signs.column(3, abroad) < TEN)
    ]
    countries = 36 * signs.values[abroad] + signs.column(1, abroad)
    for country, length in _LENGTHS.items():
        first, second = (int(letter, 36) for letter in country)
        own = signs.windows(length, abroad[countries == 36 * first + second])
        own = own[_remainder(signs, own, (*range(4, length), *range(4))) == 1]
        found.append(own)
        lengths.append(length)
    counts = [len(one) for one in found]
    return signs.spans(np.concatenate(found), np.repeat(lengths, counts))


def _polish(signs: Signs, begins: Numbers) -> Numbers:
    """Where the digits of a Polish number begin without its country."""
    own = signs.windows(_POLISH, begins)
    letters = np.concatenate(([0], np.cumsum(signs.values >= TEN)))
    own = own[letters[own + _POLISH] == letters[own]]
    rest = _remainder(signs, own, range(2, _POLISH))
    for sign in "PL":
        rest = (100 * rest + int(sign, 36)) % 97
    found: Numbers = own[_remainder(signs, own, range(2), rest) == 1]
    return found


def _remainder(
    signs: Signs, starts: Numbers, order: Iterable[int], rest: Numbers | None = None
) -> Numbers:
    """What is left of the signs, in this order as one number behind ``rest``, divided by 97."""
    rest = np.zeros(len(starts), dtype=np.int64) if rest is None else rest
    for place in order if len(starts) else ():
        values = signs.column(place, starts)
        rest = (rest * np.where(values < TEN, 10, 100) + values) % 97
    return rest
