from collections.abc import AsyncIterator, Iterator

import pytest
from scripted.pacers import open_shared
from scripted.redis_process import RedisServer, serve_redis

from chatbot.testing import ManualClock
from serving.limits import Buckets, Pacer


@pytest.fixture(scope="module")
def running_redis() -> Iterator[RedisServer]:
    with serve_redis() as server:
        yield server


@pytest.fixture
def redis(running_redis: RedisServer) -> RedisServer:
    """A server with nothing in it, for tests that are marked as ``parts``."""
    with running_redis.client() as client:
        client.flushall()
    return running_redis


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(ticks=1000.0)


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.parts)])
async def pacer(request: pytest.FixtureRequest, clock: ManualClock) -> AsyncIterator[Pacer]:
    """Full buckets of either kind."""
    if request.param == "memory":
        yield Buckets(clock=clock)
        return
    async with open_shared(request.getfixturevalue("redis"), clock) as shared:
        yield shared
