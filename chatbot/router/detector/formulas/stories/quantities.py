"""A quantity of a story as the model sees it: its measure, its value, the words around it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chatbot.language.patterns import regex
from chatbot.router.detector.formulas.problems.amounts.units import unit_of
from chatbot.router.detector.formulas.problems.statement import Quantity
from chatbot.router.detector.formulas.stories.cues import cues_of

LARGEST = 1e15
"""Stories with larger numbers are not read."""

WORD = regex(r"%|[a-z]+|[\d.]+(?:/\d+)?|[,.?!;:()]")
"""A word, a number or a mark of a folded text."""
_STEM = 5
_NEAR = 3
_REACH = 6
_UNIT = 4
_YEARS = range(1900, 2101)
_ROUND = frozenset({1, 2, 3, 10, 100, 1000})
_TELLING = frozenset({1, 2, 7, 10, 12, 24, 30, 60, 100, 365, 1000})


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """One quantity: ``unit`` is the beginning of its word, ``measure`` what that measures.

    ``before`` and ``after`` are stems of the nearest words, the cues those of some more.
    """

    unit: str
    measure: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    is_each: bool
    value: float
    start: int
    end: int
    cues_before: tuple[str, ...]
    cues_after: tuple[str, ...]

    @property
    def shape(self) -> str:
        """What it measures, and whether it is so much of each."""
        return f"{self.measure}{'/' if self.is_each else ''}"


def see(one: Quantity) -> Seen:
    """Return a quantity as the model sees it."""
    words, following = words_of(one.before), words_of(one.after)
    return Seen(
        unit=one.unit[:_UNIT],
        measure=measure_of(one.unit),
        before=tuple(map(stem, words[-_NEAR:])),
        after=tuple(map(stem, following[: _NEAR + 1])),
        is_each=one.is_each,
        value=value_of(one),
        start=one.end - len(one.text.strip("()")),
        end=one.end,
        cues_before=cues_in(_until(words[::-1])),
        cues_after=cues_in(_until(following)),
    )


def signs_of(
    one: Seen,
    at: int,
    every: Sequence[Seen],
    asking: Sequence[str],
    asked: str,
    *,
    cues: Sequence[str],
) -> Iterator[str]:
    """Yield what is said of a quantity, the one at a place among all.

    Args:
        one: The quantity.
        at: Its place.
        every: All of them.
        asking: Stems of the question's words.
        asked: What the question asks for.
        cues: Groups of words in the question.
    """
    many = min(len(every), 6)
    yield from ("1", f"u {one.unit}", f"m {one.shape}", f"m {one.shape} ask {asked}")
    yield f"at {min(at, 4)} of {many}"
    for side, near in (("cb", one.cues_before), ("ca", one.cues_after)):
        for cue in near:
            yield f"{side} {cue}"
            yield f"{side} {cue} {one.shape}"
    for side, words in (("b", one.before[::-1]), ("a", one.after)):
        for far, word in enumerate(words, 1):
            yield f"{side}{far} {word}"
            yield f"{side} {word}"
    if one.before and one.after:
        yield f"x {one.before[-1]} {one.after[0]}"
    yield f"asked {one.unit in {word[:_UNIT] for word in asking} if one.unit else None}"
    yield f"like {sum(other.unit == one.unit for other in every) - 1} of {many}"
    is_asked = bool(one.unit) and one.unit in {word[:_UNIT] for word in asking}
    for cue in cues:
        yield f"qc {cue} {one.shape}"
        yield f"qc {cue} {is_asked} {min(at, 3)} {many}"
    value = one.value
    yield f"v {value == int(value)} {value in _ROUND} {value < 1} {value in _YEARS}"
    yield f"v {value:.6g}" if value in _TELLING else "v other"


def words_of(text: str) -> list[str]:
    """Return words, numbers and marks of a folded text."""
    return WORD.findall(text)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the beginning of a word, which its forms share; a sign for any number."""
    return "#" if word[0].isdigit() else word[:_STEM]


def cues_in(words: Sequence[str]) -> tuple[str, ...]:
    """Return the groups that words belong to, each once."""
    return tuple(dict.fromkeys(cue for word in words for cue in cues_of(word)))


def _until(words: Sequence[str]) -> list[str]:
    """The nearest words up to the next number or the end of the sentence."""
    found: list[str] = []
    for word in words[:_REACH]:
        if word[0].isdigit() or word in ".?!;":
            break
        found.append(word)
    return found


@lru_cache(maxsize=2048)
def measure_of(unit: str) -> str:
    """Return what a folded unit measures: "money", "length2"; "%", "things", or "bare" for none."""
    if not unit:
        return "bare"
    if unit == "%":
        return unit
    found = unit_of(unit)
    if found is None:
        return "things"
    return "".join(
        f"{name}{power if power > 1 else ''}" for name, power in found.dimensions.items()
    )


def value_of(quantity: Quantity) -> float:
    """Return the number as it enters a calculation, a percentage as a share; NaN if it is none."""
    above, _, below = quantity.text.strip("()").partition("/")
    if below and not float(below):
        return math.nan
    value = float(above) / float(below or 1)
    return value / 100 if quantity.unit == "%" else value


def text_of(quantity: Quantity) -> str:
    """Return the number as a calculation is written with it, a percentage as a share."""
    text = quantity.text.strip("()")
    return f"{text}/100" if quantity.unit == "%" else text
