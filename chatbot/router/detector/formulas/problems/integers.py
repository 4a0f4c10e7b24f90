"""Whole numbers: primes, divisors, runs of numbers with a property, things that meet again."""

import re
from collections.abc import Callable, Iterable
from itertools import islice
from math import gcd

from chatbot.router.detector.formulas.problems.statement import Statement

_N = r"(\d{1,15})(?![\d.])"
_EITHER = r"(?:pierwsz\w+ czy (?:nie|(?:jest )?zlozon\w+)|zlozon\w+ czy pierwsz\w+)"
_PRIMALITY = re.compile(
    rf"\b{_EITHER}[^\d]{{0,25}}{_N}|(?<![\d.])\b{_N}[^\d]{{0,25}}\b{_EITHER}|"
    rf"\b(?:pierwszosc|test pierwszosci)[^\d]{{0,15}}{_N}|"
    rf"^(?:liczba )?{_N} (?:to |jest )?(?:liczba )?pierwsza ?\?"
)
_COUNT = re.compile(
    rf"\b(?:ile (?:\w+ ){{0,2}}|liczb[aeę] (?:\w+ )?|ilosc (?:\w+ )?)dzielnikow[^\d]{{0,25}}{_N}"
)
_SIGMA = re.compile(
    r"\bsum[aeęy]\w* (?:wszystkich )?(?:\w+ )?dzielnikow[^\d]{0,20}(\d{1,7})(?![\d.])"
)
_PRIMES = re.compile(
    r"\bsum[aeęy]\w* (?:wszystkich )?liczb pierwszych (?:mniejszych (?:od|niz)|do|ponizej|nie "
    r"wiekszych (?:od|niz)|od [12] do) (\d{1,3})(?![\d.])"
)
_INVERSE = re.compile(
    r"\bodwrotnos\w+ (?:liczby )?(\d{1,9}) (?:modulo|mod) ?(\d{1,9})|"
    r"\b(\d{1,9}) \^ ?\(? ?- ?1 ?\)? \(? ?(?:modulo|mod) ?(\d{1,9})"
)
_RUN = re.compile(
    r"\b(?P<what>sum[aeęy]\w*|ile(?: jest)?|zsumuj|dodaj) (?:wszystkich |wszystkie )?liczby? "
    r"(?:naturaln\w+ |calkowit\w+ )?(?:(?P<digits>[2-5]) ?-? ?cyfrow\w+|od (?P<low>\d{1,7}) do "
    r"(?P<high>\d{1,7})|mniejszych (?:od|niz) (?P<below>\d{1,7}))"
    r"(?:,? (?:ktore )?(?:sa |jest )?(?:podzieln\w+|dzieli?\w* sie) przez (?P<by>\d{1,4})|"
    r" (?P<odd>nie)?parzyst\w+)?(?: ?[.?!]?$)"
)
_AGAIN = re.compile(
    r"\b(?:razem|jednoczesnie|rownoczesnie|spotka\w*|znow|znowu|ponownie|zbiegn\w*)\b"
)
_EVERY = re.compile(
    r"\bco (\d{1,4})((?:(?: \w+)? (?:,|i|oraz|a|,? (?:drug|trzec|inn)\w+)(?: co)? \d{1,4}){1,4})"
)
_SQUARES = re.compile(
    r"\b(\d{1,5})(?: \w{1,2})? (?:na|x|\*|i) (\d{1,5})\b[^\d]*\bnajwieksz\w+ (?:\w+ )?kwadrat"
)
_MOST_TERMS = 40


def read_integer(statement: Statement) -> str | None:
    """Return what is asked of whole numbers."""
    for reader in _READERS:
        if (found := reader(statement.words)) is not None:
            return found
    return None


def _read_property(words: str) -> str | None:
    """Read "221: pierwsza czy złożona", "ile dzielników ma 720", "suma dzielników 28"."""
    if "pierwsz" in words and (found := _PRIMALITY.search(words)):
        return f"isprime({next(part for part in found.groups() if part)})"
    if "dzielnik" not in words:
        return None
    if found := _COUNT.search(words):
        return None if "wspoln" in words else f"divisor_count({found[1]})"
    if found := _SIGMA.search(words):
        return _added(one for one in range(1, int(found[1]) + 1) if int(found[1]) % one == 0)
    return None


def _read_primes(words: str) -> str | None:
    """Read "suma liczb pierwszych mniejszych od 20"."""
    found = _PRIMES.search(words) if "pierwsz" in words else None
    if found is None:
        return None
    last = int(found[1]) - ("mniejsz" in found[0] or "ponizej" in found[0])
    return _added(
        one
        for one in range(2, last + 1)
        if all(one % other for other in range(2, int(one**0.5) + 1))
    )


def _added(numbers: Iterable[int]) -> str | None:
    terms = list(islice(numbers, _MOST_TERMS + 1))
    return " + ".join(map(str, terms)) if 1 < len(terms) <= _MOST_TERMS else None


def _read_inverse(words: str) -> str | None:
    """Read "odwrotność 3 modulo 7": by Euler's theorem, where there is one."""
    found = _INVERSE.search(words) if "mod" in words else None
    if found is None:
        return None
    number, modulus = (int(part) for part in found.groups() if part)
    return (
        f"Mod({number}**(totient({modulus}) - 1), {modulus})" if gcd(number, modulus) == 1 else None
    )


def _read_run(words: str) -> str | None:
    """Read "suma liczb trzycyfrowych podzielnych przez 7", "ile jest liczb dwucyfrowych"."""
    found = _RUN.search(words) if "liczb" in words else None
    if found is None or not (found["digits"] or found["by"]):
        return None
    if found["digits"]:
        high = int("9" * int(found["digits"]))
        low = high // 10 + 1
    else:
        low, high = int(found["low"] or 1), int(found["high"] or int(found["below"]) - 1)
    step = int(found["by"] or (2 if "parzyst" in found[0] else 1))
    if not step or high < low:
        return None
    term = f"{step}*k - 1" if found["odd"] else f"{step}*k" if step > 1 else "k"
    shift = 1 if found["odd"] else 0
    first, last = -(-(low + shift) // step), (high + shift) // step
    if found["what"].startswith("ile"):
        return f"{last} - {first} + 1"
    return f"summation({term}, (k, {first}, {last}))"


def _read_meeting(words: str) -> str | None:
    """Read "kursują co 12 i 15 minut, za ile znów razem", "największe kwadraty z 462 na 1071"."""
    if "kwadrat" in words and (found := _SQUARES.search(words)):
        return f"gcd({found[1]}, {found[2]})"
    found = _EVERY.search(words) if _AGAIN.search(words) else None
    if found is None:
        return None
    numbers = [found[1], *re.findall(r"\d+", found[2])]
    joined: str = numbers[0]
    for one in numbers[1:]:
        joined = f"lcm({joined}, {one})"
    return joined


_READERS: tuple[Callable[[str], str | None], ...] = (
    _read_property,
    _read_primes,
    _read_inverse,
    _read_run,
    _read_meeting,
)
