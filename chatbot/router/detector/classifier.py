"""Say how likely each kind of prompt is: logistic regression over the prompt's features."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.features import SIZES, lettered, words
from chatbot.router.weight_file import read_arrays, read_lines

CLASSES = ("weather", "mathematics", "wikipedia", "image", "none")
WEIGHTS = "weights.npz"
_LONGEST = max(SIZES)

Vector = NDArray[np.float32]


class Words:
    """The features that are strings: their inverse document frequencies and coefficients.

    Args:
        names: The features, in the order of the rows.
        idf: Inverse document frequency of each feature, shape (features,).
        coefficients: Shape (features, classes).
    """

    def __init__(self, names: Sequence[str], idf: Vector, coefficients: Vector) -> None:
        """Prepare the products that scoring needs."""
        self._rows = {name: row for row, name in enumerate(names)}
        self._table = _table(idf, coefficients)

    def score(self, found: Sequence[str]) -> Vector:
        """Return the classes' scores of binary TF-IDF features of unit length."""
        rows = [row for name in found if (row := self._rows.get(name)) is not None]
        return _score(self._table, np.array(rows, dtype=np.intp))


class Letters:
    """The letter n-grams, as `Words` its features; a text's are looked up all at once.

    An n-gram is a whole number whose digits are its letters' places in the alphabet of all
    n-grams, so that no string is made of each.
    """

    def __init__(self, names: Sequence[str], idf: Vector, coefficients: Vector) -> None:
        """Prepare what scoring needs; the arguments are those of `Words`.

        Raises:
            ValueError: the alphabet is too large for numbers of 64 bits.
        """
        letters = np.array(names, dtype=f"U{_LONGEST}").view(np.uint32).reshape(-1, _LONGEST)
        self._alphabet = np.unique(letters)  # the first, 0, follows n-grams that are shorter
        base = len(self._alphabet) + 1  # one more, for all other letters
        if base**_LONGEST > np.iinfo(np.int64).max:
            raise ValueError(f"{base} different letters are too many for n-grams of {_LONGEST}")
        self._scales = [base**power for power in reversed(range(_LONGEST))]
        codes = np.searchsorted(self._alphabet, letters) @ self._scales
        order = np.argsort(codes)
        self._codes = codes[order]
        self._table = _table(idf, coefficients)[order]

    def score(self, text: str) -> Vector:
        """Return the classes' scores of the binary TF-IDF n-grams of a text, of unit length."""
        codes = self._read(text)
        rows = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return _score(self._table, rows[self._codes[rows] == codes])

    def _read(self, text: str) -> NDArray[np.int64]:
        """Return the distinct n-grams of a text, in the order of their numbers."""
        written = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
        letters = np.minimum(np.searchsorted(self._alphabet, written), len(self._alphabet) - 1)
        letters[self._alphabet[letters] != written] = len(self._alphabet)
        grams: list[NDArray[np.int64]] = []
        sums: NDArray[np.int64] = np.zeros(len(letters) + 1, dtype=np.int64)
        for at, scale in enumerate(self._scales):
            sums = sums[:-1] + letters[at:] * scale
            if at + 1 in SIZES:
                grams.append(sums)
        codes = np.concatenate(grams)
        codes.sort()
        is_new = np.ones(len(codes), dtype=np.bool_)
        np.not_equal(codes[1:], codes[:-1], out=is_new[1:])
        return codes[is_new]


class Classifier:
    """Kinds of prompts and how likely each is; immutable, deterministic, safe in threads."""

    def __init__(
        self, *, letter_part: Letters, word_part: Words, intercept: Vector, temperature: float
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
            letter_part=Letters(*_read_part(arrays, "letters")),
            word_part=Words(*_read_part(arrays, "words")),
            intercept=arrays["intercept"].astype(np.float32),
            temperature=float(arrays["temperature"].astype(np.float32)[0]),
        )

    def probabilities(self, prompt: str) -> Mapping[str, float]:
        """Return the probability of each of `CLASSES`; they sum to 1."""
        return self._cached(prompt)

    def _probabilities(self, prompt: str) -> Mapping[str, float]:
        scores = (
            self._letters.score(lettered(prompt))
            + self._words.score(words(prompt))
            + self._intercept
        )
        scores = scores / self._temperature
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        return MappingProxyType(dict(zip(CLASSES, shares.tolist(), strict=True)))


def _table(idf: Vector, coefficients: Vector) -> Vector:
    """Return a row for each feature: what it adds to the classes' scores, and to the square."""
    return np.column_stack([coefficients * idf[:, None], idf * idf])


def _score(table: Vector, rows: NDArray[np.intp]) -> Vector:
    sums: Vector = np.add.reduce(table.take(rows, axis=0), axis=0)
    return sums[:-1] / (np.sqrt(sums[-1]) or 1.0)


def _read_part(
    arrays: Mapping[str, NDArray[np.generic]], name: str
) -> tuple[Sequence[str], Vector, Vector]:
    vocabulary = read_lines(arrays, f"{name}_names")
    idf = arrays[f"{name}_idf"].astype(np.float32)
    return vocabulary, idf, arrays[f"{name}_coefficients"].astype(np.float32)


@cache
def packaged_classifier() -> Classifier:
    """Return the packaged classifier, read once (0.1 s)."""
    return Classifier.load()
