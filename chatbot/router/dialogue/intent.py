"""Says how likely each kind of wish is for a prompt within its conversation."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from chatbot.router.detector.classifier import CLASSES
from chatbot.router.dialogue.scene import Scene
from chatbot.router.dialogue.signs import read_signs
from chatbot.router.weight_file import read_arrays, read_lines

WEIGHTS = "intent.npz"


class Intent:
    """A conditional logit: all classes share one list of weights; deterministic, immutable."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Take the weight of each feature; others weigh nothing."""
        self._weights = weights

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "Intent":
        """Build from the arrays that training writes."""
        names = read_lines(arrays, "names")
        weights = arrays["weights"].astype(np.float64).tolist()
        return cls(dict(zip(names, weights, strict=True)))

    def probabilities(self, scene: Scene, shares: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each class; they sum to 1.

        Args:
            scene: The prompt and its conversation.
            shares: How likely each class is for the prompt alone.
        """
        signs = read_signs(scene, shares)
        scores = np.array([
            sum(value * self._weights.get(name, 0.0) for name, value in signs[label].items())
            for label in CLASSES
        ])
        found = np.exp(scores - scores.max())
        found /= found.sum()
        return dict(zip(CLASSES, found.tolist(), strict=True))


@cache
def intent() -> Intent:
    """The classifier with the packaged weights, read once."""
    return Intent.from_arrays(read_arrays(files("chatbot.router.dialogue") / WEIGHTS))
