"""How long until a place is free: measured, never a constant."""

import pytest

from chatbot.testing import ManualClock
from serving.engines.replicas.pace import Pace


def steady(clock: ManualClock, *, running: int, every_s: float, ends: int) -> Pace:
    """``running`` at any time, one ending and another beginning each ``every_s`` seconds."""
    pace = Pace(clock=clock)
    for _ in range(running):
        pace.begin()
    for _ in range(ends):
        clock.advance(every_s)
        pace.end()
        pace.begin()
    return pace


@pytest.mark.parametrize(
    ("running", "every_s", "wait_s"), [(8, 0.5, 4.0), (8, 2.0, 16.0), (40, 1.0, 40.0)]
)
def test_it_is_what_runs_divided_by_the_rate_of_ends(
    running: int, every_s: float, wait_s: float
) -> None:
    pace = steady(ManualClock(), running=running, every_s=every_s, ends=100)
    assert pace.wait_s() == pytest.approx(wait_s, rel=0.05)


def test_many_ends_in_a_short_time_are_measured_by_the_time_they_took() -> None:
    pace = steady(ManualClock(), running=100, every_s=0.01, ends=5_000)
    assert pace.wait_s() == pytest.approx(1.0, rel=0.05)


def test_an_idle_night_says_nothing_of_the_pace() -> None:
    clock = ManualClock()
    pace = steady(clock, running=1, every_s=2.0, ends=10)
    pace.end()
    clock.advance(30_000.0)
    for _ in range(8):
        pace.begin()

    assert pace.wait_s() == pytest.approx(8 * 20 / 11, rel=0.05)


def test_where_none_has_ended_it_grows_with_the_time_waited() -> None:
    clock = ManualClock()
    pace = Pace(clock=clock)
    for _ in range(4):
        pace.begin()
    waits = []
    for _ in range(3):
        clock.advance(2.0)
        waits.append(pace.wait_s())

    assert waits == [8.0, 16.0, 24.0]


def test_it_stays_between_a_second_and_a_minute() -> None:
    quick = steady(ManualClock(), running=1, every_s=0.01, ends=10)
    slow = steady(ManualClock(), running=500, every_s=5.0, ends=3)

    assert (quick.wait_s(), slow.wait_s()) == (1.0, 60.0)
