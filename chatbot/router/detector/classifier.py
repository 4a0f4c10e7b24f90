"""Say how likely each kind of prompt is: logistic regression over the prompt's features."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.features import letters, words
from chatbot.router.weight_file import read_arrays, read_lines

CLASSES = ("weather", "mathematics", "wikipedia", "image", "none")
WEIGHTS = "weights.npz"

Vector = NDArray[np.float32]


class Part:
    """One group of features: its vocabulary, inverse document frequencies and coefficients.

    Args:
        names: The features, in the order of the rows.
        idf: Inverse document frequency of each feature, shape (features,).
        coefficients: Shape (features, classes).
    """

    def __init__(self, names: Sequence[str], idf: Vector, coefficients: Vector) -> None:
        """Prepare the products that scoring needs."""
        self._rows = {name: row for row, name in enumerate(names)}
        self._squares = idf * idf
        self._products = coefficients * idf[:, None]

    def score(self, found: Sequence[str]) -> Vector:
        """Return the classes' scores of binary TF-IDF features of unit length."""
        rows = [row for name in found if (row := self._rows.get(name)) is not None]
        if not rows:
            return np.zeros(self._products.shape[1], dtype=np.float32)
        norm = np.sqrt(self._squares[rows].sum())
        scores: Vector = self._products[rows].sum(axis=0) / norm
        return scores


class Classifier:
    """Kinds of prompts and how likely each is; immutable, deterministic, safe in threads."""

    def __init__(
        self, *, letter_part: Part, word_part: Part, intercept: Vector, temperature: float
    ) -> None:
        """Take the two groups of features; ``temperature`` calibrates the probabilities."""
        self._letters = letter_part
        self._words = word_part
        self._intercept = intercept
        self._temperature = temperature
        self._cached = lru_cache(maxsize=64)(self._probabilities)

    @classmethod
    def load(cls, source: Traversable | None = None) -> "Classifier":
        """Read the packaged weights, or those of another file of the same form."""
        where = source or files("chatbot.router.detector") / WEIGHTS
        return cls.from_arrays(read_arrays(where))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "Classifier":
        """Build from the arrays that training writes."""
        return cls(
            letter_part=_read_part(arrays, "letters"),
            word_part=_read_part(arrays, "words"),
            intercept=arrays["intercept"].astype(np.float32),
            temperature=float(arrays["temperature"].astype(np.float32)[0]),
        )

    def probabilities(self, prompt: str) -> Mapping[str, float]:
        """Return the probability of each of `CLASSES`; they sum to 1."""
        return self._cached(prompt)

    def _probabilities(self, prompt: str) -> Mapping[str, float]:
        scores = (
            self._letters.score(letters(prompt))
            + self._words.score(words(prompt))
            + self._intercept
        )
        scores = scores / self._temperature
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        return MappingProxyType(dict(zip(CLASSES, shares.tolist(), strict=True)))


def _read_part(arrays: Mapping[str, NDArray[np.generic]], name: str) -> Part:
    vocabulary = read_lines(arrays, f"{name}_names")
    idf = arrays[f"{name}_idf"].astype(np.float32)
    return Part(vocabulary, idf, arrays[f"{name}_coefficients"].astype(np.float32))


@cache
def packaged_classifier() -> Classifier:
    """Return the packaged classifier, read once (0.1 s)."""
    return Classifier.load()
