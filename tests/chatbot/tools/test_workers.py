"""Killable processes: results, limits, recovery, and nothing left behind."""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from anyio import to_thread
from anyio.from_thread import start_blocking_portal
from scripted.jobs import (
    announce_and_compute,
    give_generator,
    ignore_sigterm,
    pid_after,
    power,
    raise_unreadable,
    refuse,
    swallow_memory,
)
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.worker_programs import open_workers

from chatbot.errors import ToolError, WorkerBusy, WorkerError, WorkerLost, WorkerTimeout
from chatbot.tools.orders import ByName
from chatbot.tools.workers import ProcessWorkers

pytestmark = pytest.mark.usefixtures("calculators")  # so that the fork server has SymPy

LIMIT_S = 0.4


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessWorkers]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(ProcessWorkers(memory_mib=512)) as workers,
    ):
        workers.call(PATIENCE_S, power, 2, 2)
        yield workers


def pids(workers: ProcessWorkers) -> set[int]:
    """Who answers two calls at once; two processes, unless one is not back yet."""
    with ThreadPoolExecutor(2) as threads:
        return set(threads.map(lambda _: workers.call(PATIENCE_S, pid_after, 0.1), range(2)))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def is_true_within(seconds: float, claim: Callable[[], bool]) -> bool:
    ends = time.monotonic() + seconds
    while not claim() and time.monotonic() < ends:
        time.sleep(0.02)
    return claim()


@contextmanager
def patience() -> Iterator[None]:
    """A block that ends in time: what a limit should end would never end by itself."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began <= PATIENCE_S


@dataclass(frozen=True, kw_only=True, slots=True)
class Stuck:
    """A call that runs in the worker ``pid`` and gives nothing before `NEVER_S`."""

    pid: int
    call: Future[None]


@contextmanager
def stuck(workers: ProcessWorkers, folder: Path) -> Iterator[Stuck]:
    """Somebody's call, which is under way within the block and ended after it."""
    with ThreadPoolExecutor(1) as threads:
        call = threads.submit(workers.call, NEVER_S, announce_and_compute, str(folder))
        assert is_true_within(PATIENCE_S, lambda: any(folder.iterdir()))
        (place,) = folder.iterdir()
        yield Stuck(pid=int(place.name), call=call)
        if is_running(int(place.name)):
            os.kill(int(place.name), signal.SIGKILL)


async def test_a_call_gives_what_the_function_returns(workers: ProcessWorkers) -> None:
    assert workers.call(PATIENCE_S, power, 2, exponent=10) == 1024


async def test_a_call_raises_what_the_function_raised(workers: ProcessWorkers) -> None:
    with pytest.raises(ToolError, match="nie dzielę przez zero"):
        workers.call(PATIENCE_S, refuse)


async def test_nothing_starts_before_the_first_call() -> None:
    before = set(multiprocessing.active_children())
    async with ProcessWorkers():
        assert set(multiprocessing.active_children()) <= before


async def test_closing_ends_both_workers() -> None:
    async with ProcessWorkers() as workers:
        assert is_true_within(PATIENCE_S, lambda: len(pids(workers)) == 2)
        ended = pids(workers)
    assert not any(map(is_running, ended))


async def test_a_loop_in_c_code_is_killed_at_its_limit(workers: ProcessWorkers) -> None:
    workers.call(PATIENCE_S, power, 2, 2)
    with patience(), pytest.raises(WorkerTimeout):
        workers.call(LIMIT_S, power, 9, 9**9)


async def test_a_worker_that_ignores_sigterm_ends_by_its_own_alarm(
    workers: ProcessWorkers,
) -> None:
    workers.call(PATIENCE_S, power, 2, 2)
    with patience(), pytest.raises(WorkerTimeout):
        workers.call(LIMIT_S, ignore_sigterm)


async def test_after_a_kill_both_workers_are_back(workers: ProcessWorkers) -> None:
    with pytest.raises(WorkerTimeout):
        workers.call(LIMIT_S, power, 9, 9**9)
    assert workers.call(PATIENCE_S, power, 2, 2) == 4  # how soon: tests/faults
    assert is_true_within(PATIENCE_S, lambda: len(pids(workers)) == 2)


async def test_other_calls_go_on_while_one_is_stuck(
    workers: ProcessWorkers, tmp_path: Path
) -> None:
    with stuck(workers, tmp_path) as one:
        answers = [workers.call(PATIENCE_S, power, 2, n) for n in range(50)]
        assert answers == [2**n for n in range(50)]
        assert not one.call.done()


