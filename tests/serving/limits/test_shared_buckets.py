"""Limits that a Redis server keeps for several processes, and what is done while it is away."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
import structlog
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists, sampled_from, tuples
from scripted.faked_clock import FakedClock
from scripted.gateway import wait_until
from scripted.pacers import fill, open_shared, told
from scripted.redis_process import PASSWORD, RedisServer, serve_redis

from chatbot.testing import ManualClock
from serving.clock import SystemClock
from serving.limits import Buckets, Hold, Rate, Want, open_pacer
from serving.limits.keeper import KeeperAway
from serving.limits.redis_keeper import KEPT_S, TIME, key_of, open_keeper
from serving.settings import LimitsSettings, Settings, SettingsError

pytestmark = pytest.mark.parts

REQUESTS = Rate("ala", "requests", 60)
TOKENS = Rate("ala", "tokens", 600)
ONE = [Want(REQUESTS, 1)]
RATES = sampled_from([REQUESTS, TOKENS, Rate("studenci", "tokens", 900)])

ASKER = """
import anyio, sys
from serving.clock import SystemClock
from serving.limits import Rate, Want, open_pacer
from serving.settings import LimitsSettings, Settings

async def main():
    limits = LimitsSettings(shared_url=sys.argv[1], shared_s=60)
    wants, count = [Want(Rate("ala", "requests", 60), 1)], 0
    async with open_pacer(Settings(limits=limits), clock=SystemClock(), on_alone=exit) as pacer:
        print("ready", flush=True)
        sys.stdin.readline()
        for _ in range(100):
            count += (await pacer.take(wants)).wait_s == 0
    print(count)

anyio.run(main)
"""


def test_processes_together_let_in_exactly_the_rate(redis: RedisServer) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = (sys.executable, "-c", ASKER, redis.url)
    with ExitStack() as stack:
        askers = [
            stack.enter_context(
                subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=environment,
                    encoding="utf-8",
                )
            )
            for _ in range(2)
        ]
        for one in askers:
            assert one.stdout is not None
            assert one.stdout.readline() == "ready\n"
        began = time.monotonic()
        for one in askers:
            assert one.stdin is not None
            one.stdin.write("\n")
            one.stdin.flush()
        counts = [int(one.communicate()[0]) for one in askers]
        elapsed_s = time.monotonic() - began
    assert 60 <= sum(counts) <= 60 + elapsed_s


@settings(max_examples=30)
@given(
    steps=lists(
        tuples(
            floats(0, 30),
            lists(tuples(RATES, integers(0, 1000)), unique_by=lambda one: one[0]),
            integers(0, 1000),
        ),
        max_size=12,
    )
)
async def test_it_decides_as_memory_does(
    running_redis: RedisServer,
    steps: list[tuple[float, list[tuple[Rate, int]], int]],
) -> None:
    with running_redis.client() as client:
        client.flushall()
    clock = ManualClock()
    memory = Buckets(clock=clock)
    async with open_shared(running_redis, clock) as shared:
        for seconds, asked, used in steps:
            clock.ticks += seconds
            wants = [Want(rate, amount) for rate, amount in asked]
            here, there = await memory.take(wants), await shared.take(wants)
            assert (there.wait_s == 0) == (here.wait_s == 0)
            assert there.wait_s == pytest.approx(here.wait_s, abs=1e-5)
            assert [one.whole_in_s for one in there.standings] == pytest.approx(
                [one.whole_in_s for one in here.standings], abs=1e-5
            )
            if here.wait_s == 0:
                Hold(wants, here.correct).end(used)
                Hold(wants, there.correct).end(used)
                await told(shared)


async def test_a_worker_that_starts_later_or_elsewhere_has_the_same_buckets(
    redis: RedisServer,
) -> None:
    early, late = ManualClock(ticks=500_000.0), ManualClock(ticks=3.0)
    async with open_shared(redis, early) as first, open_shared(redis, late) as second:
        assert await fill(first, ONE) == 60
        assert (await second.take(ONE)).wait_s == pytest.approx(1.0)
        early.ticks += 10.0  # of which the other one has seen nothing yet
        assert await fill(first, ONE) == 10
        late.ticks += 10.0
        assert (await second.take(ONE)).wait_s == pytest.approx(1.0)
        late.ticks += 2.0
        assert await fill(second, ONE) == 2
        early.ticks += 2.0
        assert await fill(first, ONE) == 0


async def test_the_time_of_the_first_worker_is_where_the_last_one_left_it(
    redis: RedisServer,
) -> None:
    async with open_shared(redis, ManualClock(ticks=70.0)) as shared:
        assert await fill(shared, ONE) == 60
    clock = ManualClock(ticks=9_000.0)
    async with open_shared(redis, clock) as shared:
        assert (await shared.take(ONE)).wait_s == pytest.approx(1.0)
        clock.ticks += 3.0
        assert await fill(shared, ONE) == 3


@pytest.mark.parametrize("jump", [timedelta(hours=-1), timedelta(days=1)])
async def test_a_servers_clock_that_jumps_fills_no_bucket(tmp_path: Path, jump: timedelta) -> None:
    wall = FakedClock(tmp_path, begins=datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    clock = ManualClock()
    with serve_redis(**wall.environ) as server:
        async with open_shared(server, clock) as shared:
            assert await fill(shared, ONE) == 60
            with server.client() as client:
                before = client.time()
                wall.jump(jump)
                await until(lambda: abs(client.time()[0] - before[0]) > 1000)
            assert (await shared.take(ONE)).wait_s == pytest.approx(1.0)
            clock.ticks += 4.0
            assert await fill(shared, ONE) == 4


async def test_what_is_kept_names_ids_alone_and_is_forgotten(redis: RedisServer) -> None:
    async with open_shared(redis, ManualClock()) as shared:
        await shared.take([*ONE, Want(TOKENS, 1800)])
    with redis.client() as client:
        assert sorted(client.keys()) == sorted([TIME, key_of(REQUESTS), key_of(TOKENS)])
        lives = {key: client.ttl(key) for key in (TIME, key_of(REQUESTS), key_of(TOKENS))}
    assert KEPT_S - 60 <= lives[TIME] <= KEPT_S
    assert KEPT_S - 60 <= lives[key_of(REQUESTS)] <= KEPT_S + 1
    assert KEPT_S + 100 <= lives[key_of(TOKENS)] <= KEPT_S + 180  # a debt is not forgotten


async def test_many_at_once_share_a_few_connections(redis: RedisServer) -> None:
    wants = [Want(Rate("ala", "requests", 100), 1)]
    waits: list[float] = []
    async with open_shared(redis, ManualClock()) as shared:

        async def ask() -> None:
            waits.append((await shared.take(wants)).wait_s)

        async with anyio.create_task_group() as group:
            for _ in range(1000):
                group.start_soon(ask)
        with redis.client() as client:
            connections = len(client.client_list())
    assert (len(waits), waits.count(0)) == (1000, 100)
    assert connections <= 17


async def test_who_leaves_while_the_keeper_is_asked_hears_the_answer_first(
    redis: RedisServer,
) -> None:
    wants = [Want(TOKENS, 500)]
    used: list[int] = []
    async with open_shared(redis, ManualClock()) as shared:

        async def ask() -> None:
            verdict = await shared.take(wants)
            Hold(wants, verdict.correct).end(20)
            used.append(20)

        redis.stand_still(is_still=True)
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
            redis.stand_still(is_still=False)
        assert used == [20]
        await told(shared)
        assert (await shared.look([TOKENS]))[0].left == 580


class Heard:
    """How often one's own share decided."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


