"""Calibrate scores into probabilities, and measure how far from the truth they are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Scores = NDArray[np.float64]
Labels = NDArray[np.int64]

_BINS = 10
_PULL = 0.02
"""How strongly the biases are drawn to zero, in nats a squared unit."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scaling:
    """Scores become ``scores / temperature + biases``; a softmax makes probabilities of them."""

    temperature: float
    biases: NDArray[np.float64]

    def apply(self, scores: Scores) -> Scores:
        """Return the scaled scores, shape as given."""
        scaled: Scores = scores / self.temperature + self.biases
        return scaled


def fit_scaling(scores: Scores, labels: Labels) -> Scaling:
    """Find the temperature and the biases that make the labels most likely.

    Vector scaling with one temperature: Guo and others, "On Calibration of Modern Neural
    Networks", 2017.
    """

    def loss(values: NDArray[np.float64]) -> float:
        scaled = scores / np.exp(values[0]) + values[1:]
        chosen = log_softmax(scaled)[np.arange(len(labels)), labels]
        return float(-chosen.mean() + _PULL * (values[1:] ** 2).sum())

    found = minimize(loss, np.zeros(1 + scores.shape[1]), method="L-BFGS-B").x
    return Scaling(temperature=float(np.exp(found[0])), biases=found[1:])


def log_softmax(scores: Scores) -> Scores:
    """Return the logarithms of the probabilities, row by row."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    found: Scores = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found


def expected_error(scores: Scores, labels: Labels) -> float:
    """Return the expected calibration error of the most likely class, in ten equal bins."""
    shares = np.exp(log_softmax(scores))
    sure, right = shares.max(axis=1), shares.argmax(axis=1) == labels
    places = np.minimum((sure * _BINS).astype(np.int64), _BINS - 1)
    gaps = [
        abs(float(sure[places == place].sum() - right[places == place].sum()))
        for place in range(_BINS)
    ]
    return sum(gaps) / len(labels)