async def test_a_call_that_finds_no_free_worker_says_so_after_its_own_limit(
    tmp_path: Path,
) -> None:
    async with ProcessWorkers(workers=1) as workers:
        with stuck(workers, tmp_path) as one:
            with pytest.raises(WorkerBusy):
                workers.call(0.1, power, 2, 2)
            assert not one.call.done()


async def test_want_of_memory_ends_the_worker_and_not_the_pool(workers: ProcessWorkers) -> None:
    with pytest.raises(WorkerLost):
        workers.call(PATIENCE_S, swallow_memory)
    assert workers.call(PATIENCE_S, power, 2, 2) == 4


async def test_a_worker_killed_in_a_call_is_lost_and_replaced(
    workers: ProcessWorkers, tmp_path: Path
) -> None:
    with stuck(workers, tmp_path) as one:
        os.kill(one.pid, signal.SIGKILL)
        with pytest.raises(WorkerLost):
            one.call.result(PATIENCE_S)
    assert workers.call(PATIENCE_S, power, 2, 2) == 4


@pytest.mark.parametrize("wait_s", [0, 0.05, 0.3])
async def test_idle_workers_killed_from_outside_are_replaced(
    workers: ProcessWorkers, wait_s: float
) -> None:
    for pid in pids(workers):
        os.kill(pid, signal.SIGKILL)
    await anyio.sleep(wait_s)
    assert workers.call(PATIENCE_S, power, 2, 2) == 4


async def test_a_reply_that_cannot_be_read_spoils_only_its_own_call(
    workers: ProcessWorkers,
) -> None:
    with pytest.raises(WorkerLost):
        workers.call(PATIENCE_S, raise_unreadable)
    with pytest.raises(WorkerError, match="cannot be sent"):
        workers.call(PATIENCE_S, give_generator)
    assert workers.call(PATIENCE_S, power, 2, 2) == 4


async def test_a_reply_over_the_limit_is_refused() -> None:
    async with ProcessWorkers(max_reply_bytes=1000) as workers:
        with pytest.raises(WorkerError, match="more than 1000 bytes"):
            workers.call(PATIENCE_S, power, 10, 5000)


async def test_a_worker_cannot_write_a_file(workers: ProcessWorkers, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File too large"):
        workers.call(PATIENCE_S, (tmp_path / "canary").write_text, "sings")


async def test_calls_from_many_threads_get_their_own_answers(workers: ProcessWorkers) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: workers.call(PATIENCE_S, power, 3, n), range(100)))
    assert answers == [3**n for n in range(100)]


async def test_a_worker_is_renewed_after_its_share_of_calls() -> None:
    async with ProcessWorkers(workers=1, max_calls=2) as workers:
        pids = [workers.call(PATIENCE_S, os.getpid) for _ in range(5)]
    assert len(set(pids)) == 3


async def test_closing_frees_a_thread_that_waits(tmp_path: Path) -> None:
    async with AsyncExitStack() as opened:
        workers = await opened.enter_async_context(ProcessWorkers())
        with stuck(workers, tmp_path) as one:
            await opened.aclose()
            with pytest.raises(WorkerLost, match="closed"):
                one.call.result(PATIENCE_S)


async def test_closed_workers_refuse_calls() -> None:
    async with ProcessWorkers() as workers:
        pass
    with pytest.raises(WorkerLost, match="closed"):
        workers.call(PATIENCE_S, power, 2, 2)


async def test_workers_close_when_the_caller_is_cancelled() -> None:
    with anyio.CancelScope() as caller:
        async with ProcessWorkers() as workers:
            pid = await to_thread.run_sync(workers.call, PATIENCE_S, os.getpid)
            caller.cancel()
            await anyio.sleep_forever()
    assert not is_running(pid)


async def test_a_function_by_name_is_imported_by_the_worker_alone(
    workers: ProcessWorkers,
) -> None:
    to_path: ByName[[str], str] = ByName("nturl2path:url2pathname")
    assert workers.call(PATIENCE_S, to_path, "//a") == "\\\\a"
    assert "nturl2path" not in sys.modules


async def test_a_worker_starts_no_workers(workers: ProcessWorkers) -> None:
    with pytest.raises(RuntimeError, match="__main__"):
        workers.call(PATIENCE_S, open_workers)
