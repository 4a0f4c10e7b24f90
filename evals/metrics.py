"""Metrics: shares with their intervals, precision and recall, percentiles."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

_Z = 1.959964  # 95 % of a normal distribution lie within this many standard deviations


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """``hits`` of ``total``."""

    hits: int
    total: int

    @property
    def value(self) -> float | None:
        """From 0 to 1; ``None`` of nothing."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval after Wilson (1927), which holds for small totals too."""
        if not self.total:
            return None
        share, size = self.hits / self.total, _Z * _Z / self.total
        middle = (share + size / 2) / (1 + size)
        half = math.sqrt(share * (1 - share) * size + size * size / 4) / (1 + size)
        return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Detection:
    """How well one class is detected: of those called, and of those that should be."""

    precision: Share
    recall: Share

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; ``None`` where either has no value."""
        precision, recall = self.precision.value, self.recall.value
        if precision is None or recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Percentiles of some times in milliseconds."""

    p50: float
    p95: float


def spread(times: Sequence[float]) -> Spread | None:
    """Median and 95th percentile; ``None`` of nothing."""
    if not times:
        return None
    if len(times) == 1:
        return Spread(p50=times[0], p95=times[0])
    cuts = quantiles(times, n=100, method="inclusive")
    return Spread(p50=cuts[49], p95=cuts[94])
