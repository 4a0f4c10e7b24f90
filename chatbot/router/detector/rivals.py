"""What tells the topic among the likeliest phrases of a question, which rival each other."""

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from chatbot.language.folding import fold
from chatbot.router.detector.phrases import Phrases, kinds_of
from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span

MOST = 8
"""Phrases that are compared."""

_SIGNS = (
    "upper", "preposition", "determiner", "roman", "year", "number", "unknown",
    "asked", "category", "keeping", "time",
    "pos=subst", "pos=adj", "pos=fin", "pos=praet", "pos=inf", "pos=ger", "pos=conj", "pos=part",
    "pos=adv", "case=nom", "case=gen", "case=dat", "case=acc", "case=inst", "case=loc",
    "adj=nom", "adj=gen", "adj=loc",
    "label=imię", "label=nazwisko", "label=nazwa_geograficzna", "label=nazwa_pospolita",
)  # fmt: skip
"""What is told of single words: of a phrase's first and last, and of those around it."""

_COLUMN = MappingProxyType({name: at for at, name in enumerate(_SIGNS)})
_PREPOSITIONS = (
    "w", "we", "na", "o", "po", "z", "ze", "do", "od", "dla", "przez", "pod", "nad", "za", "przed",
    "miedzy", "pomiedzy", "przy", "u", "podczas", "bez", "wsrod", "wedlug", "koło",
)  # fmt: skip
_ASKING = (
    "kto", "kim", "co", "czym", "kiedy", "gdzie", "skad", "ile", "ilu", "jak", "jaki", "jaka",
    "jakie", "jakim", "jakiej", "ktory", "ktora", "ktore", "ktorym", "ktorej", "dlaczego", "czemu",
    "czy", "czyj", "czyja", "ktorego", "jakiego", "kogo", "komu", "dokad", "po", "czego", "kaj",
)  # fmt: skip
_TELLING = ("o", "chodzi", "hasło", "temat", "znaczy", "czyli", "albo", "nie", "tylko", "to")
_TURNING = frozenset({
    "ale", "tylko", "lecz", "chodzi", "glownie", "konkretnie", "raczej", "wlasciwie", "jednak",
    "interesuje", "ciekawi", "pytam", "pytanie", "przypomnij", "powiedz", "szukam", "czekaj",
    "zastanawia", "znaczy",
})  # fmt: skip
_SIGNS_BESIDE = ("", ",", ".", "?", "!", ":", "–", "-", "—", "„", '"', "”", "(", ")")
_ENDS = frozenset(".?!…")
_FAR = 20
_NONE = -99.0
_STEM = 6
_NOTHING = (0.0,) * len(_SIGNS)
Row = list[float]


