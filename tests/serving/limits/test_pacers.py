"""What every keeper of rates does: in memory, and shared by a Redis server."""

import pytest
from scripted.pacers import fill, told

from chatbot.testing import ManualClock
from serving.limits import Hold, Kind, Pacer, Rate, Want

PER_MINUTE = 60
REQUESTS = Rate("ala", "requests", PER_MINUTE)
TOKENS = Rate("ala", "tokens", 600)


async def left(pacer: Pacer) -> dict[Kind, int]:
    standings = await (await told(pacer)).look([REQUESTS, TOKENS])
    return {one.rate.kind: one.left for one in standings}


async def test_a_minutes_worth_is_let_in_at_once_and_then_one_a_second(
    pacer: Pacer, clock: ManualClock
) -> None:
    wants = [Want(REQUESTS, 1)]
    assert await fill(pacer, wants) == PER_MINUTE
    refused = await pacer.take(wants)
    assert refused.wait_s == pytest.approx(1.0)
    (standing,) = refused.standings
    assert standing.left == 0
    assert standing.whole_in_s == pytest.approx(60.0)
    clock.ticks += refused.wait_s
    assert await fill(pacer, wants) == 1


async def test_all_that_a_request_wants_is_taken_or_nothing(pacer: Pacer) -> None:
    assert await fill(pacer, [Want(REQUESTS, 1), Want(TOKENS, 500)]) == 1
    assert await left(pacer) == {"requests": PER_MINUTE - 1, "tokens": 100}


async def test_what_was_not_used_comes_back_once(pacer: Pacer) -> None:
    wants = [Want(REQUESTS, 1), Want(TOKENS, 500)]
    hold = Hold(wants, (await pacer.take(wants)).correct)
    hold.end(120)
    hold.end(0)
    assert await left(pacer) == {"requests": PER_MINUTE - 1, "tokens": 480}


async def test_what_was_used_besides_is_taken_too_and_may_become_a_debt(
    pacer: Pacer, clock: ManualClock
) -> None:
    wants = [Want(TOKENS, 500)]
    Hold(wants, (await pacer.take(wants)).correct).end(1300)
    assert (await left(pacer))["tokens"] == 0
    assert (await pacer.take([Want(TOKENS, 100)])).wait_s == pytest.approx(80.0)
    clock.ticks += 80.0
    assert (await pacer.take([Want(TOKENS, 100)])).wait_s == 0


async def test_no_bucket_holds_more_than_a_minutes_worth(pacer: Pacer, clock: ManualClock) -> None:
    (await pacer.take([Want(TOKENS, 10)])).correct(TOKENS, 5000)
    assert (await left(pacer))["tokens"] == 600
    clock.ticks += 1e6
    assert (await left(pacer))["tokens"] == 600


async def test_a_request_larger_than_the_rate_waits_for_all_of_it_and_leaves_a_debt(
    pacer: Pacer, clock: ManualClock
) -> None:
    large = [Want(TOKENS, 1200)]
    assert (await pacer.take(large)).wait_s == 0
    assert (await pacer.take([Want(TOKENS, 1)])).wait_s == pytest.approx(60.1)
    clock.ticks += 60.0
    assert (await pacer.take(large)).wait_s == pytest.approx(60.0)


async def test_a_rate_of_nothing_lets_nothing_in(pacer: Pacer) -> None:
    nothing = Rate("ala", "requests", 0)
    assert (await pacer.take([Want(nothing, 1)])).wait_s == float("inf")
    assert (await pacer.look([nothing]))[0].left == 0


async def test_a_limit_that_is_changed_counts_at_once(pacer: Pacer) -> None:
    assert await fill(pacer, [Want(REQUESTS, 1)]) == PER_MINUTE
    lower, higher = Rate("ala", "requests", 6), Rate("ala", "requests", 600)
    assert (await pacer.take([Want(lower, 1)])).wait_s == pytest.approx(10.0)
    assert (await pacer.take([Want(higher, 1)])).wait_s == pytest.approx(0.1)


async def test_accounts_and_kinds_have_buckets_of_their_own(pacer: Pacer) -> None:
    assert await fill(pacer, [Want(REQUESTS, 1)]) == PER_MINUTE
    assert (await pacer.take([Want(Rate("ola", "requests", 1), 1)])).wait_s == 0
    assert (await pacer.take([Want(TOKENS, 600)])).wait_s == 0