def shared_settings(server: RedisServer, **limits: float) -> Settings:
    own = LimitsSettings.model_validate({"shared_url": server.url, "shared_s": 30, **limits})
    return Settings(limits=own, workers=4)


async def until(is_so: Callable[[], bool]) -> None:
    await anyio.to_thread.run_sync(wait_until, is_so)


async def test_while_it_is_away_each_goes_by_its_share_and_then_by_the_whole_again(
    redis: RedisServer,
) -> None:
    heard = Heard()
    with structlog.testing.capture_logs() as lines:
        async with open_pacer(shared_settings(redis), clock=SystemClock(), on_alone=heard) as pacer:
            held = await pacer.take([*ONE, Want(TOKENS, 500)])
            assert heard.times == 0
            redis.stop()
            wants = [Want(Rate("ola", "requests", 40), 1)]
            began = time.monotonic()
            alone = await fill(pacer, wants)
            assert 10 <= alone <= 10 + (time.monotonic() - began)
            assert heard.times == alone + 1
            Hold([Want(TOKENS, 500)], held.correct).end(900)
            assert (await pacer.look([TOKENS]))[0].left == 150  # of this worker alone
            redis.start()
            await until(lambda: any(line["event"] == "shared_limits_back" for line in lines))
            before = heard.times
            began = time.monotonic()
            whole = await fill(pacer, wants)
            assert 40 <= whole <= 40 + (time.monotonic() - began)
            assert heard.times == before
    told_of = [line["event"] for line in lines]
    assert told_of == ["shared_limits_away", "shared_limits_back"]
    assert PASSWORD not in str(lines)


async def test_a_server_that_stands_still_costs_one_wait_and_what_is_owed_is_told_later(
    redis: RedisServer,
) -> None:
    heard = Heard()
    configured = shared_settings(redis, shared_s=0.2)
    async with open_pacer(configured, clock=SystemClock(), on_alone=heard) as pacer:
        held = await pacer.take([Want(TOKENS, 300)])
        redis.stand_still(is_still=True)
        try:
            await pacer.take(ONE)
            assert heard.times == 1
            Hold([Want(TOKENS, 300)], held.correct).end(3000)
        finally:
            redis.stand_still(is_still=False)
        with redis.client() as client:
            await until(lambda: float(str(client.hget(key_of(TOKENS), "level"))) < -2000)


async def test_who_cannot_reach_it_at_the_start_starts_all_the_same() -> None:
    heard = Heard()
    limits = LimitsSettings(shared_url="redis://127.0.0.1:1/0")
    async with open_pacer(Settings(limits=limits), clock=SystemClock(), on_alone=heard) as pacer:
        assert (await pacer.take(ONE)).wait_s == 0
    assert heard.times == 1


async def test_a_wrong_password_is_told_as_what_it_is(redis: RedisServer) -> None:
    url = f"redis://:geheim@127.0.0.1:{redis.port}/0"
    async with open_keeper(url, limit_s=30) as keeper:
        with pytest.raises(KeeperAway, match="AuthenticationError"):
            await keeper.ask("take", ONE, time_s=0.0)


@pytest.mark.parametrize("url", ["memcached://tajne@host", "127.0.0.1:6379", "redis://host:port"])
async def test_what_is_no_address_is_refused_without_repeating_it(url: str) -> None:
    limits = LimitsSettings(shared_url=url)
    with pytest.raises(SettingsError, match=r"^limits\.shared_url is no address such as"):
        async with open_pacer(
            Settings(limits=limits), clock=SystemClock(), on_alone=Heard()
        ) as pacer:
            await pacer.take(ONE)
