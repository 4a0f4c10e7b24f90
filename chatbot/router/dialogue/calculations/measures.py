"""Units and nouns: whether two words count the same, and how many of one make another."""

from fractions import Fraction
from functools import lru_cache

from chatbot.language.morphology import morphology
from chatbot.language.patterns import regex
from chatbot.router.detector.spans import fold_evenly

_UNITS: tuple[tuple[str, str], ...] = (
    ("%", r"%|proc\w*"),
    ("zl", r"zl|zlot\w*|pln|zeta|zet[ay]|dych\w*|stow\w+"),
    ("eur", r"euro|eur|€"),
    ("gr", r"gr|grosz\w*"),
    ("kmh", r"km/h|kmh"),
    ("mps", r"m/s"),
    ("km2", r"km²|km2|km\^2"),
    ("m2", r"m²|m2|m\^2"),
    ("cm2", r"cm²|cm2"),
    ("ar", r"ar(?:y|ow|a|ach|ami)?"),
    ("ha", r"ha|hektar\w*"),
    ("m3", r"m³|m3"),
    ("cm3", r"cm³|cm3"),
    ("dm3", r"dm³|dm3"),
    ("kg", r"kg|kilo|kilogram\w*"),
    ("g", r"g|gram(?:y|ow|a|ami)?"),
    ("t", r"t|ton[aynie]?"),
    ("km", r"km|kilometr\w*"),
    ("cm", r"cm|centymetr\w*"),
    ("m", r"m|metr\w*"),
    ("l", r"l|litr\w*"),
    ("ml", r"ml|mililitr\w*"),
    ("h", r"h|godz\w*|czasu"),
    ("min", r"min|minut\w*"),
    ("s", r"s|sek|sekund\w*"),
    ("dni", r"dni\w*|dzien\w*|dob(?:a|y|e|ie|ach|om)?|dziennie|noc[yae]?|nocy"),
    ("tydz", r"tydz\w*|tygod\w*"),
    ("mies", r"mies\w*"),
    ("lat", r"lata?|latach|rok(?:u|iem)?|roczni[ek]\w*|letni\w*"),
    ("kcal", r"kcal|kalori[aięe]\w*"),
    ("deg", r"°c?|stopni\w*|stopien|kresek|kreski|fahrenheit\w*|celsjusz\w*"),
    ("osob", r"os|osob\w*|ludz\w*|mieszkanc\w*|gosc\w*|uczestni\w*|glow[aeęy]?"),
    ("raz", r"raz|razy"),
)
_KINDS = tuple((kind, regex(pattern)) for kind, pattern in _UNITS)
_SIZES: tuple[tuple[tuple[str, int], ...], ...] = (
    (("s", 1), ("min", 60), ("h", 3600), ("dni", 86_400), ("tydz", 604_800)),
    (("mies", 1), ("lat", 12)),
    (("g", 1), ("kg", 1000), ("t", 10**6)),
    (("cm", 1), ("m", 100), ("km", 10**5)),
    (("cm2", 1), ("m2", 10**4), ("ar", 10**6), ("ha", 10**8), ("km2", 10**10)),
    (("ml", 1), ("cm3", 1), ("l", 1000), ("dm3", 1000), ("m3", 10**6)),
    (("gr", 1), ("zl", 100)),
)
_SHORTEST, _STEM, _LONG = 3, 4, 5
_TIMES = frozenset({"s", "min", "h", "dni", "tydz", "mies", "lat"})
LENGTHS = frozenset({"km", "m", "cm"})
KNOWN = frozenset(kind for kind, _ in _UNITS)
"""The units that have a name of their own here; any other is the noun that is counted."""


def kind_of(word: str) -> str:
    """Return the unit that a word names, else the word itself without diacritics."""
    folded = fold_evenly(word).strip(" .,:;!?")
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(folded)), folded)


def is_time(kind: str) -> bool:
    """Whether a unit measures time."""
    return kind in _TIMES


def is_same(one: str, other: str) -> bool:
    """Whether two units are one, or two words forms of one noun."""
    if not one or not other:
        return False
    if one == other:
        return True
    if one in KNOWN or other in KNOWN:
        return False
    return _begin_alike(one, other) or bool(noun_lemmas(one) & noun_lemmas(other))


def factor(one: str, other: str) -> Fraction | None:
    """How many of ``other`` one of ``one`` is; 1 for the same noun, ``None`` where none says."""
    if is_same(one, other):
        return Fraction(1)
    for sizes in _SIZES:
        known = dict(sizes)
        if one in known and other in known:
            return Fraction(known[one], known[other])
    return None


@lru_cache(maxsize=4096)
def noun_lemmas(word: str) -> frozenset[str]:
    """Return the nouns that a word form may be, without diacritics; none where it is no noun."""
    return frozenset(
        fold_evenly(one.lemma).casefold()
        for one in morphology().readings(word)
        if one.pos in {"subst", "depr", "ger"}
    )


def _begin_alike(one: str, other: str) -> bool:
    """Whether two words without diacritics differ in their endings alone."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _SHORTEST or len(longer) - len(shorter) > _STEM:
        return False
    shared = len(shorter) - 1 if len(shorter) <= _LONG else len(shorter) - 2
    return longer.startswith(shorter[: max(_SHORTEST, shared)])
