"""The circuit breaker opens, lets single tries through, and closes."""

from chatbot.testing import ManualClock
from serving.engines.breaker import Breaker


def opened(clock: ManualClock) -> Breaker:
    breaker = Breaker(clock=clock)
    for _ in range(5):
        breaker.fail()
    return breaker


def test_four_failures_leave_it_closed() -> None:
    breaker = Breaker(clock=ManualClock())
    told = [breaker.fail() for _ in range(4)]

    assert (told, breaker.admit()) == ([False] * 4, 0.0)


def test_the_fifth_failure_opens_it_and_says_so_once() -> None:
    clock = ManualClock()
    breaker = Breaker(clock=clock)

    assert [breaker.fail() for _ in range(7)] == [False, False, False, False, True, False, False]
    assert breaker.admit() == 5.0


def test_a_success_between_failures_starts_the_count_anew() -> None:
    breaker = Breaker(clock=ManualClock())
    for _ in range(4):
        breaker.fail()
    breaker.succeed()
    breaker.fail()

    assert not breaker.is_open


def test_one_try_at_a_time_is_let_through_later() -> None:
    clock = ManualClock()
    breaker = opened(clock)
    clock.advance(5.0)

    assert [breaker.admit(), breaker.admit()] == [0.0, 5.0]


def test_a_try_without_an_outcome_does_not_block_the_next_for_ever() -> None:
    clock = ManualClock()
    breaker = opened(clock)
    for _ in range(3):
        clock.advance(5.0)
        assert breaker.admit() == 0.0


def test_a_successful_try_closes_it() -> None:
    clock = ManualClock()
    breaker = opened(clock)
    clock.advance(5.0)
    breaker.admit()
    breaker.succeed()

    assert [breaker.admit(), breaker.admit()] == [0.0, 0.0]


def test_opening_and_closing_are_told_once() -> None:
    told: list[bool] = []
    breaker = Breaker(clock=ManualClock(), threshold=2, on_change=told.append)
    for _ in range(3):
        breaker.fail()
    breaker.succeed()
    breaker.succeed()
    assert told == [True, False]
