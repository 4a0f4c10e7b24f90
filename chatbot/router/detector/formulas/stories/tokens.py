"""A story as the network reads it: its words and quantities in a row, and what is seen of each."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chatbot.router.detector.formulas.problems.statement import Statement
from chatbot.router.detector.formulas.stories.cues import CUES, cues_of
from chatbot.router.detector.formulas.stories.quantities import (
    WORD,
    Seen,
    measure_of,
    see,
    stem,
)

MOST_GROUPS = 6
"""Units of a story that are told apart; further ones share the last group."""

TRAITS = 7 + len(CUES)
"""How many numbers describe a token beside its names: seven, then one for each group of cues."""

_UNIT = 4
_LONGEST_UNINFLECTED = 3
_ENDING = 2
_TELLING = frozenset({1, 2, 3, 4, 7, 10, 12, 24, 60, 100, 1000})
_YEARS = range(1900, 2101)


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A word, a mark or a quantity of a story.

    ``names`` are its stem, its ending and what it measures, ``place`` is that of the quantity,
    -1 for a word, ``group`` tells which quantities have one unit, and words of it, from 1.
    ``traits`` has `TRAITS` numbers.
    """

    names: tuple[str, str, str]
    place: int
    group: int
    traits: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Word:
    text: str
    place: int
    is_asking: bool

    @property
    def beginning(self) -> str:
        """What forms of one word share; empty for short words and marks."""
        return self.text[:_UNIT] if len(self.text) > _LONGEST_UNINFLECTED and self.is_word else ""

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha()


def tokens_of(statement: Statement) -> list[Token]:
    """Take a statement apart into tokens, each quantity one of them."""
    seen = [see(one) for one in statement.quantities]
    words = _words(statement, seen)
    beginnings = Counter(word.beginning for word in words)
    asked = {word.beginning for word in words if word.is_asking} - {""}
    groups: dict[str, int] = {}
    for one in seen:
        if one.unit:
            groups.setdefault(one.unit, min(len(groups) + 1, MOST_GROUPS))
    found: list[Token] = []
    for word, before in zip(words, [None, *words], strict=False):
        if word.place >= 0:
            found.append(_quantity(word, seen, groups, asked))
        else:
            is_counted = before is not None and before.place >= 0
            is_repeated = bool(word.beginning) and beginnings[word.beginning] > 1
            found.append(_word(word, groups, asked, flags=(is_repeated, is_counted)))
    return found


def _words(statement: Statement, seen: Sequence[Seen]) -> list[_Word]:
    question = statement.question.strip()
    asking = statement.words.rfind(question) if question else len(statement.words)
    words: list[_Word] = []
    told: set[int] = set()
    for match in WORD.finditer(statement.words):
        place = -1
        if match[0][0].isdigit():
            over = [at for at, one in enumerate(seen)
                    if match.start() < one.end and match.end() > one.start]  # fmt: skip
            place = max(over, default=-1)
        if place >= 0 and place in told:
            continue
        told.add(place)
        words.append(_Word(text=match[0], place=place, is_asking=match.start() >= asking >= 0))
    return words


def _quantity(
    word: _Word, seen: Sequence[Seen], groups: Mapping[str, int], asked: set[str]
) -> Token:
    one = seen[word.place]
    values = [each.value for each in seen]
    is_known = not any(map(math.isnan, values))
    order = (
        sorted(range(len(values)), key=lambda at: values[at]) if is_known else [*range(len(values))]
    )
    flags = (
        word.is_asking,
        bool(one.unit) and one.unit in asked,
        sum(each.unit == one.unit for each in seen if one.unit) > 1,
        order[0] == word.place,
        order[-1] == word.place,
        0.0 if math.isnan(one.value) else math.log10(one.value + 0.001) / 3,
        word.place == len(seen) - 1,
    )
    return Token(
        names=(f"#{one.shape}", f"#{_size(one.value)}", f"m{one.measure}"),
        place=word.place,
        group=groups.get(one.unit, 0),
        traits=(*map(float, flags), *(0.0,) * len(CUES)),
    )


def _word(
    word: _Word, groups: Mapping[str, int], asked: set[str], *, flags: tuple[bool, bool]
) -> Token:
    measure = measure_of(word.text) if word.is_word else "mark"
    told = (
        word.is_asking, not word.is_asking and word.beginning in asked, *flags, False, 0.0, False,
    )  # fmt: skip
    cues = cues_of(word.text)
    return Token(
        names=(
            stem(word.text),
            word.text[-_ENDING:] if len(word.text) > _LONGEST_UNINFLECTED else "",
            f"w{measure}",
        ),
        place=-1,
        group=groups.get(word.text[:_UNIT], 0),
        traits=(*map(float, told), *(float(cue in cues) for cue in CUES)),
    )


def _size(value: float) -> str:
    """What kind of number it is."""
    if math.isnan(value):
        return "none"
    if value in _TELLING:
        return f"{value:g}"
    if value != int(value):
        return "part" if value < 1 else "decimal"
    return "year" if value in _YEARS else f"{min(len(str(int(value))), 4)} digits"
