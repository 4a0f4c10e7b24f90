"""Every span of words that may be a topic, with what the model of topics sees of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from chatbot.language.folding import fold
from chatbot.language.patterns import regex
from chatbot.language.sentences import sentence_ends
from chatbot.router.detector.nouns import (
    ASKED,
    CATEGORIES,
    DETERMINERS,
    INDEFINITE,
    INNER,
    KEEPING,
    PREPOSITIONS,
    TIMES,
    VAGUE,
)
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.detector.subjects import find_subjects
from chatbot.router.detector.titles import find_titles

LONGEST = 9
"""Words of a topic."""

MOST_WORDS = 80
"""Words of a text that are looked at."""

MARKS = (
    *(f"words={count}" for count in range(1, LONGEST + 1)),
    "picked", "in_picked", "around_picked", "across_picked", "quoted", "quote_inside", "capital",
    "sentence", "subject", "likeliest_subject", "person", "repeated", "finite",
    "cut_before", "cut_after", "cut_event", "cut_year", "with_year",
    "title", "in_title", "around_title", "across_title",
)  # fmt: skip
"""What is known of a span as a whole."""

_COLUMN = {name: at for at, name in enumerate(MARKS)}
_QUOTES = frozenset('„”"«»')
_KINDS = (
    ("asked", ASKED),
    ("category", CATEGORIES),
    ("keeping", KEEPING),
    ("time", TIMES),
)
_FINITE = frozenset({"fin", "praet", "impt", "inf", "bedzie", "imps"})
_NO_EDGES = VAGUE | DETERMINERS | PREPOSITIONS | {"rozni", "roznia"}
_OCCASIONS = frozenset({"raz", "razu", "razem"})
_APART = frozenset({"od", "niz", "czy"})
"""What stands between two topics: "mitoza od mejozy"."""
RECURRING = frozenset({
    "wybory", "mundial", "konkurs", "finał", "referendum", "mecz", "olimpiada", "euro",
    "mistrzostwo", "igrzysko", "igrzyska",
})  # fmt: skip
"""What takes place again and again: its year tells which one is meant."""
_EMPTY = ("wiki", "encyklop", "informacj", "pytani", "haslo", "hasla")
_SAME = 0.9
_SHORTEST_REPEATED = 4
_MOST_CHANGED = 4
_LEAST_SHARED = 2
_ORDINAL = regex(r"pierwsz|drug|trzec|ostatni|kolejn|czwart")
_ROMAN = regex(r"[IVXLCDM]+")
_YEAR_DIGITS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrases:
    """The words of a text, the features of each, and the spans that may be its topic.

    ``starts`` and ``ends`` have the shape (spans,); a span's last word is the one before its end.
    ``marks`` has the shape (spans, `MARKS`).
    """

    words: tuple[Span, ...]
    features: tuple[tuple[str, ...], ...]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    marks: NDArray[np.float64]


def find_phrases(text: str, picked: tuple[int, int] | None) -> Phrases:
    """Return every span of up to `LONGEST` words of one sentence, with its features.

    Args:
        text: The question.
        picked: First word and end of what the rules take for the topic.
    """
    words = split_words(text)[:MOST_WORDS]
    ends = sentence_ends(text)
    sentences = [sum(end <= word.start for end in ends) for word in words]
    is_edge = [
        _may_be_edge(word, is_first=at == 0 or sentences[at - 1] != sentences[at])
        for at, word in enumerate(words)
    ]
    found = [
        (start, end)
        for start in range(len(words))
        if is_edge[start]
        and not any(w.folded in INDEFINITE for w in words[max(start - 2, 0) : start])
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1)
        if is_edge[end - 1] and sentences[end - 1] == sentences[start]
        if not all(_is_time(word.text) for word in words[start:end])
        if not (words[end - 1].folded in _OCCASIONS and _ORDINAL.match(words[start].folded))
        if not any(word.folded in _APART for word in words[start:end])
    ]
    marker = _Marker(text, words, sentences, picked)
    marks = np.zeros((len(found), len(MARKS)))
    for row, (start, end) in enumerate(found):
        for name in marker.marks(start, end):
            marks[row, _COLUMN[name]] = 1
    return Phrases(
        words=words,
        features=tuple(_features(words, at, sentences) for at in range(len(words))),
        starts=np.array([start for start, _ in found], dtype=np.int64),
        ends=np.array([end for _, end in found], dtype=np.int64),
        marks=marks,
    )


def _may_be_edge(word: Span, *, is_first: bool) -> bool:
    """Whether a topic may begin or end with a word: no question word, verb or "Wikipedia"."""
    is_empty = word.folded.startswith(_EMPTY) and not word.folded.startswith("wiking")
    if not word.text[0].isalnum() or is_empty:
        return False
    if word.is_capitalised and not is_first:
        return True
    return word.folded not in _NO_EDGES and not _is_finite(word.text)


@lru_cache(maxsize=8_192)
def _is_time(word: str) -> bool:
    """Whether a word can belong to a date or century and says nothing else."""
    if word.isdigit() or _ROMAN.fullmatch(word):
        return True
    return any(one.lemma.lower() in TIMES for one in readings_of(word))


def with_year(words: Sequence[Span], phrase: Sequence[Span]) -> tuple[Span, ...]:
    """Add the year that tells which elections are meant: "wybory … w 1995 roku"."""
    if not phrase or not any(
        one.lemma in RECURRING for word in phrase[:2] for one in readings_of(word.text)
    ):
        return tuple(phrase)
    end = words.index(phrase[-1]) + 1
    later = [word.folded for word in words[end : end + 3]]
    if later and _is_year(later[0]):
        return (*phrase, words[end])
    is_dated = len(later) > 1 and later[0] in {"w", "z"} and _is_year(later[1])
    return (*phrase, *words[end : end + 2 + (later[2:] == ["roku"])]) if is_dated else tuple(phrase)


def align(words: Sequence[Span], phrase: str) -> tuple[int, int] | None:
    """Return first word and end of where a phrase stands in a text, in any case of its words."""
    wanted = split_words(phrase)
    best, found = 0.0, None
    for start in range(len(words) - len(wanted) + 1):
        pairs = zip(words[start : start + len(wanted)], wanted, strict=True)
        likeness = [_likeness(word.text, other.text) for word, other in pairs]
        if likeness and min(likeness) > 0 and sum(likeness) > best:
            best, found = sum(likeness), (start, start + len(wanted))
    return found


@lru_cache(maxsize=4_096)
def _likeness(word: str, other: str) -> float:
    """How likely a word is a form of another one, from 0 to 1."""
    left, right = fold(word), fold(other)
    if left == right:
        return 1.0
    if not (left[:1].isalpha() and right[:1].isalpha()):  # folding leaves nothing of a mark
        return 0.0
    if any(fold(one.lemma) == right for one in readings_of(word)):
        return _SAME
    shortest, longest = sorted((len(left), len(right)))
    shared = next((at for at in range(shortest) if left[at] != right[at]), shortest)
    is_changed = longest - shared <= _MOST_CHANGED and shared * 2 >= shortest
    return shared / longest if shared >= _LEAST_SHARED and is_changed else 0.0


def _features(words: Sequence[Span], at: int, sentences: Sequence[int]) -> tuple[str, ...]:
    """Name what is known of one word: itself, its kind, its neighbours, where it stands."""
    is_first = at == 0 or sentences[at - 1] != sentences[at]
    found = ["bias", *_own_features(words[at].text)]
    if words[at].is_capitalised:
        found.append("capital_first" if is_first else "capital")
    if is_first:
        found.append("first")
    found.append("in_last" if sentences[at] == sentences[-1] else "in_earlier")
    before = words[at - 1].folded if at else "^"
    second = words[at - 2].folded if at > 1 else "^"
    after = words[at + 1].folded if at + 1 < len(words) else "$"
    found += (f"b={before}", f"a={after}", f"b2={second}_{before}")
    if at:
        found += (f"b:{one}" for one in kinds_of(words[at - 1].text))
    if at + 1 < len(words):
        found += (f"a:{one}" for one in kinds_of(words[at + 1].text))
    return tuple(found)


@lru_cache(maxsize=8_192)
def _own_features(word: str) -> tuple[str, ...]:
    folded = fold(word)
    lemmas = sorted({fold(one.lemma) for one in readings_of(word)}) or [folded]
    names = (f"l={lemma}" for lemma in lemmas)
    return (f"t={folded}", *names, f"e={folded[-3:]}", *kinds_of(word))


@lru_cache(maxsize=8_192)
def kinds_of(word: str) -> tuple[str, ...]:
    """Name what kind of word one is: parts of speech, cases, labels, how it is written."""
    if word[0].isdigit():
        return ("year",) if len(word) == _YEAR_DIGITS else ("number",)
    if not word[0].isalpha():
        return (f"mark={word}",)
    readings = readings_of(word)
    found = {f"pos={one.pos}" for one in readings} or {"unknown"}
    found |= {f"case={case}" for one in readings if one.is_nominal for case in one.cases}
    found |= {f"adj={case}" for one in readings if one.is_adjectival for case in one.cases}
    found |= {f"label={label}" for one in readings for label in one.labels}
    lemmas = {one.lemma.lower() for one in readings}
    found |= {name for name, kind in _KINDS if lemmas & kind}
    folded = fold(word)
    found |= {"preposition"} if folded in PREPOSITIONS else set()
    found |= {"determiner"} if folded in DETERMINERS else set()
    found |= {"roman"} if _ROMAN.fullmatch(word) else set()
    found |= {"upper"} if word[0].isupper() else set()
    return tuple(sorted(found))


class _Marker:
    """Says what is known of the spans of one text as wholes."""

    def __init__(
        self,
        text: str,
        words: Sequence[Span],
        sentences: Sequence[int],
        picked: tuple[int, int] | None,
    ) -> None:
        self._words = words
        self._sentences = sentences
        self._picked = picked
        self._titles = [(one.start, one.end) for one in find_titles(words)]
        self._subjects = _subjects(text, words)
        self._is_finite = [_is_finite(word.text) for word in words]
        self._is_repeated = [_is_repeated(words, at) for at in range(len(words))]

    def marks(self, start: int, end: int) -> Iterator[str]:
        """Give the marks of one span."""
        yield f"words={end - start}"
        if self._picked is not None:
            yield from _places((start, end), self._picked, "picked")
        for one in self._titles:
            yield from _places((start, end), one, "title")
        is_likeliest = self._subjects.get((start, end))
        if is_likeliest is not None:
            yield "subject"
        if is_likeliest:
            yield "likeliest_subject"
        if any(self._is_finite[start:end]):
            yield "finite"
        if self._is_repeated[start]:
            yield "repeated"
        yield from self._written(start, end)
        yield from self._cut(start, end)

    def _cut(self, start: int, end: int) -> Iterator[str]:
        """Say where a span leaves out what may belong to it: "bitwa" of "bitwa pod Wiedniem"."""
        words = self._words
        before = words[start - 1] if start else None
        after = words[end] if end < len(words) else None
        if before and before.is_capitalised and start > 1 and words[start].is_capitalised:
            yield "cut_before"
        if after and after.is_capitalised and words[end - 1].is_capitalised:
            yield "cut_after"
        heads = {one.lemma for one in readings_of(words[start].text)}
        if not heads & (KEEPING | RECURRING):
            return
        if after and after.folded in INNER and heads & KEEPING:
            yield "cut_event"
        if any(_is_year(word.text) for word in words[start:end]):
            yield "with_year"
        elif any(_is_year(word.text) for word in words[end : end + 2]):
            yield "cut_year"

    def _written(self, start: int, end: int) -> Iterator[str]:
        words = self._words
        inner = words[start:end]
        is_opened = start > 0 and words[start - 1].text in _QUOTES
        if is_opened and end < len(words) and words[end].text in _QUOTES:
            yield "quoted"
        if any(word.text in _QUOTES for word in inner):
            yield "quote_inside"
        if all(word.is_capitalised for word in inner):
            yield "capital"
            if len(inner) > 1 and "label=imię" in kinds_of(inner[0].text):
                yield "person"
        is_begun = start == 0 or self._sentences[start - 1] != self._sentences[start]
        if is_begun and (end == len(words) or not words[end].text[0].isalnum()):
            yield "sentence"


def _places(span: tuple[int, int], other: tuple[int, int], name: str) -> Iterator[str]:
    """Name how a span lies to another one, if they share a word."""
    (start, end), (first, last) = span, other
    if span == other:
        yield name
    elif first <= start and end <= last:
        yield f"in_{name}"
    elif start <= first and last <= end:
        yield f"around_{name}"
    elif start < last and first < end:
        yield f"across_{name}"


def _subjects(text: str, words: Sequence[Span]) -> dict[tuple[int, int], bool]:
    """Find the noun phrases of every sentence; true for the likeliest of each."""
    at_start = {word.start: at for at, word in enumerate(words)}
    found: dict[tuple[int, int], bool] = {}
    for begin, end in pairwise((0, *sentence_ends(text), len(text))):
        for rank, one in enumerate(find_subjects(text[begin:end])):
            first = at_start.get(begin + one.words[0].start)
            last = at_start.get(begin + one.words[-1].start)
            if first is not None and last is not None:
                found[first, last + 1] = rank == 0
    return found


def _is_year(word: str) -> bool:
    return len(word) == _YEAR_DIGITS and word.isdigit()


@lru_cache(maxsize=8_192)
def _is_finite(word: str) -> bool:
    readings = readings_of(word)
    return bool(readings) and all(one.pos in _FINITE for one in readings)


def _is_repeated(words: Sequence[Span], at: int) -> bool:
    """Whether a word stands in the text once more, in any form: "turbina Kaplana … Kaplan"."""
    word = words[at].text
    return len(word) >= _SHORTEST_REPEATED and any(
        _likeness(word, other.text) >= _SAME
        for place, other in enumerate(words)
        if place != at and len(other.text) >= _SHORTEST_REPEATED
    )
