"""Whole numbers: primes, divisors, runs of numbers with a property, things that meet again."""

import re
from collections.abc import Callable, Iterable
from itertools import islice
from math import gcd

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_N = r"(\d{1,15})(?![\d.])"
_EITHER = r"(?:pierwsz\w+ czy (?:nie|(?:jest )?zlozon\w+)|zlozon\w+ czy pierwsz\w+)"
_PRIMALITY = Guarded(
    rf"\b{_EITHER}[^\d]{{0,25}}{_N}|(?<![\d.])\b{_N}[^\d]{{0,25}}\b{_EITHER}|"
    rf"\b(?:pierwszosc|test pierwszosci)[^\d]{{0,15}}{_N}|"
    rf"^(?:liczba )?{_N} (?:to |jest )?(?:liczba )?pierwsza ?\?"
)
_FACTORS = Guarded(
    rf"\b(?:na|w) (?:jakie|ktore) (?:czynniki|liczby) pierwsze [^\d]{{0,30}}{_N}"
    rf"|\b(?:rozbij|rozbic|rozlozyc|podziel|zapisz|przedstaw)\w* (?:liczbe )?{_N} "
    r"(?:na|jako|w postaci) "
    r"(?:\w+ )?(?:czynnik\w*|liczb pierwszych|iloczyn\w* (?:liczb|czynnikow)? ?pierwsz\w+)"
)
_DIVIDING = Guarded(
    rf"\bjakie liczby (?:naturalne |calkowite )?(?:bez reszty )?dziela (?:liczbe )?{_N}"
    r"|\bprzez (?:jakie|ktore|co) (?:liczby )?(?:\w+ )?"
    rf"(?:dzieli sie|jest podzieln\w+|mozna podzielic) (?:liczb[aeę] )?{_N}[^\d]*$"
)
_COUNT = Guarded(
    rf"\b(?:ile (?:\w+ ){{0,2}}|liczb[aeę] (?:\w+ )?|ilosc (?:\w+ )?)dzielnikow[^\d]{{0,25}}{_N}"
)
_PROPERTIES = (
    (_PRIMALITY, "isprime"),
    (_FACTORS, "factorint"),
    (_DIVIDING, "divisors"),
    (_COUNT, "divisor_count"),
)
_SIGMA = regex(r"\bsum[aeęy]\w* (?:wszystkich )?(?:\w+ )?dzielnikow[^\d]{0,20}(\d{1,7})(?![\d.])")
_PRIMES = regex(
    r"\bsum[aeęy]\w* (?:wszystkich )?liczb pierwszych (?:mniejszych (?:od|niz)|do|ponizej|nie "
    r"wiekszych (?:od|niz)|od [12] do) (\d{1,3})(?![\d.])"
)
_INVERSE = regex(
    r"\bodwrotnos\w+ (?:liczby )?(\d{1,9}) (?:modulo|mod) ?(\d{1,9})|"
    r"\b(\d{1,9}) \^ ?\(? ?- ?1 ?\)? \(? ?(?:modulo|mod) ?(\d{1,9})"
)
_WHICH = (
    r"(?:,? ?(?:ktore )?(?:sa |jest )?(?:podzieln\w+|dzieli?\w* sie) przez (?P<by{0}>\d{{1,4}})|"
    r" ?(?P<odd{0}>nie)?(?P<even{0}>parzyst\w+))"
)
_SPAN = (
    r"(?:(?P<digits>[2-5]) ?-? ?cyfrow\w+|od (?P<low>\d{1,7}) do (?P<high>\d{1,7})"
    r"|(?:mniejsz\w+ (?:od|niz)|ponizej|przed) (?P<below>\d{1,7})"
    r"|(?:do|nie wieksz\w+ (?:od|niz)|nieprzekraczajac\w+) (?P<upto>\d{1,7})"
    r"|(?:pomiedzy|miedzy) (?P<after>\d{1,7}) (?:a|i) (?P<before>\d{1,7}))"
)
_RUN = regex(
    r"\b(?P<what>sum[aeęy]\w*|ile(?: jest)?|zsumuj|dodaj|dodani\w+|iloczyn\w*|p?r?z?e?mnoz\w*|"
    r"pomnoz\w*) (?:wszystki\w+ )?(?:kolejn\w+ )?"
    r"(?:(?P<multiples>wielokrotnosci) (?:liczby )?(?P<of>\d{1,4})|"
    rf"(?:liczb\w? )?(?:naturaln\w+ |calkowit\w+ |dodatni\w+ )*(?:{_WHICH.format(1)} ?)?"
    r"(?:liczb\w? ?)?(?:naturaln\w+ |calkowit\w+ |dodatni\w+ )*) ?"
    rf"(?:{_SPAN})(?: wlacznie)?(?:{_WHICH.format(2)})?(?: ?[.?!]?$)"
)
_AGAIN = regex(r"\b(?:razem|jednoczesnie|rownoczesnie|spotka\w*|znow|znowu|ponownie|zbiegn\w*)\b")
_EVERY = regex(
    r"\bco (\d{1,4})((?:(?: \w+)? (?:,|i|oraz|a|,? (?:drug|trzec|inn)\w+)(?: co)? \d{1,4}){1,4})"
)
_SQUARES = regex(
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
    """Read "221: pierwsza czy złożona", "ile dzielników ma 720", "jakie liczby dzielą 28"."""
    for pattern, function in _PROPERTIES:
        if found := pattern.search(words):
            number = next(part for part in found.groups() if part)
            is_shared = function == "divisor_count" and "wspoln" in words
            return None if is_shared else f"{function}({number})"
    if "dzielnik" in words and (found := _SIGMA.search(words)):
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
    found = _RUN.search(words)
    if found is None:
        return None
    low, high = _span(found)
    by = found["by1"] or found["by2"] or found["of"]
    is_odd = bool(found["odd1"] or found["odd2"])
    step = int(by or (2 if found["even1"] or found["even2"] else 1))
    if not step or high < low or (step == 1 and not found["digits"]):
        return None
    term = f"{step}*k - 1" if is_odd else f"{step}*k" if step > 1 else "k"
    first, last = -(-(low + is_odd) // step), (high + is_odd) // step
    if found["what"].startswith("ile"):
        return f"{last} - {first} + 1"
    is_product = "mnoz" in found["what"] or found["what"].startswith("iloczyn")
    return f"{'product' if is_product else 'summation'}({term}, (k, {first}, {last}))"


def _span(found: re.Match[str]) -> tuple[int, int]:
    """The least and the greatest number that a run may hold."""
    if found["digits"]:
        high = int("9" * int(found["digits"]))
        return high // 10 + 1, high
    if found["after"]:
        return int(found["after"]) + 1, int(found["before"]) - 1
    high = int(found["high"] or found["upto"] or int(found["below"]) - 1)
    return int(found["low"] or 1), high


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
