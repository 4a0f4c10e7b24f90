"""Boosted decision trees, as training wrote them down: sums of what their leaves say."""

from collections.abc import Mapping
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from chatbot.router.weight_file import read_arrays

Values = NDArray[np.float64]


class BoostedTrees:
    """A sum of trees with the same number of levels at most; immutable, safe in threads."""

    def __init__(
        self,
        features: NDArray[np.int64],
        thresholds: Values,
        children: NDArray[np.int64],
        leaves: Values,
        levels: int,
    ) -> None:
        """Take the nodes of all trees, one after the other.

        Args:
            features: What each node looks at; -1 in a leaf. Shape (trees, nodes).
            thresholds: The left branch is taken up to it. Shape (trees, nodes).
            children: The left node's place in its tree; the right one stands at shape (…, 1).
                A leaf leads to itself. Shape (trees, nodes, 2).
            leaves: What a leaf adds. Shape (trees, nodes).
            levels: How many branches a path has at most.
        """
        self._features = np.maximum(features, 0)
        self._thresholds = thresholds
        self._children = children
        self._leaves = leaves
        self._levels = levels
        self._trees = np.arange(len(features))[:, None]

    @classmethod
    def load(cls, source: Traversable) -> "BoostedTrees":
        """Read the arrays of a packaged file."""
        return cls.from_arrays(read_arrays(source))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "BoostedTrees":
        """Build from the arrays that training writes."""
        return cls(
            arrays["features"].astype(np.int64),
            arrays["thresholds"].astype(np.float64),
            arrays["children"].astype(np.int64),
            arrays["leaves"].astype(np.float64),
            int(arrays["levels"]),
        )

    def score(self, described: Values) -> Values:
        """Return the sum of the leaves that each row reaches.

        Args:
            described: Shape (rows, features).

        Returns:
            Shape (rows,).
        """
        rows = np.arange(len(described))[None, :]
        at = np.zeros((len(self._features), len(described)), dtype=np.int64)
        for _ in range(self._levels):
            asked = described[rows, self._features[self._trees, at]]
            is_right = (asked > self._thresholds[self._trees, at]).astype(np.int64)
            at = self._children[self._trees, at, is_right]
        total: Values = self._leaves[self._trees, at].sum(axis=0)
        return total
