"""The words of the texts that a name may come from, and the spans of them that look like it."""

import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz import fuzz, process

from chatbot.language.patterns import regex
from chatbot.language.pieces import WORD
from chatbot.router.grounding.spelling import key

MOST_TEXTS = 12  # of all texts, those that come first
MOST_CHARACTERS = 1_000  # at either end of a text
MOST_WORDS = 200  # at either end of a text
MOST_WORDS_IN_ALL = 600
LONGEST = 5  # words of a span
_JOINT = regex(r"\s{1,3}|\s?[-–—]\s?|\.\s?")
_STOP = regex(r"[.!?…:\n]")
_MORE = 1  # a span may have so many words more or fewer than the name
_EDGES = frozenset(  # words that begin or end no name of several words
    """
    w we na do z ze od dla u o po za i a lub czy oraz albo jest sa byl byla to ten ta te nad pod
    przy przez ile jak jaka jaki jakie co kto gdzie kiedy jutro dzis dzisiaj pojutrze teraz
    """.split()  # noqa: SIM905 - a list of words reads best as a text
)
NEAR = 0.6  # of 1: spans worth a closer look
_BEST = 4  # spans worth a closer look
_PERCENT = 100.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Neighbouring words of a text.

    ``before`` is the word in front of them, or nothing; ``is_opening`` says that they begin a
    sentence, so that a capital letter tells nothing.
    """

    text: str
    key: str
    before: str
    is_opening: bool
    first: int
    size: int

    @property
    def is_capitalised(self) -> bool:
        """Whether the span begins with a capital letter."""
        return self.text[:1].isupper()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Word:
    text: str
    key: str
    line: str
    start: int
    end: int
    is_joined: bool
    is_opening: bool


class Texts:
    """The words of several texts, bounded: both ends of each of the first texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Read the texts; what stands first is preferred where two spans are equally good."""
        words = (word for text in texts[:MOST_TEXTS] for word in _outer(text))
        self._words = tuple(islice(words, MOST_WORDS_IN_ALL))
        self._ends = _ends_of_runs(self._words)
        self.keys = tuple(word.key for word in self._words)
        self._by_size: dict[int, dict[str, tuple[int, int]]] = {}

    def similar(self, wanted: str, *, cutoff: float = NEAR) -> Iterator[tuple[float, Span]]:
        """Yield the spans whose keys are like the key ``wanted``, best first, with 0 to 1.

        Only spans of about as many words are looked at.
        """
        size = wanted.count(" ") + 1
        sizes = range(max(1, size - _MORE), min(LONGEST, size + _MORE) + 1)
        spots = {k: at for one in sizes for k, at in self._spots(one).items()}
        found = process.extract(
            wanted, spots.keys(), scorer=fuzz.ratio, score_cutoff=cutoff * _PERCENT, limit=_BEST
        )
        for match, score, _ in found:
            span = self._span(*spots[match])
            if span.size == 1 or not _EDGES.intersection(_edges(span)):
                yield score / _PERCENT, span

    def known(self, names: Container[str]) -> Iterator[Span]:
        """Yield the spans whose keys are among ``names``, longest first."""
        for size in range(LONGEST, 0, -1):
            for plain, spot in self._spots(size).items():
                if plain in names:
                    yield self._span(*spot)

    def find(self, wanted: str) -> Span | None:
        """Return the first span that has the key ``wanted``."""
        size = wanted.count(" ") + 1
        spot = self._spots(size).get(wanted) if size <= LONGEST else None
        return None if spot is None else self._span(*spot)

    def around(self, span: Span) -> Iterator[Span]:
        """Yield the longer spans that hold ``span``, longest first."""
        for size in range(LONGEST, span.size, -1):
            for first in range(span.first + span.size - size, span.first + 1):
                if first >= 0 and first + size <= self._ends[first]:
                    yield self._span(first, size)

    def _spots(self, size: int) -> Mapping[str, tuple[int, int]]:
        """Return where a span of each key first stands, for spans of so many words."""
        known = self._by_size.get(size)
        if known is not None:
            return known
        spots: dict[str, tuple[int, int]] = self._by_size.setdefault(size, {})
        keys = self.keys
        for first, end in enumerate(self._ends):
            if first + size <= end:
                spots.setdefault(" ".join(keys[first : first + size]), (first, size))
        return spots

    def _span(self, first: int, size: int) -> Span:
        start, end = self._words[first], self._words[first + size - 1]
        return Span(
            text=start.line[start.start : end.end],
            key=" ".join(word.key for word in self._words[first : first + size]),
            before=self._words[first - 1].text if start.is_joined else "",
            is_opening=start.is_opening,
            first=first,
            size=size,
        )


def _edges(span: Span) -> tuple[str, ...]:
    """The keys of the first and the last word of a span; "Jana Pawła I" ends with a number."""
    first, last = span.key.partition(" ")[0], span.key.rpartition(" ")[2]
    return (first,) if span.text.endswith(" I") else (first, last)


def _ends_of_runs(words: Sequence[_Word]) -> tuple[int, ...]:
    """Tell for each word where the words end that are joined to it."""
    ends = [len(words)] * len(words)
    for place in range(len(words) - 2, -1, -1):
        ends[place] = ends[place + 1] if words[place + 1].is_joined else place + 1
    return tuple(ends)


def _outer(text: str) -> list[_Word]:
    """Read the words at the beginning and the end of a long text; all of a short one."""
    if len(text) <= 2 * MOST_CHARACTERS:
        words = _words(text)
        long = len(words) > 2 * MOST_WORDS
        return [*words[:MOST_WORDS], *_first(words[-MOST_WORDS:])] if long else words
    head = _words(text[:MOST_CHARACTERS].rpartition(" ")[0])
    tail = _words(text[-MOST_CHARACTERS:].partition(" ")[2])
    return [*head[:MOST_WORDS], *_first(tail[-MOST_WORDS:])]


def _first(words: list[_Word]) -> list[_Word]:
    """Part the first word from what stands before it in another piece of the text."""
    return [replace(words[0], is_joined=False), *words[1:]] if words else []


def _words(text: str) -> list[_Word]:
    line = unicodedata.normalize("NFC", text)
    matches = list(WORD.finditer(line))
    keys = key("|".join(match[0] for match in matches)).split("|")
    end: int | None = None
    words: list[_Word] = []
    for match, plain in zip(matches, keys, strict=bool(matches)):
        gap = None if end is None else line[end : match.start()]
        end = match.end()
        words.append(
            _Word(
                text=match[0],
                key=plain,
                line=line,
                start=match.start(),
                end=end,
                is_joined=gap == " " or (gap is not None and _JOINT.fullmatch(gap) is not None),
                is_opening=gap is None or _STOP.search(gap) is not None,
            )
        )
    return words
