"""Fit the local detector's weights: features, logistic regression, calibration, arrays."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from joblib import Parallel, delayed  # type: ignore[import-untyped]  # joblib brings no types
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from chatbot.router.detector.classifier import CLASSES
from chatbot.router.detector.features import letters, words
from evals.training.calibration import Scaling, expected_error, fit_scaling
from evals.training.prompts import PRACTICE, TEMPLATES, Example
from evals.training.weight_file import lines_of, stepped

_RARE_LETTERS = 4
_RARE_WORDS = 2
_STRENGTH = 2.0
_FOLDS = 4
_ITERATIONS = 600
KEPT = 375_000
"""Features that are kept, those that move scores most: the file would grow beyond its bounds."""

Scores = NDArray[np.float64]


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
class Quality:
    """How the classifier does on examples of origins that it did not see.

    ``calibration_error`` is the expected one, of the most likely class.
    """

    accuracy: float
    calibration_error: float
    examples: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """The arrays of the weight file, and the quality on what was held out, by source.

    ``confusion`` counts what was taken for what (the right class first) among written prompts.
    """

    arrays: Mapping[str, NDArray[np.generic]]
    quality: Mapping[str, Quality]
    confusion: Mapping[tuple[str, str], int]


def fit(examples: Sequence[Example], *, kept: int = KEPT) -> Fit:
    """Fit on all examples; calibration and quality come from origins held out.

    Prompts of our own lists and of the dev half, where there are any, calibrate the probabilities
    alone: they have the classes in their true shares. ``kept`` features are written.
    """
    documents = {
        "letters": [letters(example.prompt) for example in examples],
        "words": [words(example.prompt) for example in examples],
    }
    vocabularies = {
        "letters": Vocabulary.learn(documents["letters"], _RARE_LETTERS),
        "words": Vocabulary.learn(documents["words"], _RARE_WORDS),
    }
    features = hstack(
        [vocabularies[name].matrix(documents[name]) for name in vocabularies], format="csr"
    )
    labels = _labels(examples)
    weights = np.array([example.weight for example in examples])
    origins = [example.template for example in examples]
    held_out = _held_out(features, labels, weights, origins)
    sources = np.array([example.source for example in examples])
    is_judged = ~np.isin(sources, (TEMPLATES, PRACTICE))
    judged = is_judged if is_judged.any() else ~is_judged
    scaling = fit_scaling(held_out[judged], labels[judged])
    scaled = scaling.apply(held_out)
    model = _train(features, labels, weights)
    chosen = np.eye(len(CLASSES), dtype=bool)[labels]
    wrong = judged & (scaled.argmax(axis=1) != labels)
    return Fit(
        arrays=_arrays(vocabularies, model, scaling, kept),
        quality={
            source: judge(scaled[sources == source], chosen[sources == source])
            for source in dict.fromkeys(sources.tolist())
        },
        confusion=Counter(
            (CLASSES[label], CLASSES[guess])
            for label, guess in zip(labels[wrong], scaled[wrong].argmax(axis=1), strict=True)
        ),
    )


def judge_unseen(learned: Sequence[Example], judged: Sequence[Example]) -> Scores:
    """Return the calibrated scores of ``judged`` by a classifier that knows ``learned`` alone."""
    groups = ((letters, _RARE_LETTERS), (words, _RARE_WORDS))
    seen, unseen = [], []
    for read, rare in groups:
        documents = [read(example.prompt) for example in learned]
        vocabulary = Vocabulary.learn(documents, rare)
        seen.append(vocabulary.matrix(documents))
        unseen.append(vocabulary.matrix([read(example.prompt) for example in judged]))
    model = _train(hstack(seen, format="csr"), _labels(learned), np.ones(len(learned)))
    scores = model.decision_function(hstack(unseen, format="csr"))
    return fit_scaling(scores, _labels(judged)).apply(scores)


def _labels(examples: Sequence[Example]) -> NDArray[np.int64]:
    return np.array([CLASSES.index(example.label) for example in examples])


def _train(
    features: csr_matrix, labels: NDArray[np.int64], weights: NDArray[np.float64]
) -> LogisticRegression:
    regression = LogisticRegression(
        C=_STRENGTH, max_iter=_ITERATIONS, class_weight="balanced", tol=1e-5
    )
    return regression.fit(features, labels, sample_weight=weights)


def _held_out(
    features: csr_matrix,
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    origins: Sequence[str],
) -> Scores:
    folds = list(GroupKFold(n_splits=_FOLDS).split(features, labels, origins))

    def score(seen: NDArray[np.int64], unseen: NDArray[np.int64]) -> Scores:
        model = _train(features[seen], labels[seen], weights[seen])
        return np.asarray(model.decision_function(features[unseen]))

    scores = np.zeros((len(labels), len(CLASSES)))
    found = Parallel(n_jobs=-1)(delayed(score)(*fold) for fold in folds)
    for (_, unseen), part in zip(folds, found, strict=True):
        scores[unseen] = part
    return scores


def judge(scores: Scores, right: NDArray[np.bool_]) -> Quality:
    """Return the quality of scores where ``right`` says which classes of each row are right."""
    best = scores.argmax(axis=1)
    is_right = right[np.arange(len(best)), best]
    return Quality(
        accuracy=float(is_right.mean()),
        calibration_error=expected_error(scores, np.where(is_right, best, -1)),
        examples=len(best),
    )


def _arrays(
    vocabularies: Mapping[str, Vocabulary],
    model: LogisticRegression,
    scaling: Scaling,
    kept: int,
) -> Mapping[str, NDArray[np.generic]]:
    intercept = model.intercept_ + scaling.biases * scaling.temperature
    arrays: dict[str, NDArray[np.generic]] = {
        "intercept": intercept.astype(np.float32),
        "temperature": np.array([scaling.temperature], dtype=np.float32),
    }
    moves = np.abs(model.coef_).max(axis=0)
    is_kept = np.zeros(len(moves), dtype=bool)
    is_kept[np.argsort(-moves, kind="stable")[:kept]] = True
    start = 0
    for name, vocabulary in vocabularies.items():
        end = start + len(vocabulary.names)
        rows = np.flatnonzero(is_kept[start:end])
        arrays[f"{name}_names"] = lines_of(vocabulary.names[row] for row in rows)
        arrays[f"{name}_idf"] = vocabulary.idf[rows]
        arrays[f"{name}_coefficients"] = stepped(model.coef_[:, start + rows].T)
        start = end
    return arrays
