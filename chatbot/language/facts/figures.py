"""Reads one number of a text where it begins: in digits, words or Roman figures, or as a date."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from chatbot.language.facts.tokens import Token
from chatbot.language.numerals import is_number_word, read_number
from chatbot.language.patterns import regex

_ROMAN = regex(r"(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES: Mapping[str, int] = MappingProxyType({
    "I": 1,
    "V": 5,
    "X": 10,
    "L": 50,
    "C": 100,
    "D": 500,
    "M": 1000,
})
_BLANKS = regex(r"[ \u00a0\u202f\u2009]")
_DOTTED = regex(r"(\d{1,2})\.(\d{1,2})(?:\.(\d{4}|\d{2}))?")
_COMPOUND = regex(
    r"([a-z]{2,20})(?:krotn|letn|dniow|godzinn|minutow|procentow|stopniow|osobow|miesieczn|"
    r"tygodniow|pietrow|latk)\w*"
)
_JOINTS = frozenset({"i", "z", "przecinek"})
_MOST_WORDS = 8
_MOST_WORDS_AFTER_DIGITS = 3
_MOST_DIGITS = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One way to understand a number; what no arithmetic covers ("kilka", ½) is its own text.

    ``unit`` is one of `chatbot.language.facts.units`, "clock" (value: minutes) or
    "month 11" (a day).
    """

    value: Fraction | str
    unit: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A number where it stands: its readings, and the tokens ``start`` to ``end`` that say it."""

    readings: tuple[Reading, ...]
    start: int
    end: int


def read_figure(tokens: Sequence[Token], at: int) -> Figure | None:
    """The number that begins at ``at``, without its sign and unit; ``None``: none does."""
    token = tokens[at]
    match token.kind:
        case "sign":
            return _figure(token.text, at)
        case "clock":
            hours, minutes = map(int, token.text.split(":"))
            return _figure(Fraction(hours * 60 + minutes), at, unit="clock")
        case "date":
            _, month, day = map(int, token.text.split("-"))
            return _figure(Fraction(day), at, unit=f"month {month}")
        case "number":
            return _read_digits(tokens, at)
        case "word":
            return _read_words(tokens, at)
        case "mark" | "link":
            return None


def _figure(
    value: Fraction | str, at: int, *, unit: str | None = None, end: int | None = None
) -> Figure:
    return Figure(readings=(Reading(value=value, unit=unit),), start=at, end=end or at + 1)


def _read_digits(tokens: Sequence[Token], at: int) -> Figure:
    """Digits, with the magnitude or the half after them: "5 tysięcy", "1,2 mln", "2 i pół"."""
    text = _BLANKS.sub("", tokens[at].text)
    if dotted := _DOTTED.fullmatch(text):
        return _read_dotted(text, dotted, at)
    value = None if len(text) > _MOST_DIGITS else read_number(text)
    if value is None:
        return _figure(text, at)
    for end in range(min(at + 1 + _MOST_WORDS_AFTER_DIGITS, len(tokens)), at + 1, -1):
        rest = tokens[at + 1 : end]
        goes_on = rest[0].folded == "i" or is_number_word(rest[0].text)
        if goes_on and all(one.kind == "word" for one in rest):
            longer = read_number(" ".join([text, *(one.text for one in rest)]))
            if longer is not None:
                return _figure(Fraction(longer), at, end=end)
    return _figure(Fraction(value), at)


def _read_dotted(text: str, dotted: re.Match[str], at: int) -> Figure:
    """A date such as 21.11.2026; 7.12 may be a date, a time or a number."""
    first, second = int(dotted[1]), int(dotted[2])
    date = Reading(value=Fraction(first), unit=f"month {second}")
    if dotted[3]:
        return Figure(readings=(date,), start=at, end=at + 1)
    clock = Reading(value=Fraction(first * 60 + second), unit="clock")
    number = Reading(value=Fraction(text))
    return Figure(readings=(number, date, clock), start=at, end=at + 1)


def _read_words(tokens: Sequence[Token], at: int) -> Figure | None:
    token = tokens[at]
    if token.folded.startswith("kilk"):
        return _figure(token.folded[: len("kilkana")], at)
    if (compound := _COMPOUND.fullmatch(token.folded)) is not None:
        value = _read_head(compound[1])
        return None if value is None else _figure(value, at)
    if (roman := _read_roman(tokens, at)) is not None:
        return _figure(Fraction(roman), at)
    if not is_number_word(token.text) or _is_idiom(tokens, at):
        return None
    return _read_run(tokens, at)


def _read_run(tokens: Sequence[Token], at: int) -> Figure | None:
    """The longest run of number words that is one number."""
    run = at + 1
    while run < len(tokens) and run - at < _MOST_WORDS and _continues(tokens[run]):
        run += 1
    for end in range(run, at, -1):
        if tokens[end - 1].folded in _JOINTS:
            continue
        value = read_number(" ".join(token.text for token in tokens[at:end]))
        if value is not None:
            return _figure(Fraction(value), at, end=end)
    return None


def _continues(token: Token) -> bool:
    return token.kind == "word" and (token.folded in _JOINTS or is_number_word(token.text))


def _is_idiom(tokens: Sequence[Token], at: int) -> bool:
    """Whether no quantity is meant: "jeden z", "po pierwsze", "z drugiej strony"."""
    folded = tokens[at].folded
    before = tokens[at - 1].folded if at else ""
    after = tokens[at + 1].folded if at + 1 < len(tokens) else ""
    if after in {"strony", "slowem"} or (before == "po" and folded.endswith("e")):
        return True
    return after in {"z", "ze"} and folded.startswith(("jedn", "jeden"))


def _read_head(head: str) -> Fraction | None:
    """The number in "dwukrotny", "pięcioletni", "dwudziestoletni"."""
    for tried in (head, f"{head[:-1]}u", f"{head[:-1]}y", f"{head[:-1]}ech"):
        value = read_number(tried)
        if value is not None:
            return Fraction(value)
    return None


def _read_roman(tokens: Sequence[Token], at: int) -> int | None:
    """A Roman number; one letter alone only after a name or number, or before a common word."""
    text = tokens[at].text
    if not _ROMAN.fullmatch(text) or (len(text) == 1 and not _is_numbering(tokens, at)):
        return None
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(
        -value if value < after else value
        for value, after in zip(values, [*values[1:], 0], strict=True)
    )


def _is_numbering(tokens: Sequence[Token], at: int) -> bool:
    if tokens[at].opens or tokens[at].text not in "IVX":
        return False
    before = tokens[at - 1]
    after = tokens[at + 1].folded if at + 1 < len(tokens) else ""
    return before.is_capitalised or before.kind == "number" or after.startswith(("woj", "wiek"))
