"""The quantities that a text tells: how many of what, for each of what, and whose they are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.amounts import Amount, read_amounts, written
from chatbot.router.dialogue.calculations.measures import KNOWN, is_same, kind_of, noun_lemmas

_UNIT = regex(
    r"\s?-?(?P<unit>%|°[cf]?|km/h|m/s|km²|m²|m³|[ck]?m[23]\b|[^\W\d]+\.?²?)"
    r"(?:\s?/\s?(?:(?P<of>\d+)\s?)?(?P<per>[^\W\d]+))?"
)
_QUALITY = regex(r"(?:ych|ich|owych|ymi|imi)$")
_PER = regex(
    r"^[\s,]*(?:[a-z]+\s){0,2}?(?:za|na|od|w|z)\s(?:(?:1|jed\w+|kazd\w+|dan\w+)\s)?"
    r"(?:(?P<of>10{1,3})\s?)?(?P<per>godzin[eay]|dob[ey]|dzien|miesiac\w?|tydzien|rok\b|minute|sekunde|"
    r"[a-z]{1,14})\b"
)
_EVERY = regex(
    r"\b(?P<h>co godzine|na godzine)\b|\b(?P<dni>dziennie|codziennie)\b|\b(?P<tydz>tygodniowo)\b|"
    r"\b(?P<mies>miesiecznie|co miesiac)\b|\b(?P<lat>rocznie|co roku)\b"
)
_PAID_FOR = regex(
    r"\b(?:za|na|od) (?:1 |jed\w+ |kazd\w+ )?(noc|dobe|dzien|godzine|tydzien|miesiac|osobe|sztuke|"
    r"bilet|kilo|kilogram|kg|litr|metr|m2)\b"
)
_EACH_BEFORE = regex(r"\b(?:kazd\w+|jed(?:en|na|no)|pojedyncz\w+)\s([a-z]{3,})")
_CLAUSE = regex(
    r"(?<!\d),(?!\d)|,(?=\s)|[;.!?](?=\s|$)|\s[–—-]\s|:\s|"
    r"\b(?:a|natomiast|zas|oraz|i|przy czym)\b(?=\s)"
)
_SENTENCE = regex(r"[.!?;](?=\s|$)")
_PLAIN_NOUNS = frozenset({
    "okolo", "ponad", "prawie", "razem", "wynik", "doba", "raz", "rok", "czas", "strona", "sztuka",
    "dzien", "jutro", "dzis", "dzisiaj", "wynosi", "suma", "srednia", "liczba", "minimum", "temu",
    "mniej", "wiecej", "caly", "maja", "maj", "miara", "ile", "ilu", "jak", "takie", "takich",
    "tak", "mam", "lacznie", "ale", "czy", "jaka", "jaki", "moze", "bez", "dla", "tam", "ten",
    "tych", "obie",
})  # fmt: skip
_SHORTEST = 3
_HALF = {"pol": Fraction(1, 2), "poltora": Fraction(3, 2), "poltorej": Fraction(3, 2)}
_IMPLIED = regex(
    r"\b(?:(?P<half>poltora|poltorej|pol)\s(?P<unit>[a-z]+)|"
    r"(?:na|przez|za|po|w)\s(?:cal\w+\s|jed\w+\s)?(?P<one>tydzien|rok|dob[ei]e?|godzin[ei]e?|kwartal|"
    r"miesiac))\b"
)
_QUARTER, _HUNDRED = 3, 100
_PRICED_AT = regex(r"\bpo\s*$")
_FOR_SO_MANY = regex(r"\s*(?:na|w ciagu|w)\s")
_HUNDRED_KM = regex(r"^[\s,]*na (?:100|sto|setke)(?! (?:gram|g\b|ml|osob|zl))")
_MONEY = frozenset({"zl", "gr", "eur"})
_FOR_ONE = regex(r"^\s*(?:za|/|od)\s?(?:1 |jed\w+ |kazd\w+ )?(?P<per>[a-z]{1,3}h?|[a-z]{3,})\b")
_MAKES = regex(r"\s*(?:[a-z]+\s)?(?:ma|maja|zawiera|kosztuje|kosztuja|to|za|wazy)\s")


@dataclass(frozen=True, kw_only=True, slots=True)
class Quantity:
    """A number of ``unit``, for each ``of`` of ``per`` where that is said.

    ``names`` are the nouns of its clause: whose it is, and what it is counted for.
    """

    value: Fraction
    unit: str
    per: str = ""
    of: Fraction = Fraction(1)
    names: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    is_year: bool = False

    @property
    def text(self) -> str:
        """The number as an expression has it."""
        return written(self.value)

    @property
    def each(self) -> str:
        """The number for one of ``per``."""
        return self.text if self.of == 1 else f"{self.text}/{written(self.of)}"

    def is_of(self, word: str) -> bool:
        """Whether a word names whose it is."""
        return any(is_same(name, word) for name in self.names)


@lru_cache(maxsize=128)
def read_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text, years included, in their order."""
    folded = fold_evenly(text)
    amounts = read_amounts(text)
    return tuple(_related([_quantity(text, folded, one, amounts) for one in amounts], folded))


def implied(text: str) -> tuple[Quantity, ...]:
    """Return the times that a text gives without a number: "na tydzień", "pół roku"."""
    return tuple(_implied(fold_evenly(text)))


def nouns_in(text: str) -> tuple[str, ...]:
    """Return the words of a text that may be nouns or names, without diacritics."""
    found = []
    for one in re.finditer(r"[^\W\d_]+", text):
        word = one[0]
        folded = fold_evenly(word)
        if len(folded) < _SHORTEST or folded in _PLAIN_NOUNS:
            continue
        is_capital = word[0].isupper() and one.start() > 0
        if is_capital or noun_lemmas(word) or noun_lemmas(folded):
            found.append(folded)
    return tuple(dict.fromkeys(found))


