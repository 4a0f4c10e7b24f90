"""The numbers of a text, what they count and how they stand in it: "po 60 zł", "z dwunastki"."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

from chatbot.language.numerals import NUMBER_WORDS, read_number
from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.statement import COMPOUND, count_compound
from chatbot.router.detector.formulas.tokens import Token, tokenise
from chatbot.router.detector.spans import fold_evenly
from chatbot.router.dialogue.calculations.measures import LENGTHS

_COLLECTIVE = regex(r"\b([a-z]{4,}t)(k)(a|e|i|o|om|ami)?\b")
_TEENS = regex(r"\b(\w+na[sś]c)ior(?:o|ga|gu|giem)\b")
_SCALES = (("tys", 3), ("mln", 6), ("milion", 6), ("mld", 9), ("miliard", 9))
_PEOPLE = (
    r"os|osob\w*|ludz\w*|uczn\w*|dziec\w*|wnuk\w*|gosc\w*|chlop\w*|kolez\w*|kumpl\w*|koleg\w*"
    r"|znajom\w*|pracowni\w*|facet\w*|pan\w*|rodzenst\w*|uczestni\w*|nas|glow\w*|bab\w*"
)
_UNITS: tuple[tuple[str, str], ...] = (
    ("%", r"%|proc\w*"),
    ("zl", r"zl|zlot\w*|pln|zeta|zet[ay]|euro|eur|gr|grosz\w*"),
    ("kg", r"kg|kilo|kilogram\w*"),
    ("km", r"km|kilometr\w*"),
    ("cm", r"cm|centymetr\w*"),
    ("m", r"m|metr\w*"),
    ("h", r"h|godz\w*"),
    ("min", r"min|minut\w*"),
    ("dni", r"dni\w*|dzien\w*|dob\w*"),
    ("mies", r"mies\w*"),
    ("lat", r"lat\w*|rok\w*"),
    ("l", r"l|litr\w*"),
    ("t", r"t|ton\w*"),
    ("deg", r"°c?|stopni\w*|kreski?|krese\w*"),
    ("rat", r"rat\w?"),
    ("osob", _PEOPLE),
)
_KINDS = tuple((kind, regex(pattern)) for kind, pattern in _UNITS)
KINDS = frozenset(kind for kind, _ in _UNITS)
"""The units that are known."""

_MEASURED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("kg", regex(r"\bwaz(?:y|yl\w*|a)\b")),
    (
        "zl",
        regex(
            r"\b(?:odklad\w*|zarabia\w*|(?<!ile )kosztuj\w*|kosztowal\w*|cen\w*|place|placi\w*|"
            r"zaplac\w*)\b"
        ),
    ),
    ("h", regex(r"\btrwa\w*\b")),
    ("lat", regex(r"\bwiek\w*\b")),
)
_CUE = regex(
    r"\b(po|z|ze|od|do|na|przez|przy|za|o|co|w|dla|miedzy|[a-z]\d?(?= ?=))\b ?(?:=|\w+ )?\W*$"
)
_BY = regex(r"^ ?(?:(?![ai] )[a-z]{1,2} )?(?:×|x|\*|na) ?$")
_SAME_CUES = {"ze": "z"}
_KIND_LETTERS = 4
_NAMED_UP_TO = 10
_FEW = frozenset("2345")
_NEGATIVE = regex(r"^\W{0,2}(?:stopni\w* )?(?:na minusie|mrozu|ponizej zera)")
_BEFORE = regex(
    r"\b([a-z]{4,})(?: (?:do|to|jest|ma|mial\w*|wynosi\w*|bedzie|byl\w*|"
    r"wzros\w*|spad\w*|rown\w+|wyniesie|wyszl\w*))*[ =:]*$"
)
_AFTER = regex(r" ?(?:[a-z%°]+[²³]? )?(?:za|od|na) (?:kazd\w+ |jed\w+ )?([a-z]{3,})")
_EACH = regex(
    r" (?:za|od) (?:kazd\w+ |jed\w+ )?(?:sztuk|kilo|kg|litr|metr|m2|osob|godzin|bilet|noc|dob|par)"
)
_STEM = 4
_MINUS = regex(r"(?:(?<![\w)])[-−–]|^[-−–] |\bminus )$")
_YEAR = range(1000, 2101)


@dataclass(frozen=True, kw_only=True, slots=True)
class Amount:
    """A number with its place.

    ``unit`` is what it counts, ``cue`` the preposition before it, ``near`` the beginnings of the
    words beside it.
    """

    value: Fraction
    start: int
    end: int
    unit: str = ""
    cue: str = ""
    pair: int = 0
    near: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The number as an expression has it."""
        return written(self.value)

    @property
    def is_year(self) -> bool:
        """Whether it looks like a year: no unit but of years, four figures."""
        return self.unit in {"", "lat", "r"} and self.value in _YEAR


def written(value: Fraction) -> str:
    """Write an exact number in the syntax of expressions."""
    if value.denominator == 1:
        return str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"Rational({value.numerator}, {value.denominator})"


@lru_cache(maxsize=128)  # every rule reads them
def read_amounts(text: str) -> tuple[Amount, ...]:
    """Return the numbers of a text, in figures and in words; "9 na 4" is two of one pair."""
    spelled = _spelled(text)
    folded = fold_evenly(spelled)
    found = [
        _amount(token, folded)
        for token in map(partial(_as_exponent, folded=folded), tokenise(spelled))
        if token.kind in {"number", "share"} and not _is_no_number(token, folded)
    ]
    return tuple(_paired(found, folded))


