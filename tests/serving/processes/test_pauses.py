import pytest

from serving.processes import Pauses


def test_each_pause_is_twice_the_one_before_up_to_a_minute() -> None:
    pauses = Pauses(first_s=5)
    assert [pauses.after(0) for _ in range(6)] == [5, 10, 20, 40, 60, 60]


def test_a_long_life_makes_the_next_pause_short_again() -> None:
    pauses = Pauses(first_s=5)
    assert [pauses.after(lived_s) for lived_s in (0, 60, 61, 0)] == [5, 10, 5, 10]


@pytest.mark.parametrize("first_s", [0.001, 2.0, 100.0])
def test_pauses_stay_within_a_minute_for_ever(first_s: float) -> None:
    pauses = Pauses(first_s=first_s)
    assert {pauses.after(0) for _ in range(5000)} <= {
        min(first_s * 2**power, 60.0) for power in range(64)
    }