def _implied(folded: str) -> Iterator[Quantity]:
    for found in _IMPLIED.finditer(folded):
        value = _HALF.get(found["half"] or "", Fraction(1))
        word = found["unit"] or found["one"]
        unit = "mies" if word == "kwartal" else kind_of(word)
        if word == "kwartal":
            value = Fraction(_QUARTER)
        if unit in KNOWN:
            yield Quantity(value=value, unit=unit, start=found.start())


def _quantity(text: str, folded: str, one: Amount, amounts: tuple[Amount, ...]) -> Quantity:
    left, right = _bounds(folded, one, amounts)
    after = folded[one.end : right]
    unit, per, of, rest = _unit(after)
    if not per:
        per, of = _per(rest, folded[left : one.start], unit)
    if not unit or unit not in KNOWN:
        unit = _priced(folded[left : one.start], one, unit)
    tail = tuple(word for word in nouns_in(text[one.end : right]) if kind_of(word) not in KNOWN)
    names = nouns_in(text[left : one.start])
    if names and any(other.start == right for other in amounts):
        tail = ()  # the nouns of the next number
    names = names or tail or _nouns_before(text, folded, left)
    is_year = one.is_year and unit not in KNOWN - {"lat"}
    return Quantity(
        value=one.value,
        unit=unit,
        per=per,
        of=of or Fraction(1),
        names=tuple(dict.fromkeys((*names, *tail))),
        start=one.start,
        end=one.end + len(after) - len(rest),
        is_year=is_year,
    )


def _related(found: list[Quantity], folded: str) -> Iterator[Quantity]:
    """Make one rate of two numbers: "6,5 l na 100 km", "3 kg za 20 zł", "4 bilety po 28 zł"."""
    at = 0
    while at < len(found):
        one, other = found[at], found[at + 1] if at + 1 < len(found) else None
        between = folded[one.end : other.start] if other is not None else ""
        at += 1
        if other is None or one.per or other.per or one.is_year or other.is_year:
            yield one
        elif _PRICED_AT.search(between) and one.unit:
            found[at] = replace(other, per=one.unit)
            yield one
        elif _FOR_SO_MANY.fullmatch(between) and one.unit != other.unit and other.value:
            at += 1
            is_distance = one.unit == "l" and not other.unit and other.value == _HUNDRED
            yield replace(one, per="km" if is_distance else other.unit, of=other.value)
        elif _MAKES.fullmatch(between) and one.unit != other.unit and one.unit and one.value:
            at += 1
            yield replace(other, per=one.unit, of=one.value)
        else:
            yield one


def _bounds(folded: str, one: Amount, amounts: tuple[Amount, ...]) -> tuple[int, int]:
    """Where the clause of a number begins and ends: marks, "a", and the numbers beside it."""
    before = [other.end for other in amounts if other.end <= one.start]
    after = [other.start for other in amounts if other.start >= one.end]
    left = max((found.end() for found in _CLAUSE.finditer(folded, 0, one.start)), default=0)
    right = min((found.start() for found in _CLAUSE.finditer(folded, one.end)), default=len(folded))
    return max([left, *before]), min([right, *after])


def _nouns_before(text: str, folded: str, left: int) -> tuple[str, ...]:
    """The nouns that open the sentence, for a clause that has none of its own."""
    start = max((found.end() for found in _SENTENCE.finditer(folded, 0, left)), default=0)
    return nouns_in(text[start:left])


def _unit(after: str) -> tuple[str, str, Fraction, str]:
    """The unit after a number, what it is for each of, and the rest of the clause."""
    found = _UNIT.match(after)
    if found is None:
        return "", "", Fraction(1), after
    rest = after[found.end() :]
    unit = kind_of(found["unit"])
    per = kind_of(found["per"]) if found["per"] else ""
    if unit == "kmh":
        return "km", "h", Fraction(1), rest
    if unit == "mps":
        return "m", "s", Fraction(1), rest
    while unit not in KNOWN and _QUALITY.search(unit) and (following := _UNIT.match(rest)):
        unit, rest = kind_of(following["unit"]), rest[following.end() :]
    if unit in {"za", "od", "na", "i", "a", "do", "to", "w", "z"}:
        return "", per, Fraction(1), after
    return unit, per, Fraction(found["of"] or 1), rest


def _per(rest: str, before: str, unit: str) -> tuple[str, Fraction]:
    if unit in _MONEY and (each := _FOR_ONE.match(rest)) is not None:
        return kind_of(each["per"]), Fraction(1)
    if (every := _EVERY.search(rest) or _EVERY.search(before)) is not None and every.lastgroup:
        return every.lastgroup, Fraction(1)
    if unit == "l" and _HUNDRED_KM.match(rest):
        return "km", Fraction(100)
    found = _PER.match(rest)
    if found is not None and (kind := kind_of(found["per"])) != unit:
        is_thing = kind in KNOWN or bool(noun_lemmas(found["per"]))
        if is_thing and not re.match(r"^[\s,]*(?:[a-z]+\s){0,2}?(?:w|z)\s(?!godzin|dzien)", rest):
            return kind, Fraction(found["of"] or 1)
    each = _EACH_BEFORE.search(before) or (_PAID_FOR.search(before) if unit in _MONEY else None)
    return (kind_of(each[1]), Fraction(1)) if each else ("", Fraction(1))


def _priced(before: str, one: Amount, unit: str) -> str:
    """Money, where a number stands after "po" or after a verb of paying."""
    is_price = _PRICED_AT.search(before) or re.search(r"\b(?:kosztuj|zaplac|plac|cen)\w*\b", before)
    return "zl" if is_price and (not unit or one.unit == "zl") else unit
