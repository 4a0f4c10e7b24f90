"""Weigh every phrase of a question as its topic: a log-linear model, then boosted trees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.phrases import Phrases, find_phrases
from chatbot.router.detector.rivals import describe_rivals, likeliest
from chatbot.router.detector.spans import Span, split_words
from chatbot.router.detector.trees import BoostedTrees
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "topics.npz"
TREES = "topic_trees.npz"

INSIDE, FIRST, BEFORE, LAST, AFTER = range(5)
ROLES = 5
"""What a word is to a span: one of its words, its first, the one before it, its last, the next."""

CERTAIN = 0.7
"""How likely a phrase must be where the rules found nothing."""

Scores = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """The phrases of a text, their scores (shape: spans), and the place of the likely topic."""

    phrases: Phrases
    scores: Scores
    best: tuple[int, int] | None


class TopicModel:
    """Scores of spans as topics; immutable, deterministic, safe in threads."""

    def __init__(self, names: Sequence[str], weights: Scores, marks: Scores) -> None:
        """Take the features of words with their weights, and the weights of spans' marks.

        Args:
            names: Features of words, in the order of the rows.
            weights: Shape (features, roles).
            marks: Shape (marks,), in the order of `phrases.MARKS`.
        """
        self._rows = {name: row for row, name in enumerate(names)}
        self._weights = weights
        self._marks = marks

    @classmethod
    def load(cls, source: Traversable | None = None) -> "TopicModel":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.detector") / WEIGHTS
        return cls.from_arrays(read_arrays(where))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "TopicModel":
        """Build from the arrays that training writes."""
        names = read_lines(arrays, "names")
        weights, marks = arrays["weights"], arrays["marks"]
        return cls(names, weights.astype(np.float64), marks.astype(np.float64))

    def best(self, text: str, picked: tuple[int, int] | None) -> tuple[Span, ...]:
        """Return the words of the likeliest topic of a text.

        None where no phrase is likely: what the rules found then stays.

        Args:
            text: The question.
            picked: First word and end of what the rules take for the topic.
        """
        best = self.weigh(text, picked).best
        return () if best is None else split_words(text)[slice(*best)]

    def weigh(self, text: str, picked: tuple[int, int] | None) -> "Weighed":
        """Score every phrase of a text and say which is its topic, as `best` does."""
        phrases = find_phrases(text, picked)
        if not len(phrases.starts):
            return Weighed(phrases=phrases, scores=np.zeros(0), best=None)
        parts = self.parts(phrases)
        scores: Scores = parts.sum(axis=1)
        if picked is None and 1 / float(np.exp(scores - scores.max()).sum()) < CERTAIN:
            return Weighed(phrases=phrases, scores=scores, best=None)
        rows = likeliest(scores)
        told = topic_trees().score(describe_rivals(phrases, parts, rows))
        row = rows[told.argmax()]
        place = int(phrases.starts[row]), int(phrases.ends[row])
        return Weighed(phrases=phrases, scores=scores, best=place)

    def ranked(self, text: str, *, most: int) -> tuple[tuple[tuple[Span, ...], float], ...]:
        """Return the words of the likeliest topics of a text, each with its probability.

        They do not overlap. The rules' pick is not asked for.
        """
        phrases = find_phrases(text, None)
        if not len(phrases.starts):
            return ()
        scores = self.score(phrases)
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        found: list[tuple[tuple[Span, ...], float]] = []
        taken: set[int] = set()
        for row in shares.argsort()[::-1]:
            place = range(int(phrases.starts[row]), int(phrases.ends[row]))
            if taken.isdisjoint(place):
                taken.update(place)
                words = phrases.words[place.start : place.stop]
                found.append((words, float(shares[row])))
            if len(found) == most:
                break
        return tuple(found)

    def score(self, phrases: Phrases) -> Scores:
        """Return the score of every span, shape (spans,)."""
        scores: Scores = self.parts(phrases).sum(axis=1)
        return scores

    def parts(self, phrases: Phrases) -> Scores:
        """Return what makes up the score of every span, shape (spans, roles + 1).

        What its words say inside, as the first, the one before, the last and the one after it,
        then its marks.
        """
        roles = np.zeros((len(phrases.words) + 1, ROLES))  # an empty row before and after all
        for at, features in enumerate(phrases.features):
            rows = [row for name in features if (row := self._rows.get(name)) is not None]
            if rows:
                roles[at] = self._weights[rows].sum(axis=0)
        starts, ends = phrases.starts, phrases.ends
        inside = np.concatenate([[0.0], roles[:, INSIDE].cumsum()])
        told = [
            inside[ends] - inside[starts],
            roles[starts, FIRST],
            roles[starts - 1, BEFORE],
            roles[ends - 1, LAST],
            roles[ends, AFTER],
            phrases.marks @ self._marks,
        ]
        return np.stack(told, axis=1)


@cache
def topic_trees() -> BoostedTrees:
    """Return the packaged trees that decide between the likeliest phrases, read once."""
    return BoostedTrees.load(files("chatbot.router.detector") / TREES)


@cache
def topic_model() -> TopicModel:
    """Return the packaged model, read once."""
    return TopicModel.load()
