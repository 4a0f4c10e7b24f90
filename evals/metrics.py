"""Metrics: shares with intervals, precision and recall, percentiles, calibration, McNemar."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

_BINS = 10
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Bin:
    """Decisions whose confidence lies in one tenth: how many, how sure, how many right."""

    low: float
    high: float
    mean_confidence: float
    right: Share


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """How far confidence and truth lie apart; ``bins`` is the reliability table without empty bins.

    ``error`` is the expected calibration error of ten equal bins (Naeini et al., AAAI 2015).
    """

    error: float
    bins: tuple[Bin, ...]


def calibrate(judged: Sequence[tuple[float, bool]]) -> Calibration | None:
    """The calibration of decisions, each with its confidence (0 to 1) and whether it is right."""
    if not judged:
        return None
    tenths: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for confidence, is_right in judged:
        tenths[min(int(max(confidence, 0.0) * _BINS), _BINS - 1)].append((confidence, is_right))
    bins = tuple(
        Bin(
            low=number / _BINS,
            high=(number + 1) / _BINS,
            mean_confidence=sum(confidence for confidence, _ in tenth) / len(tenth),
            right=Share(hits=sum(is_right for _, is_right in tenth), total=len(tenth)),
        )
        for number, tenth in enumerate(tenths)
        if tenth
    )
    gaps = (one.right.total * abs((one.right.value or 0.0) - one.mean_confidence) for one in bins)
    return Calibration(error=sum(gaps) / len(judged), bins=bins)


def mcnemar(lost: int, won: int) -> float:
    """The exact two-sided p-value of McNemar's test (1947), by the binomial distribution.

    ``lost`` and ``won`` count the cases that only the first, or only the second system has right.
    """
    number = lost + won
    tail = sum(math.comb(number, hits) for hits in range(min(lost, won) + 1))
    return min(1.0, 2 * tail / (1 << number))
