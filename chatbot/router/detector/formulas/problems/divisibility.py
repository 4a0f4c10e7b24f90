"""Common divisors and multiples that are described: "największa liczba dzieląca 198, 330 i 462"."""

import re
from functools import reduce

from chatbot.language.literals import Guarded
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import Statement

_LIST = (
    r"(?P<list>\d{1,9}(?:(?: ?,| i| oraz| a| jak i)*(?: (?:przez|liczb[eay]|i|takze|na))* ?"
    r"(?<![\d.])\d{1,9}){1,5})(?! ?[-+*/^.]? ?\d)"
)
_PLAIN_LIST = r"\d{1,9}(?:(?: ?,| i| oraz)+ ?(?<![\d.])\d{1,9}){1,5}"
_AT_ONCE = (
    r"(?: (?:jednoczesnie|naraz|rownoczesnie|zarowno|tak samo|bez reszty|liczb[yae]?|i|oraz))*"
)
_DIVISOR = Guarded(
    r"\bnajwieks\w+ (?:\w+ ){0,2}?(?:liczb\w+|dzielnik\w*)(?: (?:naturaln|calkowit)\w+)?,? ?"
    r"(?:,? (?:ktora|jaka|co|przez ktora|przez jaka|jednoczesnie|bez reszty))* ?"
    r"(?:dzieli\w*|dziela\w*|jest dzielnikiem|podzieli\w*|mozna podzielic|podziel\w+)(?: sie)?"
    rf"{_AT_ONCE} {_LIST}"
    r"|\bprzez jak\w+ najwieks\w+ liczb\w+ (?:\w+ )??(?:dziel\w+|podzieli\w*|mozna podzielic)"
    rf"(?: sie)?{_AT_ONCE} (?P<other>{_PLAIN_LIST})"
    r"|\b(?:najwieks\w+ dzielnik\w* wspoln\w+|wspoln\w+ dzielnik\w* najwieks\w+)"
    rf"(?: liczb| dla| z)* (?P<third>{_PLAIN_LIST})"
)
_MULTIPLE = Guarded(
    r"\bnajmniejs\w+ (?:\w+ ){0,2}?(?:liczb\w+|wielokrotnosc\w*)"
    r"(?: (?:naturaln|calkowit|dodatni)\w+){0,2},? ?"
    r"(?:,? (?:ktora|jaka|co))* ?(?:bez reszty )?"
    r"(?:podzieln\w+|dzieli sie|dzielac\w+ sie|mozna podzielic|jest podzieln\w+|da sie podzielic)"
    rf"{_AT_ONCE} przez{_AT_ONCE} {_LIST}"
)
_MOST_SETS = Guarded(r"\b(?:najwiec\w+|maksymaln\w+|najwieksz\w+ (?:liczb|ilosc)\w*)\b")
_ALIKE = regex(
    r"\b(?:jednakow\w+|identyczn\w+|tak\w+ sam\w+|(?:po )?rowno|rown\w+ (?:czesc|grup|zestaw)\w+)"
)
_NOTHING_LEFT = regex(
    r"\b(?:nic|nikt|niczego|zadn\w+(?: \w+)?) (?:\w+ )?nie (?:zosta|pozosta|zmarn|brak)\w*|"
    r"\bnie zosta\w+ (?:ani|nic|zadn)\w*|\bbez (?:reszty|resztek)\b|\bwykorzyst\w+|\bzuzy\w+|"
    r"\bwszystk\w+|\b(?:rozda|podziel|rozdziel|rozlozy)\w*"
)
_PIECES = regex(r"(?<![\d.,])(\d{1,6})(?: (?!i\b|oraz\b)[a-z]+)")
_MEASURED = regex(
    r"\d ?(?:(?:zl\w*|kg|dag|g|km|m|cm|mm|l|ml|h|min|proc\w*)\b|%)|"
    r"\b(?:po|na|dla|przez|w|co) \d|\d \d|"
    r"\bil[eu] (?:\w+ ){1,3}(?:w|na|dla) (?:kazd|jedn)\w+"
)
_FEWEST, _MOST = 2, 4
_RESTRICTED = regex(
    r"\bcyfrow|\b(?:mniejs\w+|wieks\w+) (?:od|niz)|(?<!bez )\breszt[aeęy] \d|"
    r"\bdaje reszte|\bprzekracz|\bdo \d|\bz reszta"
)


def read_divisibility(statement: Statement) -> str | None:
    """Return the greatest common divisor or the least common multiple that is described."""
    words = statement.words
    if _RESTRICTED.search(words):
        return None
    found, function = _DIVISOR.search(words), "gcd"
    if found is None:
        found, function = _MULTIPLE.search(words), "lcm"
    if found is None:
        return _alike_sets(words)
    listed = next(part for part in found.groups() if part)
    numbers: list[str] = re.findall(r"\d+", listed)
    return reduce(lambda one, other: f"{function}({one}, {other})", numbers)


def _alike_sets(words: str) -> str | None:
    """Into how many sets of the same all can be put: "24 róże i 40 goździków, ile bukietów"."""
    if not _MOST_SETS.search(words) or not _ALIKE.search(words) or _MEASURED.search(words):
        return None
    numbers: list[str] = _PIECES.findall(words)
    is_all = len(numbers) == len(re.findall(r"\d+", words)) and _NOTHING_LEFT.search(words)
    if not is_all or not _FEWEST <= len(numbers) <= _MOST:
        return None
    return reduce(lambda one, other: f"gcd({one}, {other})", numbers)
