"""Fit the classifier of prompts within conversations: a conditional logit, calibrated."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.model_selection import GroupKFold

from chatbot.router.detector.classifier import CLASSES
from evals.training.calibration import Scores, fit_scaling, log_softmax
from evals.training.fit import Quality, judge
from evals.training.sayings import DIALOGUES, WEIGHTS, Saying
from evals.training.weight_file import coarse, lines_of

_RARE = 3
_PENALTY = 3.0
_LEAST = 0.007
"""A weight nearer to zero is left out."""

_FOLDS = 4
_ITERATIONS = 150

Vector = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class IntentFit:
    """The arrays of the weight file, and the quality on what was held out, by source."""

    arrays: Mapping[str, NDArray[np.generic]]
    quality: Mapping[str, Quality]


def fit_intent(sayings: Sequence[Saying]) -> IntentFit:
    """Fit on all examples; whole dialogues that were held out calibrate the probabilities."""
    names = _learn_names(sayings)
    labels = np.array([CLASSES.index(saying.label) for saying in sayings])
    sources = np.array([saying.source for saying in sayings])
    held_out = _held_out(names, sayings, labels)
    judged = sources == DIALOGUES
    scaling = fit_scaling(held_out[judged], labels[judged])
    scaled = scaling.apply(held_out)
    weights = _train(_matrix(names, sayings), labels, _weigh(sayings)) / scaling.temperature
    for label, bias in zip(CLASSES, scaling.biases, strict=True):
        weights[names.index(f"{label}|1")] += bias
    right = [[label in saying.right for label in CLASSES] for saying in sayings]
    return IntentFit(
        arrays=_arrays(names, weights),
        quality={
            source: judge(scaled[sources == source], np.array(right)[sources == source])
            for source in WEIGHTS
            if (sources == source).any()
        },
    )


def _learn_names(sayings: Sequence[Saying]) -> list[str]:
    counts = Counter(name for saying in sayings for name in frozenset().union(*saying.signs))
    return sorted(name for name, count in counts.items() if count >= _RARE)


def _weigh(sayings: Sequence[Saying]) -> Vector:
    return np.array([WEIGHTS[saying.source] for saying in sayings])


def _matrix(names: Sequence[str], sayings: Sequence[Saying]) -> csr_matrix:
    """Return one row for each class of each example."""
    columns = {name: column for column, name in enumerate(names)}
    starts, found, values = [0], list[int](), list[float]()
    for saying in sayings:
        for signs in saying.signs:
            known = [(columns[name], value) for name, value in signs.items() if name in columns]
            found += [column for column, _ in known]
            values += [value for _, value in known]
            starts.append(len(found))
    return csr_matrix((values, found, starts), shape=(len(starts) - 1, len(names)))


def _train(features: csr_matrix, labels: NDArray[np.int64], shares: Vector) -> Vector:
    chosen = np.eye(len(CLASSES))[labels]

    def loss(weights: Vector) -> tuple[float, Vector]:
        likely = log_softmax((features @ weights).reshape(chosen.shape))
        error = (np.exp(likely) - chosen) * shares[:, None]
        value = -(shares * (likely * chosen).sum(axis=1)).sum() + _PENALTY / 2 * weights @ weights
        return float(value), features.T @ error.ravel() + _PENALTY * weights

    found: Vector = minimize(
        loss,
        np.zeros(features.shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _ITERATIONS},
    ).x
    return found


def _held_out(names: Sequence[str], sayings: Sequence[Saying], labels: NDArray[np.int64]) -> Scores:
    features, shares = _matrix(names, sayings), _weigh(sayings)
    rows = np.arange(features.shape[0]).reshape(len(sayings), len(CLASSES))
    scores = np.zeros(rows.shape)
    origins = [saying.origin for saying in sayings]
    for seen, unseen in GroupKFold(n_splits=_FOLDS).split(labels, groups=origins):
        weights = _train(features[rows[seen].ravel()], labels[seen], shares[seen])
        scores[unseen] = (features[rows[unseen].ravel()] @ weights).reshape(len(unseen), -1)
    return scores


def _arrays(names: Sequence[str], weights: Vector) -> Mapping[str, NDArray[np.generic]]:
    kept = [int(at) for at in np.flatnonzero(np.abs(weights) >= _LEAST)]
    return {
        "names": lines_of(names[at] for at in kept),
        "weights": coarse(weights[kept]),
    }