def likeliest(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rows of the `MOST` likeliest phrases, the likeliest first."""
    order: NDArray[np.int64] = np.argsort(-scores, kind="stable")[:MOST]
    return order


def describe_rivals(
    phrases: Phrases, parts: NDArray[np.float64], rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return what is known of each of some phrases and of how it lies to the others.

    Args:
        phrases: All phrases of a question.
        parts: What makes up their scores, shape (spans, parts).
        rows: The likeliest of them, the likeliest first.

    Returns:
        Shape (rows, features).
    """
    places = [(int(phrases.starts[row]), int(phrases.ends[row])) for row in rows]
    scores = parts[rows].sum(axis=1)
    shares = np.exp(scores - scores[0])
    shares /= shares.sum()
    scene = _Scene(phrases.words)
    told = [
        [
            *_weighed(at, scores, shares),
            *_rivalry(at, places, scores),
            *scene.around(*place),
        ]
        for at, place in enumerate(places)
    ]
    relative = parts[rows] - parts[rows[0]]
    return np.hstack([np.array(told), parts[rows], relative, phrases.marks[rows]])


def _weighed(at: int, scores: NDArray[np.float64], shares: NDArray[np.float64]) -> Row:
    """Tell how likely a phrase is by itself, and how sure that is."""
    second = scores[1] if len(scores) > 1 else scores[0]
    entropy = -float((shares * np.log(np.maximum(shares, 1e-12))).sum())
    return [
        float(at),
        float(scores[at] - scores[0]),
        float(scores[at]),
        float(shares[at]),
        float(scores[0] - second),
        entropy,
    ]


def _rivalry(at: int, places: Sequence[tuple[int, int]], scores: NDArray[np.float64]) -> Row:
    """Tell how a phrase lies to the others: the best around it, in it, across and apart from it."""
    start, end = places[at]
    best = dict.fromkeys(("around", "in", "across", "before", "after"), _NONE)
    added = {"around": (0.0, 0.0), "in": (0.0, 0.0)}
    for other, (first, last) in enumerate(places):
        margin = float(scores[other] - scores[at])
        kind = _kind_of(places[at], places[other])
        if other == at or margin <= best[kind]:
            continue
        best[kind] = margin
        if kind in added:
            added[kind] = float(start - first), float(last - end)
    lead = places[0]
    apart = float(start - lead[1]) if start >= lead[1] else float(min(end - lead[0], 0))
    same = float((start == lead[0]) + 2 * (end == lead[1]))
    longer = float(end - start - (lead[1] - lead[0]))
    return [*best.values(), *added["around"], *added["in"], apart, same, longer]


def _kind_of(place: tuple[int, int], other: tuple[int, int]) -> str:
    """Name how another phrase lies to one."""
    (start, end), (first, last) = place, other
    if first <= start and end <= last:
        return "around"
    if start <= first and last <= end:
        return "in"
    if last <= start:
        return "before"
    return "after" if end <= first else "across"


class _Scene:
    """The words of a question, and what stands where in it."""

    def __init__(self, words: Sequence[Span]) -> None:
        self._words = words
        self._sentence = np.cumsum([0, *(word.text in _ENDS for word in words)]).tolist()
        self._asking = [_place(word.folded, _ASKING) for word in words]
        self._names = [word.is_capitalised for word in words]
        self._stems = stems_of(words)
        self._turns = [word.folded in _TURNING for word in words]
        self._questions = [at for at, word in enumerate(words) if word.text == "?"]
        self._is_small = not any(self._names[1:])

    def around(self, start: int, end: int) -> Row:
        """Tell of a phrase where it stands, its words, and those around it."""
        words, size = self._words, len(self._words)
        return [
            *self._standing(start, end),
            *self._asked(start, end),
            *self._told_again(start, end),
            *self._beside(start, end),
            float(len(words[start].text)),
            float(len(words[end - 1].text)),
            *_signs(words[start].text),
            *_signs(words[end - 1].text),
            *(_signs(words[start - 1].text) if start else _NOTHING),
            *(_signs(words[end].text) if end < size else _NOTHING),
            *(_signs(words[start + 1].text) if end - start > 1 else _NOTHING),
        ]

    def _standing(self, start: int, end: int) -> Row:
        """Tell where a phrase stands in the text, and where capital letters do."""
        size = len(self._words)
        asks = next((at for at in range(end, size) if self._words[at].text in _ENDS), None)
        within = sum(self._names[start:end])
        return [
            float(start),
            float(size - end),
            float(size),
            float(self._sentence[size] - self._sentence[start]),
            float(start - self._begin(start)),
            float(asks is not None and self._words[asks].text == "?"),
            float(sum(self._names)),
            float(within),
            float(within == end - start),
            float(self._is_small),
            float(sum(self._names[:start])),
            float(sum(self._names[end:])),
        ]

    def _asked(self, start: int, end: int) -> Row:
        """Tell by what words is asked before and after a phrase, and how far they are."""
        asked = [at for at in range(self._begin(start), start) if self._asking[at]]
        stop = min(end + _FAR, len(self._words))
        later = next((at for at in range(end, stop) if self._asking[at]), None)
        return [
            float(self._asking[asked[-1]]) if asked else 0.0,
            float(self._asking[asked[0]]) if asked else 0.0,
            float(start - asked[-1]) if asked else float(_FAR),
            float(_FAR if later is None else later - end),
            float(0 if later is None else self._asking[later]),
        ]

    def _beside(self, start: int, end: int) -> Row:
        """Tell which prepositions, words and marks are around a phrase."""
        before, second = self._at(start - 1), self._at(start - 2)
        return [
            float(_place(before, _PREPOSITIONS)),
            float(_place(second, _PREPOSITIONS)),
            float(_place(before, _TELLING)),
            float(_place(second, _TELLING)),
            float(_place(before, _SIGNS_BESIDE)),
            float(_place(self._at(end), _SIGNS_BESIDE)),
        ]

    def _told_again(self, start: int, end: int) -> Row:
        """Tell where the words of a phrase stand once more, and what was turned away from."""
        stems, phrase = self._stems, self._stems[start:end]
        places = range(len(stems) - len(phrase) + 1)
        again = [at for at in places if stems[at : at + len(phrase)] == phrase]
        turned = [at for at in range(start) if self._turns[at]]
        asked = self._questions[-1] if self._questions else None
        return [
            float(sum(at < start for at in again)),
            float(sum(at > start for at in again)),
            float(stems.count(phrase[-1]) - 1),
            float(stems.count(phrase[0]) - 1),
            float(start - turned[-1]) if turned else float(_FAR),
            float(len(turned)),
            float(sum(self._turns[end:])),
            -9.0 if asked is None else float(self._sentence[asked] - self._sentence[start]),
            float(len(self._questions)),
            float(len(set(stems[:start]) & set(phrase))),
            float(len(set(stems[end:]) & set(phrase))),
        ]

    def _begin(self, at: int) -> int:
        while at and self._words[at - 1].text not in _ENDS:
            at -= 1
        return at

    def _at(self, at: int) -> str:
        return self._words[at].folded if 0 <= at < len(self._words) else ""


def _place(word: str, among: Sequence[str]) -> int:
    return among.index(word) + 1 if word in among else 0


def stems_of(words: Sequence[Span]) -> tuple[str, ...]:
    """Return what the forms of each word have in common: "Warty" and "Warta" are one."""
    return tuple(_stem(word.text) for word in words)


@lru_cache(maxsize=8_192)
def _stem(word: str) -> str:
    return min((fold(one.lemma) for one in readings_of(word)), default=fold(word)[:_STEM])


@lru_cache(maxsize=8_192)
def _signs(word: str) -> tuple[float, ...]:
    found = [0.0] * len(_SIGNS)
    for name in kinds_of(word):
        at = _COLUMN.get(name)
        if at is not None:
            found[at] = 1.0
    return tuple(found)
