"""What two workers on one port let in together: requests of a minute, and requests at once."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from anyio.from_thread import BlockingPortal, start_blocking_portal
from scripted.crew import RunningCrew, crew_of
from scripted.fault_server import FaultServer
from scripted.gateway import wait_until
from scripted.opened_ledger import states_in
from scripted.patience import PATIENCE_S
from scripted.redis_process import PASSWORD, RedisServer, serve_redis

pytestmark = pytest.mark.parts

ASKED = {"model": "slow", "messages": [{"role": "user", "content": "Ułóż fraszkę"}]}
LIMIT = 10
TOKENS = 5
MANY = 60


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    with serve_redis() as server:
        yield server


class Scene:
    """Two workers in front of an engine that waits for permits where it is told to."""

    def __init__(self, crew: RunningCrew, engine: FaultServer, portal: BlockingPortal) -> None:
        self.crew = crew
        self._engine = engine
        self._portal = portal

    @contextmanager
    def holding(self) -> Iterator[None]:
        """No answer that begins within the block ends there."""
        permits = self._engine.permits = asyncio.Semaphore(0)
        try:
            yield
        finally:
            self._engine.permits = None
            for _ in range(MANY * TOKENS):
                self._portal.call(permits.release)

    def ask(self) -> requests.Response:
        """Over a connection of its own, which any worker may take."""
        url = f"{self.crew.url}/v1/chat/completions"
        return requests.post(url, json=ASKED, timeout=PATIENCE_S)


@contextmanager
def open_scene(folder: Path, **environ: str) -> Iterator[Scene]:
    with start_blocking_portal() as portal:
        engine = FaultServer(default=f"fault=none;tokens={TOKENS}")
        with portal.wrap_async_context_manager(engine):
            variables = {
                "ZWROTNICA_ENGINES__SLOW__KIND": "vllm",
                "ZWROTNICA_ENGINES__SLOW__URL": engine.url,
                **environ,
            }
            with crew_of(folder, variables) as crew:
                yield Scene(crew, engine, portal)


def test_workers_share_the_limits_of_a_minute_and_say_what_is_left_of_them(
    tmp_path: Path, redis: RedisServer
) -> None:
    with open_scene(
        tmp_path,
        ZWROTNICA_QUOTAS__REQUESTS_PER_MINUTE=str(LIMIT),
        ZWROTNICA_LIMITS__SHARED_URL=redis.url,
        ZWROTNICA_LIMITS__SHARED_S=str(PATIENCE_S),
    ) as scene:
        began = time.monotonic()
        with ThreadPoolExecutor(20) as pool:
            replies = [*pool.map(lambda _: scene.ask(), range(MANY))]
        elapsed_s = time.monotonic() - began
        statuses = Counter(reply.status_code for reply in replies)
        assert LIMIT <= statuses[200] <= LIMIT + elapsed_s * LIMIT / 60
        assert statuses == {200: statuses[200], 429: MANY - statuses[200]}
        left = {
            int(reply.headers["x-ratelimit-remaining-requests"])
            for reply in replies
            if reply.status_code == 200
        }
        assert left == set(range(LIMIT))
        ids = {reply.headers["x-request-id"] for reply in replies}

        def workers() -> Counter[object]:
            lines = [one for one in scene.crew.told("request") if one["request_id"] in ids]
            return Counter(one["worker"] for one in lines)

        scene.crew.wait_for(lambda: workers().total() == MANY)
        assert set(workers()) == {0, 1}
        assert PASSWORD not in str(scene.crew.events)


def test_workers_share_the_limit_of_requests_at_once(tmp_path: Path) -> None:
    with (
        open_scene(tmp_path, ZWROTNICA_QUOTAS__REQUESTS_AT_ONCE=str(LIMIT)) as scene,
        ThreadPoolExecutor(MANY) as pool,
    ):
        with scene.holding():
            asked = [pool.submit(scene.ask) for _ in range(MANY)]
            wait_until(lambda: sum(one.done() for one in asked) == MANY - LIMIT)
            assert {one.result().status_code for one in asked if one.done()} == {429}
            assert states_in(tmp_path) == {"reserved": LIMIT}
        assert Counter(one.result().status_code for one in asked) == {200: LIMIT, 429: MANY - LIMIT}
