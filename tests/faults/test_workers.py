"""Two workers on one port: spread, one conversation for both, replaced, drained, counted once."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from anyio.from_thread import start_blocking_portal
from scripted.crew import FIGURE, RunningCrew, crew_of
from scripted.fault_server import FaultServer
from scripted.patience import PATIENCE_S

pytestmark = pytest.mark.faults

ASKED = {"model": "zwrotnica", "messages": [{"role": "user", "content": "Ułóż fraszkę"}]}
DRAIN_S = 2.0
END = "event: done"
COMPLETED = 'http_requests_total{route="/v1/chat/completions",status="200"}'


class Scene:
    """A crew in front of an engine that waits for permits where it is told to."""

    def __init__(self, crew: RunningCrew, engine: FaultServer) -> None:
        self.crew = crew
        self.engine = engine

    @contextmanager
    def holding(self) -> Iterator[None]:
        """No answer that begins within the block goes beyond its first token."""
        self.engine.permits = asyncio.Semaphore(0)
        try:
            yield
        finally:
            self.engine.permits = None

    def converse(self) -> str:
        url = f"{self.crew.url}/api/conversations"
        return f"{url}/{requests.post(url, json={}, timeout=PATIENCE_S).json()['id']}"

    def fresh(self, method: str, url: str, **more: object) -> requests.Response:
        """Over a connection of its own, which any worker may take."""
        return requests.request(method, url, timeout=PATIENCE_S, **more)  # type: ignore[arg-type]  # a test's own

    def figures(self) -> dict[str, float]:
        page = self.fresh("GET", f"{self.crew.url}/metrics").text
        return {name: float(value) for name, value in FIGURE.findall(page)}


@contextmanager
def open_scene(folder: Path) -> Iterator[Scene]:
    with start_blocking_portal() as portal:
        engine = FaultServer(default="fault=none;tokens=40")
        with portal.wrap_async_context_manager(engine):
            environ = {
                "ZWROTNICA_ENGINES__SLOW__KIND": "vllm",
                "ZWROTNICA_ENGINES__SLOW__URL": engine.url,
                "ZWROTNICA_LIMITS__DRAIN_S": str(DRAIN_S),
            }
            with crew_of(folder, environ) as crew:
                yield Scene(crew, engine)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """For what leaves a whole crew behind: each start imports the product three times."""
    with open_scene(tmp_path_factory.mktemp("shared")) as scene:
        yield scene


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """For what ends the crew."""
    with open_scene(tmp_path) as scene:
        yield scene


def ask(url: str) -> requests.Response:
    return requests.post(f"{url}/v1/chat/completions", json=ASKED, timeout=PATIENCE_S)


def complete(url: str) -> int:
    return ask(url).status_code


def test_requests_are_spread_and_every_worker_answers_for_all(shared: Scene) -> None:
    before = shared.figures().get(COMPLETED, 0)
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(ask, [shared.crew.url] * 64))
    ids = {reply.headers["x-request-id"] for reply in replies}

    def served() -> list[object]:
        return [one["worker"] for one in shared.crew.told("request") if one["request_id"] in ids]

    assert [reply.status_code for reply in replies] == [200] * 64
    shared.crew.wait_for(lambda: shared.figures()[COMPLETED] - before == 64)
    assert {shared.figures()[COMPLETED] - before for _ in range(16)} == {64}
    shared.crew.wait_for(lambda: len(served()) == len(ids) == 64)
    assert min(served().count(0), served().count(1)) >= 8


def test_a_live_answer_is_found_stopped_and_kept_busy_from_every_worker(shared: Scene) -> None:
    begun = len(shared.engine.exchanges)
    place = shared.converse()
    with shared.holding():
        asked = shared.fresh(
            "POST", f"{place}/messages", json={"text": "Ułóż fraszkę"}, stream=True
        )
        message = f"{place}/messages/{asked.headers['x-message-id']}"
        again = [
            shared.fresh("POST", f"{place}/messages", json={"text": "I co?"}) for _ in range(8)
        ]
        busy = [shared.fresh("GET", place).json()["busy"] for _ in range(8)]
        stopped = shared.fresh("POST", f"{message}/stop")
        told = [shared.fresh("GET", f"{message}/events").text for _ in range(8)]
    assert [reply.status_code for reply in again] == [409] * 8
    assert busy == [True] * 8
    assert stopped.status_code == 204
    assert all(END in text and '"cancelled"' in text for text in told)
    assert len(shared.engine.exchanges) - begun == 1


def test_a_killed_worker_is_reported_and_replaced(shared: Scene) -> None:
    first = shared.crew.pids()
    shared.crew.kill(1)
    shared.crew.wait_for(lambda: shared.crew.pids()[1] != first[1])
    assert [(one["worker"], one["exit"]) for one in shared.crew.told("worker_ended")] == [
        (1, -signal.SIGKILL)
    ]
    assert shared.crew.pids()[0] == first[0]
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(complete, [shared.crew.url] * 16)) == {200}
    shared.crew.wait_for(lambda: shared.figures()["turns"] == 0)


def test_all_workers_drain_and_the_supervisor_ends_well(scene: Scene) -> None:
    with scene.holding(), ThreadPoolExecutor(8) as pool:
        running = [pool.submit(complete, scene.crew.url) for _ in range(8)]
        scene.crew.wait_for(lambda: len(scene.engine.exchanges) == 8)
        began = time.monotonic()
        code = scene.crew.stop()
        seconds = time.monotonic() - began
        statuses = [one.result() for one in running]
    assert (code, statuses) == (0, [503] * 8)
    assert seconds >= DRAIN_S
    assert not any(map(is_alive, scene.crew.pids().values()))


def test_workers_do_not_outlive_a_killed_supervisor(scene: Scene) -> None:
    scene.crew.process.kill()
    scene.crew.wait_for(lambda: not any(map(is_alive, scene.crew.pids().values())))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_worker_that_cannot_start_ends_all(tmp_path: Path) -> None:
    with crew_of(tmp_path, {"ZWROTNICA_STORAGE__URL": "sqlite:////nie/ma/takiego.db"}) as crew:
        assert crew.process.wait() != 0
    assert crew.url == ""
