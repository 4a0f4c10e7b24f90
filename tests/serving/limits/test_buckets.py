"""Buckets in memory alone: shares of workers, and any order of requests."""

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers, lists, tuples
from scripted.pacers import fill

from chatbot.testing import ManualClock
from serving.limits import Buckets, Hold, Rate, Want

TOKENS = Rate("ala", "tokens", 600)


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
        verdict = await buckets.take(wants)
        if verdict.wait_s == 0:
            Hold(wants, verdict.correct).end(taken)
            used += taken
    flown = TOKENS.per_minute + sum(seconds for seconds, _, _ in steps) * 10
    largest = max((max(asked, taken) for _, asked, taken in steps), default=0)
    assert used <= flown + largest
