"""A story or a conversation as the network reads it: words, quantities, what is seen of each."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chatbot.router.detector.formulas.problems.statement import Quantity, Statement
from chatbot.router.detector.formulas.stories.cues import CUES, cues_of
from chatbot.router.detector.formulas.stories.quantities import (
    WORD,
    Seen,
    measure_of,
    see,
    stem,
)

MOST_GROUPS = 8
"""Units of a story that are told apart; further ones share the last group."""

PARTS = 13
"""The story itself, then the calculation, the prompt and the reply of the exchanges before it."""

_PAST = 3
TRAITS = 7 + len(CUES) + _PAST
"""How many numbers describe a token beside its names.

Seven, then one for each group of cues, then whether a quantity is the last result, an earlier one,
or what the last calculation was made of.
"""

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
    ``traits`` has `TRAITS` numbers, ``part`` is one of `PARTS`.
    """

    names: tuple[str, str, str]
    place: int
    group: int = 0
    traits: tuple[float, ...] = (0.0,) * TRAITS
    part: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A text: a story, or what was said before it; ``places`` are those of its quantities.

    -1 stands for a quantity that is not counted; one that is told again has its first place.
    """

    statement: Statement
    places: Sequence[int]
    part: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Worked:
    """A calculation that was made before, in postfix signs and places, and its result's place."""

    signs: Sequence[str | int]
    place: int
    value: float
    part: int


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


@dataclass(frozen=True, kw_only=True, slots=True)
class _Context:
    """What the tokens of all texts share.

    How often words occur, units, what is asked for; the places of the last results, of earlier
    ones, and of what the last calculations were made of.
    """

    beginnings: Mapping[str, int]
    groups: Mapping[str, int]
    asked: frozenset[str]
    past: tuple[frozenset[int], frozenset[int], frozenset[int]]


def tokens_of(statement: Statement) -> list[Token]:
    """Take a story apart into tokens, each quantity one of them."""
    return tokens_in([Said(statement=statement, places=range(len(statement.quantities)))])


def tokens_in(pieces: Sequence[Said | Worked]) -> list[Token]:
    """Take a conversation apart into tokens; what its last text asks for is asked for."""
    seen = [[see(one) for one in _quantities(piece)] for piece in pieces]
    words = [
        _words(piece.statement, own) if isinstance(piece, Said) else []
        for piece, own in zip(pieces, seen, strict=True)
    ]
    units = dict.fromkeys(one.unit for own in seen for one in own if one.unit)
    context = _Context(
        beginnings=Counter(word.beginning for own in words for word in own),
        groups={unit: min(at, MOST_GROUPS) for at, unit in enumerate(units, 1)},
        asked=frozenset(word.beginning for word in words[-1] if word.is_asking) - {""},
        past=_past([piece for piece in pieces if isinstance(piece, Worked)]),
    )
    found: list[Token] = []
    for piece, own, numbers in zip(pieces, words, seen, strict=True):
        if isinstance(piece, Worked):
            found += _calculation(piece)
        else:
            found += _text(piece, own, numbers, context)
    return found


def _past(made: Sequence[Worked]) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    latest = min((one.part for one in made), default=0)
    last = [one for one in made if one.part == latest]
    return (
        frozenset(one.place for one in last),
        frozenset(one.place for one in made if one.part != latest),
        frozenset(sign for one in last for sign in one.signs if isinstance(sign, int)),
    )


def _quantities(piece: Said | Worked) -> Sequence[Quantity]:
    return piece.statement.quantities if isinstance(piece, Said) else ()


def _text(
    piece: Said, words: Sequence[_Word], seen: Sequence[Seen], context: _Context
) -> Iterator[Token]:
    for word, before in zip(words, [None, *words], strict=False):
        if word.place >= 0:
            token, place = _quantity(word, seen, context), piece.places[word.place]
            past = (float(place in places) for places in context.past)
            traits = (*token.traits, *past)
            yield replace(token, place=place, traits=traits, part=piece.part)
        else:
            is_counted = before is not None and before.place >= 0
            token = _word(word, context, is_counted=is_counted)
            yield replace(token, part=piece.part) if piece.part else token


def _calculation(piece: Worked) -> Iterator[Token]:
    for sign in piece.signs:
        what = "#=" if isinstance(sign, int) else f"={sign}"
        place = sign if isinstance(sign, int) else -1
        yield Token(names=(what, "", "worked"), place=place, part=piece.part)
    size = f"#{_size(piece.value)}"
    yield Token(names=("#result", size, "worked"), place=piece.place, part=piece.part)


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


def _quantity(word: _Word, seen: Sequence[Seen], context: _Context) -> Token:
    one = seen[word.place]
    values = [each.value for each in seen]
    is_known = not any(map(math.isnan, values))
    order = (
        sorted(range(len(values)), key=lambda at: values[at]) if is_known else [*range(len(values))]
    )
    flags = (
        word.is_asking,
        bool(one.unit) and one.unit in context.asked,
        sum(each.unit == one.unit for each in seen if one.unit) > 1,
        order[0] == word.place,
        order[-1] == word.place,
        0.0 if math.isnan(one.value) else math.log10(one.value + 0.001) / 3,
        word.place == len(seen) - 1,
    )
    return Token(
        names=(f"#{one.shape}", f"#{_size(one.value)}", f"m{one.measure}"),
        place=word.place,
        group=context.groups.get(one.unit, 0),
        traits=(*map(float, flags), *(0.0,) * len(CUES)),
    )


def _word(word: _Word, context: _Context, *, is_counted: bool) -> Token:
    measure = measure_of(word.text) if word.is_word else "mark"
    is_repeated = bool(word.beginning) and context.beginnings[word.beginning] > 1
    told = (
        word.is_asking, not word.is_asking and word.beginning in context.asked,
        is_repeated, is_counted, False, 0.0, False,
    )  # fmt: skip
    cues = cues_of(word.text)
    return Token(
        names=(
            stem(word.text),
            word.text[-_ENDING:] if len(word.text) > _LONGEST_UNINFLECTED else "",
            f"w{measure}",
        ),
        place=-1,
        group=context.groups.get(word.text[:_UNIT], 0),
        traits=(*map(float, told), *(float(cue in cues) for cue in CUES), *(0.0,) * _PAST),
    )


def _size(value: float) -> str:
    """What kind of number it is."""
    if math.isnan(value):
        return "none"
    if math.isinf(value):  # of more figures than a float holds
        return "4 digits"
    if value in _TELLING:
        return f"{value:g}"
    if value != int(value):
        return "part" if value < 1 else "decimal"
    return "year" if value in _YEARS else f"{min(len(str(int(value))), 4)} digits"
