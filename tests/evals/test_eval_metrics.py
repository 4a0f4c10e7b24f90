"""Shares, intervals, detection and percentiles against figures known from elsewhere."""

import pytest
from scripted.tables import every_row

from evals.metrics import Detection, Share, Spread, calibrate, mcnemar, spread


def test_the_interval_is_wilsons() -> None:
    assert Share(hits=8, total=10).interval == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert Share(hits=0, total=10).interval == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert Share(hits=10, total=10).interval == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_a_share_of_nothing_has_no_value() -> None:
    assert (Share(hits=0, total=0).value, Share(hits=0, total=0).interval) == (None, None)


def test_f1_is_the_harmonic_mean() -> None:
    found = Detection(precision=Share(hits=1, total=2), recall=Share(hits=1, total=1))
    assert found.f1 == pytest.approx(2 / 3)


def test_f1_of_no_hit_is_zero() -> None:
    found = Detection(precision=Share(hits=0, total=2), recall=Share(hits=0, total=3))
    assert found.f1 == 0.0


def test_f1_needs_both() -> None:
    found = Detection(precision=Share(hits=0, total=0), recall=Share(hits=0, total=3))
    assert found.f1 is None


def test_percentiles_of_times() -> None:
    assert spread([float(ms) for ms in range(101)]) == Spread(p50=50.0, p95=95.0)
    assert spread([4.0]) == Spread(p50=4.0, p95=4.0)
    assert spread([]) is None


def test_calibration_is_the_mean_gap_between_confidence_and_truth() -> None:
    found = calibrate([(0.95, True), (0.95, False), (0.15, False), (1.0, True)])
    assert found is not None
    low, high = found.bins
    assert (low.right, high.right) == (Share(hits=0, total=1), Share(hits=2, total=3))
    gap = abs(2 / 3 - (0.95 + 0.95 + 1.0) / 3)
    assert found.error == pytest.approx((0.15 + 3 * gap) / 4)
    assert calibrate([]) is None


@every_row(
    ("lost", "won", "value"),
    [(0, 0, 1.0), (0, 5, 0.0625), (5, 0, 0.0625), (3, 3, 1.0), (10, 2, 0.038574), (0, 900, 0.0)],
)
def test_mcnemars_test_is_exact(lost: int, won: int, value: float) -> None:
    assert mcnemar(lost, won) == pytest.approx(value, abs=1e-6)
