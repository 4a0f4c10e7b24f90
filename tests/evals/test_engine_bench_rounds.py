"""A round of the engine benchmark: what is measured is the pace that the engine has."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from scripted.paced_engine import MODEL, PacedEngine
from scripted.patience import PATIENCE_S

from evals.bench.engine.client import open_session
from evals.bench.engine.experience import Reader
from evals.bench.engine.figures import sum_up
from evals.bench.engine.loads import Load
from evals.bench.engine.prompts import Prompt, read_prompts
from evals.bench.engine.runs import Plan, Step, run_step
from evals.bench.engine.samples import Replies, Round, Sample
from evals.bench.engine.targets import Target

PROMPTS = read_prompts()


async def run_once(
    engine: PacedEngine,
    load: Load,
    *,
    replies: Replies = "stream",
    requests: int = 8,
    prompts: Sequence[Prompt] = PROMPTS,
) -> tuple[Round, list[Sample]]:
    target = Target(name="one", url=engine.url, model=MODEL)
    plan = Plan(
        targets=(target,),
        loads=(load,),
        replies=(replies,),
        prompts=tuple(prompts),
        rounds=1,
        requests=requests,
        seed=1,
    )
    samples: list[Sample] = []
    step = Step(round=0, load=load, replies=replies, target=target)
    async with open_session(limit_s=PATIENCE_S) as session:
        done = await run_step(session, plan, step, samples.append)
    return done, samples


async def hold_up() -> None:
    """Keep the loop of everybody for 50 ms at a time."""
    while True:
        time.sleep(0.05)  # noqa: ASYNC251 - holding up is the point
        await asyncio.sleep(0)


@pytest.mark.parametrize("replies", ["stream", "whole"])
async def test_the_pace_of_the_engine_comes_out(replies: Replies) -> None:
    long = [prompt for prompt in PROMPTS if prompt.length == "long"]
    async with PacedEngine(first_s=0.05, gap_s=0.01, tokens=11).serve() as engine:
        done, samples = await run_once(engine, Load(batch=4), replies=replies, prompts=long)
    (figures,) = sum_up(samples, [done], Reader())
    firsts = [sample.first_ms for sample in samples if sample.first_ms is not None]

    assert figures.failed == 0
    assert figures.latency is not None
    assert figures.latency.p50 >= 140
    assert len(firsts) == (8 if replies == "stream" else 0)
    assert all(first >= 45 for first in firsts)
    assert done.tokens == sum(sample.tokens for sample in samples) == 8 * 11


async def test_a_batch_is_asked_at_a_time_and_no_more() -> None:
    async with PacedEngine(first_s=0.04, tokens=1).serve() as engine:
        one, _ = await run_once(engine, Load(batch=1))
        eight, _ = await run_once(engine, Load(batch=8))

    assert one.seconds >= 8 * 0.035
    assert eight.throughput > 2 * one.throughput


async def test_a_client_that_is_held_up_knows_by_how_much() -> None:
    async with PacedEngine(first_s=0.2, tokens=1).serve() as engine:
        holding = asyncio.create_task(hold_up())
        done, _ = await run_once(engine, Load(batch=1), requests=2)
        holding.cancel()

    assert done.client_late_ms >= 40


async def test_waiting_in_the_servers_queue_is_part_of_the_time() -> None:
    async with PacedEngine(first_s=0.03, tokens=1, places=1).serve() as engine:
        _, samples = await run_once(engine, Load(batch=8))

    assert max(sample.ended_ms for sample in samples) >= 8 * 25


async def test_random_arrivals_do_not_wait_for_answers() -> None:
    async with PacedEngine(first_s=0.2, tokens=1).serve() as engine:
        done, samples = await run_once(engine, Load(rate=200.0), requests=10)

    assert done.seconds < 10 * 0.2
    assert len({sample.due_s for sample in samples}) == 10


@pytest.mark.parametrize("replies", ["stream", "whole"])
async def test_an_idle_connection_that_the_server_ends_is_no_failure(replies: Replies) -> None:
    async with PacedEngine(tokens=2, ends_idle=True).serve() as engine:
        done, samples = await run_once(engine, Load(batch=2), replies=replies, requests=6)

    assert (done.failed, len(samples)) == (0, 6)
    assert len(engine.bodies) > 6