def _as_exponent(token: Token, folded: str) -> Token:
    """The number that an ordinal after "do" is: "do siódmej"."""
    value = read_number(token.text) if token.kind == "ordinal" else None
    if value is None or not re.search(r"(?<!jednego )\bdo $", folded[: token.start]):
        return token
    return replace(token, kind="number", text=str(value))


def _is_no_number(token: Token, folded: str) -> bool:
    """Whether a number only points or names: "jednym a drugim", "cm3", "trzy zera"."""
    said, after = folded[token.start : token.end], folded[token.end :]
    is_in_name = said[0].isdigit() and folded[: token.start][-1:].isalpha()
    before = folded[: token.start]
    if token.text in _FEW and re.search(r"\b(?:tych|tymi|calej|wszystkich) $", before):
        return True
    if token.text == "2" and re.search(r"\b(?:te|tym) $", before):
        return True
    is_of_figures = re.match(r" ?(?:zer[oa]?|cyfr\w*)\b", after) is not None
    return (
        (said.startswith("jed") and token.text == "1")
        or is_in_name
        or is_of_figures
        or said.startswith("zer")
    )


def _spelled(text: str) -> str:
    """The text with "dwunastka" as "dwunasty", and a range of years as two numbers."""
    text = re.sub(r"(?<=\d)\s?[–-]\s?(?=\d)", lambda gap: ";".ljust(len(gap[0])), text)
    text = re.sub(r"(?<=\d),(?=\s|$)", ";", text)
    text = re.sub(r"(?<=\d)[xX](?=\d)", "×", text)
    text = _without_compounds(text)
    text = _TEENS.sub(lambda found: f"{found[1]}ie".ljust(len(found[0])), text)

    def mended(found: re.Match[str]) -> str:
        ordinal = f"{found[1]}y"
        value = read_number(ordinal) if ordinal in NUMBER_WORDS else None
        is_named = value is None or value <= _NAMED_UP_TO
        return found[0] if is_named else ordinal.ljust(len(found[0]))

    folded = fold_evenly(text)
    parts, at = [], 0
    for found in _COLLECTIVE.finditer(folded):
        said = mended(found)
        parts += [
            text[at : found.start()],
            said if said != found[0] else text[found.start() : found.end()],
        ]
        at = found.end()
    return "".join((*parts, text[at:]))


def _without_compounds(text: str) -> str:
    """The text with "czteroosobowa" as "4 osob", padded to its length."""
    folded = fold_evenly(text)
    for found in reversed(list(COMPOUND.finditer(folded))):
        said = count_compound(found)
        if len(said) <= len(found[0]) and not found[0][0].isdigit():
            text = f"{text[: found.start()]}{said.ljust(len(found[0]))}{text[found.end() :]}"
    return text


def _amount(token: Token, folded: str) -> Amount:
    before, after = folded[: token.start], folded[token.end :]
    value, end = Fraction(token.text), token.end
    scale = re.match(r" ?(tys|mln|milion|mld|miliard)[a-z]*\.?", after)
    if scale:
        value *= 10 ** dict(_SCALES)[scale[1]]
        end, after = token.end + scale.end(), after[scale.end() :]
    is_minus = _MINUS.search(before)
    if is_minus or _NEGATIVE.match(after):
        value = -abs(value)
    cue = _CUE.search(before[-24:])
    word = cue[1] if cue else ""
    unit = _unit(after) or _measured(before)
    return Amount(
        value=abs(value) if unit == "%" else value,
        start=is_minus.start() if is_minus else token.start,
        end=end,
        unit=unit,
        cue=_SAME_CUES.get(word, word),
        near=_near(before, after),
    )


def _near(before: str, after: str) -> frozenset[str]:
    """The beginnings of the noun before a number and of the one that it is for: "za metr"."""
    head, tail = _BEFORE.search(before), _AFTER.match(after)
    found = [one[1][:_STEM] for one in (head, tail) if one is not None]
    return frozenset(found)


def _unit(after: str) -> str:
    """What is counted: the kind of a known unit, else the beginning of the next word."""
    following = re.match(r"[ -]?(%|°c?|[a-z]+)(?:[ -]([a-z]+))?", after)
    if following is None:
        return ""
    if following[1] in {"za", "od"} and _EACH.match(after):
        return "zl"
    for word in filter(None, following.groups()):
        for kind, pattern in _KINDS:
            if pattern.fullmatch(word):
                return kind
        if not re.fullmatch(r"(?:.*(?:ych|ich|owe|ne|a|y)|na|x|i|z|do)", word):
            break
    first = following[1]
    return "" if len(first) <= 2 else first[:_KIND_LETTERS]  # noqa: PLR2004 - a preposition


def _measured(before: str) -> str:
    clause = re.split(r"[,.;]", before)[-1]
    return next((kind for kind, pattern in _MEASURED if pattern.search(clause)), "")


def _paired(found: list[Amount], folded: str) -> list[Amount]:
    """Mark the two sides of a measure: "30 × 30 cm", "42 m na 65 m"."""
    for at in range(len(found) - 1):
        one, other = found[at], found[at + 1]
        is_measure = one.unit in LENGTHS or one.unit not in KINDS
        if is_measure and not one.pair and _BY.match(folded[one.end : other.start]):
            unit = one.unit if one.unit in LENGTHS else other.unit
            found[at] = replace(one, pair=1, cue="", unit=unit)
            found[at + 1] = replace(other, pair=2, cue="", unit=unit)
    return found
