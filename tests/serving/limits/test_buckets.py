from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers, lists, tuples

from chatbot.testing import ManualClock
from serving.limits import Buckets, Hold, Rate, Want

PER_MINUTE = 60
REQUESTS = Rate("ala", "requests", PER_MINUTE)
TOKENS = Rate("ala", "tokens", 600)


async def fill(buckets: Buckets, wants: Sequence[Want]) -> int:
    """How many requests are let in, one after the other at the same time."""
    count = 0
    while (await buckets.take(wants)).wait_s == 0:
        count += 1
    return count


async def test_a_minutes_worth_is_let_in_at_once_and_then_one_a_second() -> None:
    clock = ManualClock()
    buckets = Buckets(clock=clock)
    wants = [Want(REQUESTS, 1)]
    assert await fill(buckets, wants) == PER_MINUTE
    refused = await buckets.take(wants)
    assert refused.wait_s == pytest.approx(1.0)
    (standing,) = refused.standings
    assert standing.left == 0
    assert standing.whole_in_s == pytest.approx(60.0)
    clock.ticks += refused.wait_s
    assert await fill(buckets, wants) == 1


async def test_all_that_a_request_wants_is_taken_or_nothing() -> None:
    buckets = Buckets(clock=ManualClock())
    wants = [Want(REQUESTS, 1), Want(TOKENS, 500)]
    assert await fill(buckets, wants) == 1
    left = {one.rate.kind: one.left for one in await buckets.look([REQUESTS, TOKENS])}
    assert left == {"requests": PER_MINUTE - 1, "tokens": 100}


async def test_what_was_not_used_comes_back_once() -> None:
    buckets = Buckets(clock=ManualClock())
    wants = [Want(REQUESTS, 1), Want(TOKENS, 500)]
    await buckets.take(wants)
    hold = Hold(wants, buckets.correct)
    hold.end(120)
    hold.end(0)
    left = {one.rate.kind: one.left for one in await buckets.look([REQUESTS, TOKENS])}
    assert left == {"requests": PER_MINUTE - 1, "tokens": 480}


async def test_a_request_larger_than_the_rate_waits_for_all_of_it_and_leaves_a_debt() -> None:
    clock = ManualClock()
    buckets = Buckets(clock=clock)
    large = [Want(TOKENS, 1200)]
    assert (await buckets.take(large)).wait_s == 0
    assert (await buckets.take([Want(TOKENS, 1)])).wait_s == pytest.approx(60.1)
    clock.ticks += 60.0
    assert (await buckets.take(large)).wait_s == pytest.approx(60.0)


async def test_a_rate_of_nothing_lets_nothing_in() -> None:
    buckets = Buckets(clock=ManualClock())
    assert (await buckets.take([Want(Rate("ala", "requests", 0), 1)])).wait_s == float("inf")


@pytest.mark.parametrize(("workers", "per_minute"), [(1, 60), (4, 60), (8, 3)])
async def test_workers_together_keep_the_rate(workers: int, per_minute: int) -> None:
    clock = ManualClock()
    rate = [Want(Rate("ala", "requests", per_minute), 1)]
    crew = [Buckets(clock=clock, share=1 / workers) for _ in range(workers)]
    first = sum([await fill(one, rate) for one in crew])
    assert first == max(workers, per_minute)
    clock.ticks += 600.0
    long_after = sum([await fill(one, rate) for one in crew])
    assert long_after <= first


@given(steps=lists(tuples(floats(0, 30), integers(0, 1000), integers(0, 1000)), max_size=30))
async def test_no_more_is_used_than_a_bucket_and_what_flows_in(
    steps: list[tuple[float, int, int]],
) -> None:
    clock = ManualClock()
    buckets = Buckets(clock=clock)
    used = 0
    for seconds, asked, taken in steps:
        clock.ticks += seconds
        wants = [Want(TOKENS, asked)]
        if (await buckets.take(wants)).wait_s == 0:
            Hold(wants, buckets.correct).end(taken)
            used += taken
    flown = TOKENS.per_minute + sum(seconds for seconds, _, _ in steps) * 10
    largest = max((max(asked, taken) for _, asked, taken in steps), default=0)
    assert used <= flown + largest
