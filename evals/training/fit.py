"""Fit the local detector's weights: features, logistic regression, calibration, arrays."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from chatbot.router.detector.classifier import CLASSES
from chatbot.router.detector.features import letters, words
from evals.training.prompts import Example

_RARE_LETTERS = 12
_RARE_WORDS = 4
_STRENGTH = 6.0
_FOLDS = 4
_ITERATIONS = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Vocabulary:
    """The features of one group that are kept, and their inverse document frequencies."""

    names: tuple[str, ...]
    idf: NDArray[np.float16]

    @classmethod
    def learn(cls, documents: Sequence[Sequence[str]], rare: int) -> "Vocabulary":
        """Keep features of at least ``rare`` prompts, in alphabetical order."""
        counts = Counter(name for document in documents for name in document)
        names = tuple(sorted(name for name, count in counts.items() if count >= rare))
        found = np.array([counts[name] for name in names])
        idf = np.log((1 + len(documents)) / (1 + found)) + 1
        return cls(names=names, idf=idf.astype(np.float16))

    def matrix(self, documents: Sequence[Sequence[str]]) -> csr_matrix:
        """Return binary TF-IDF rows of unit length."""
        rows = {name: row for row, name in enumerate(self.names)}
        idf = self.idf.astype(np.float32)
        starts: list[int] = [0]
        columns: list[int] = []
        for document in documents:
            columns.extend(rows[name] for name in document if name in rows)
            starts.append(len(columns))
        values = idf[columns]
        for start, end in pairwise(starts):
            norm = np.sqrt((values[start:end] ** 2).sum())
            values[start:end] /= norm or 1.0
        return csr_matrix((values, columns, starts), shape=(len(documents), len(self.names)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """What training gives: the arrays of the weight file, and accuracy on unseen templates."""

    arrays: Mapping[str, NDArray[np.generic]]
    accuracy: float
    confusion: Mapping[tuple[str, str], int]


def fit(examples: Sequence[Example]) -> Fit:
    """Fit on all examples; the temperature and the accuracy come from templates held out."""
    documents = {
        "letters": [letters(example.prompt) for example in examples],
        "words": [words(example.prompt) for example in examples],
    }
    vocabularies = {
        "letters": Vocabulary.learn(documents["letters"], _RARE_LETTERS),
        "words": Vocabulary.learn(documents["words"], _RARE_WORDS),
    }
    parts = [vocabularies[name].matrix(documents[name]) for name in vocabularies]
    features = hstack(parts, format="csr")
    labels = np.array([CLASSES.index(example.label) for example in examples])
    held_out = _held_out_scores(features, labels, [example.template for example in examples])
    model = _regression().fit(features, labels)
    guesses = held_out.argmax(axis=1)
    return Fit(
        arrays=_arrays(vocabularies, model, _temperature(held_out, labels)),
        accuracy=float((guesses == labels).mean()),
        confusion=Counter(
            (CLASSES[label], CLASSES[guess])
            for label, guess in zip(labels, guesses, strict=True)
            if label != guess
        ),
    )


def _regression() -> LogisticRegression:
    return LogisticRegression(C=_STRENGTH, max_iter=_ITERATIONS, class_weight="balanced", tol=1e-3)


def _held_out_scores(
    features: csr_matrix, labels: NDArray[np.int64], templates: Sequence[str]
) -> NDArray[np.float64]:
    scores = np.zeros((len(labels), len(CLASSES)))
    for seen, unseen in GroupKFold(n_splits=_FOLDS).split(features, labels, templates):
        model = _regression().fit(features[seen], labels[seen])
        scores[unseen] = model.decision_function(features[unseen])
    return scores


def _temperature(scores: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    def loss(temperature: float) -> float:
        scaled = scores / temperature
        scaled -= scaled.max(axis=1, keepdims=True)
        chosen = scaled[np.arange(len(labels)), labels]
        return float((np.log(np.exp(scaled).sum(axis=1)) - chosen).mean())

    return float(minimize_scalar(loss, bounds=(0.3, 5.0), method="bounded").x)


def _arrays(
    vocabularies: Mapping[str, Vocabulary], model: LogisticRegression, temperature: float
) -> Mapping[str, NDArray[np.generic]]:
    arrays: dict[str, NDArray[np.generic]] = {
        "intercept": model.intercept_.astype(np.float32),
        "temperature": np.array([temperature], dtype=np.float32),
    }
    start = 0
    for name, vocabulary in vocabularies.items():
        end = start + len(vocabulary.names)
        text = "\n".join(vocabulary.names).encode()
        arrays[f"{name}_names"] = np.frombuffer(text, dtype=np.uint8)
        arrays[f"{name}_idf"] = vocabulary.idf
        arrays[f"{name}_coefficients"] = model.coef_[:, start:end].T.astype(np.float16)
        start = end
    return arrays
