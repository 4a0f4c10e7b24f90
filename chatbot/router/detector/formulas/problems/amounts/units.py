"""Units of measure with their dimensions, and likeness of the nouns that are counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from chatbot.language.patterns import regex
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import fold_evenly

Dimensions: TypeAlias = Mapping[str, int]
"""Powers of length, mass, time, money and of each thing that is counted ("#paczek")."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """A unit: what it measures, and how many of the smallest unit it is."""

    dimensions: Dimensions
    scale: Fraction


_TABLE: tuple[tuple[str, str, int, str], ...] = (
    (r"zl|zlot(?:y|e|ych|ego|ymi|owk\w*)|pln|zeta|zetow", "money", 1, "1"),
    (r"gr|grosz\w*", "money", 1, "1/100"),
    (r"euro|eur", "euro", 1, "1"),
    (r"dolar\w*|usd", "dollar", 1, "1"),
    (r"mm|milimetr\w*", "length", 1, "1/1000"),
    (r"cm|centymetr\w*", "length", 1, "1/100"),
    (r"dm|decymetr\w*", "length", 1, "1/10"),
    (r"m|metr(?:y|ow|a|ach|em|ami|ze)?|mb", "length", 1, "1"),
    (r"km|kilometr\w*", "length", 1, "1000"),
    (r"mkw|metraz\w*", "length", 2, "1"),
    (r"cmkw", "length", 2, "1/10000"),
    (r"kmkw", "length", 2, "1000000"),
    (r"ar(?:y|ow|a|ach)", "length", 2, "100"),
    (r"ha|hektar\w*", "length", 2, "10000"),
    (r"ml|mililitr\w*", "length", 3, "1/1000000"),
    (r"l|litr(?:y|ow|a|ach|em|ami|ze)?", "length", 3, "1/1000"),
    (r"hl|hektolitr\w*", "length", 3, "1/10"),
    (r"msz|kubik\w*", "length", 3, "1"),
    (r"cmsz", "length", 3, "1/1000000"),
    (r"mg|miligram\w*", "mass", 1, "1/1000000"),
    (r"g|gram(?:y|ow|a|ach|em)?", "mass", 1, "1/1000"),
    (r"dag|deko|dekagram\w*|deka", "mass", 1, "1/100"),
    (r"kg|kilo|kil[oa]?|kilogram\w*", "mass", 1, "1"),
    (r"t|ton(?:y|a|e|ach)?", "mass", 1, "1000"),
    (r"s|sek|sekund\w*", "time", 1, "1"),
    (r"min|minut\w*", "time", 1, "60"),
    (r"kwadrans\w*", "time", 1, "900"),
    (r"h|godz|godzin\w*", "time", 1, "3600"),
    (r"dni\w{0,3}|dzien|dob[aeiy]?|noc[ey]?|dniowk\w*", "time", 1, "86400"),
    (r"tygodni\w*|tydzien", "time", 1, "604800"),
    (r"mies|miesiac\w*|miesiec(?!znie)\w*", "months", 1, "1"),
    (r"rok|roku|lat|lata|latach", "months", 1, "12"),
    (r"kwh|kilowatogodzin\w*", "energy", 1, "1"),
    (r"wh", "energy", 1, "1/1000"),
    (r"milmorskich", "length", 1, "1852"),
    (r"bar|atmosfer\w*", "pressure", 0, "1"),
    (r"warstw\w*", "layers", 0, "1"),
)  # fmt: skip
_COMPILED = tuple((regex(pattern), name, power, Fraction(scale))
                  for pattern, name, power, scale in _TABLE)  # fmt: skip
_SPEEDS: Mapping[str, Unit] = MappingProxyType({
    "kmh": Unit(dimensions={"length": 1, "time": -1}, scale=Fraction(1000, 3600)),
    "mps": Unit(dimensions={"length": 1, "time": -1}, scale=Fraction(1)),
    **{
        name: Unit(dimensions={"length": 1, "time": -1}, scale=Fraction(1852, 3600))
        for name in ("wezel", "wezla", "wezly", "wezlow", "wezlami")
    },
    **{
        name: Unit(dimensions={"energy": 1, "time": -1}, scale=Fraction(1, scale))
        for name, scale in (
            ("wat", 3_600_000),
            ("waty", 3_600_000),
            ("watow", 3_600_000),
            ("kw", 3600),
            ("kilowat", 3600),
            ("kilowaty", 3600),
            ("kilowatow", 3600),
        )
    },
})
PER_TIME: Mapping[str, str] = MappingProxyType({
    "dziennie": "dzien",
    "codziennie": "dzien",
    "tygodniowo": "tydzien",
    "miesiecznie": "mies",
    "rocznie": "rok",
    "dobowo": "dzien",
})
_FEWEST = 3
_ENDING = 2
PEOPLE = regex(
    r"osob|ludzi|nas$|gosc|koleg|kolez|kumpl|przyjaci|znajom|uczestn|lokator|wspollok|uczni|dziec|"
    r"pracown|wnuk|rodzin|sasiad|chlop|domown|czlonk|siostr|braci|kobiet|glow"
)

_SMALL = regex(r"(?<!ow)(?:czek|czka|czko|szek|szka|ek|ka|ko)$")
_PERSONS = regex(r"osob|ludzi|gosc|glow|uczestni|biesiadni|nas$|chlopa$")


@lru_cache(maxsize=1024)
def unit_of(word: str) -> Unit | None:
    """Return the unit that a folded word names; ``None`` if it is none."""
    if word in _SPEEDS:
        return _SPEEDS[word]
    for pattern, name, power, scale in _COMPILED:
        if pattern.fullmatch(word):
            return Unit(dimensions={name: power} if power else {}, scale=scale)
    return None


@lru_cache(maxsize=2048)
def is_noun(word: str) -> bool:
    """Whether a folded word may be what is counted: a noun in the genitive, or unknown."""
    if unit_of(word) is not None or not word.isalpha() or len(word) < _FEWEST:
        return False
    readings = readings_of(word)
    if readings:
        return any(one.pos in {"subst", "ger", "depr"} for one in readings)
    return not word.endswith(("byc", "lo", "la", "lem", "lam", "uje", "am", "ac", "ic", "yc"))


def name_of(noun: str) -> str:
    """The name under which a noun is counted: people are people."""
    return "osob" if _PERSONS.match(noun) else noun


@lru_cache(maxsize=2048)
def is_alike(one: str, other: str) -> bool:
    """Whether two nouns are forms of one: "worek" and "workow", "paletka" and "palet"."""
    if one[:_FEWEST] != other[:_FEWEST]:
        return False
    lemmas, others = _lemmas(one), _lemmas(other)
    same = _shared(one, other)
    if not lemmas or not others or same >= max(len(one), len(other)) - _ENDING:
        return same >= max(_FEWEST, min(len(one), len(other)) - 2)
    return bool(lemmas & others) or any(_is_diminutive(a, b) for a in lemmas for b in others)


def _lemmas(word: str) -> frozenset[str]:
    """The nouns that a word may be a form of, folded."""
    return frozenset(fold_evenly(r.lemma) for r in readings_of(word) if r.pos in {"subst", "depr"})


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_diminutive(one: str, other: str) -> bool:
    """Whether one of two lemmas is a small one of the other: "worek", "woreczek"."""
    short, long = sorted((one, other), key=len)
    same = _shared(short, long)
    if same >= max(_FEWEST, len(short) - 1) and len(long) - same <= 2:  # noqa: PLR2004 - letters
        return True
    return same > _FEWEST and same >= len(short) - 2 and bool(_SMALL.search(long))


def times(one: Dimensions, other: Dimensions, power: int = 1) -> dict[str, int]:
    """The dimensions of a product, or of a quotient with ``power`` -1."""
    joined = {name: one.get(name, 0) + power * other.get(name, 0) for name in {*one, *other}}
    return {name: exponent for name, exponent in joined.items() if exponent}
