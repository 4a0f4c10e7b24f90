"""What kind of thing a question asks about, told by all its words but the name of that thing."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.readings import readings_of
from chatbot.router.detector.spans import Span
from chatbot.router.dialogue.articles.name_kinds import NAME_KINDS
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "question_kinds.npz"

Scores = NDArray[np.float64]


class QuestionKinds:
    """A multinomial logit over the kinds of names; immutable, deterministic."""

    def __init__(self, names: Sequence[str], weights: Scores, bias: Scores, usual: Scores) -> None:
        """Take the weights of each word for each kind.

        Args:
            names: Words and pairs of words, in the order of the rows.
            weights: Shape (words, kinds), the kinds in the order of `NAME_KINDS`.
            bias: Shape (kinds,).
            usual: How often questions ask about each kind, as logarithms, shape (kinds,).
        """
        self._rows = {name: row for row, name in enumerate(names)}
        self._weights, self._bias, self._usual = weights, bias, usual

    @classmethod
    def load(cls, source: Traversable | None = None) -> "QuestionKinds":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.dialogue.articles") / WEIGHTS
        return cls.from_arrays(read_arrays(where))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "QuestionKinds":
        """Build from the arrays that training writes."""
        weights, bias, usual = (
            arrays[name].astype(np.float64) for name in ("weights", "bias", "usual")
        )
        return cls(read_lines(arrays, "names"), weights, bias, usual)

    def fits(self, words: frozenset[str]) -> Mapping[str, float]:
        """Return how much likelier each kind is than in any question, as logarithms.

        Args:
            words: What `read_words` has read.
        """
        rows = [self._rows[name] for name in sorted(words) if name in self._rows]
        scores = self._bias + self._weights[rows].sum(axis=0)
        scores -= scores.max()
        scores -= np.log(np.exp(scores).sum())
        return dict(zip(NAME_KINDS, (scores - self._usual).tolist(), strict=True))


def read_words(words: Sequence[Span]) -> frozenset[str]:
    """Return the words of a question in base form, their pairs, and the genders of past verbs."""
    return frozenset(_read(words))


def _read(words: Sequence[Span]) -> Iterator[str]:
    before = ""
    for word in words:
        if not word.text[0].isalnum():
            continue
        readings = readings_of(word.text)
        lemma = base(word)
        yield lemma
        if before:
            yield f"{before}_{lemma}"
        for one in readings:
            if one.pos == "praet":
                yield from (
                    f"+{gender[0]}{number}" for gender in one.genders for number in one.numbers
                )
        before = lemma


def base(word: Span) -> str:
    """Return the base form of a word; "#" for a number, "?" for a word that no dictionary has."""
    if word.text[0].isdigit():
        return "#"
    return min((one.lemma.lower() for one in readings_of(word.text)), default="?")


@cache
def question_kinds() -> QuestionKinds:
    """Return the packaged model, read once."""
    return QuestionKinds.load()
