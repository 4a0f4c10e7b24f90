"""Killable processes: results, limits, recovery, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from anyio import to_thread
from anyio.from_thread import start_blocking_portal
from scripted.jobs import (
    give_generator,
    ignore_sigterm,
    pid_after,
    power,
    raise_unreadable,
    refuse,
    swallow_memory,
)

from chatbot.errors import ToolError, WorkerBusy, WorkerError, WorkerLost, WorkerTimeout
from chatbot.tools.workers import ByName, ProcessWorkers

LIMIT_S = 0.4


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessWorkers]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(ProcessWorkers(memory_mib=512)) as workers,
    ):
        yield workers


def children() -> set[int]:
    """The processes below this one, without the resource tracker that the interpreter shares."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            command = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if b"resource_tracker" not in command and fields[0] != "Z":
            parents[int(stat.parent.name)] = int(fields[1])
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@contextmanager
def seconds(at_most: float) -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began <= at_most


async def test_a_call_gives_what_the_function_returns(workers: ProcessWorkers) -> None:
    assert workers.call(5, power, 2, exponent=10) == 1024


async def test_a_call_raises_what_the_function_raised(workers: ProcessWorkers) -> None:
    with pytest.raises(ToolError, match="nie dzielę przez zero"):
        workers.call(5, refuse)


async def test_nothing_starts_before_the_first_call() -> None:
    before = children()
    async with ProcessWorkers():
        assert children() <= before


async def test_closing_leaves_no_process_and_takes_less_than_a_second() -> None:
    before = children()
    async with ProcessWorkers() as workers:
        workers.call(5, power, 2, 2)
        assert len(children() - before) == 2  # the fork server and the one worker needed
        closing = time.monotonic()
    assert time.monotonic() - closing < 1
    assert children() <= before


async def test_closing_leaves_no_descriptor_open(workers: ProcessWorkers) -> None:
    workers.call(5, power, 2, 2)  # starts what the interpreter keeps, the resource tracker
    before = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names, not paths
    async with ProcessWorkers() as second:
        second.call(5, power, 2, 2)
    assert sorted(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - as above


async def test_a_loop_in_c_code_is_killed_at_its_limit(workers: ProcessWorkers) -> None:
    workers.call(5, power, 2, 2)
    with seconds(at_most=LIMIT_S + 0.5), pytest.raises(WorkerTimeout):
        workers.call(LIMIT_S, power, 9, 9**9)


async def test_a_worker_that_ignores_sigterm_ends_by_its_own_alarm(
    workers: ProcessWorkers,
) -> None:
    workers.call(5, power, 2, 2)
    with seconds(at_most=LIMIT_S + 1.5), pytest.raises(WorkerTimeout):
        workers.call(LIMIT_S, ignore_sigterm)


async def test_after_a_kill_both_workers_are_back_at_once(workers: ProcessWorkers) -> None:
    workers.call(5, power, 2, 2)
    with pytest.raises(WorkerTimeout):
        workers.call(LIMIT_S, power, 9, 9**9)
    began = time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        pids = set(threads.map(lambda _: workers.call(5, pid_after, 0.05), range(2)))
    assert len(pids) == 2
    assert time.monotonic() - began <= 1  # 200 ms where nobody else computes: tests/faults


async def test_other_calls_go_on_while_one_is_stuck(workers: ProcessWorkers) -> None:
    workers.call(5, power, 2, 2)
    with ThreadPoolExecutor(1) as threads:
        stuck = threads.submit(workers.call, 1.0, power, 9, 9**9)
        with seconds(at_most=0.6):
            assert [workers.call(5, power, 2, n) for n in range(50)] == [2**n for n in range(50)]
        with pytest.raises(WorkerTimeout):
            stuck.result()


async def test_a_call_that_finds_no_free_worker_says_so_after_its_own_limit() -> None:
    async with ProcessWorkers(workers=1) as workers:
        workers.call(5, power, 2, 2)
        with ThreadPoolExecutor(1) as threads:
            stuck = threads.submit(workers.call, 0.6, time.sleep, 30)
            await anyio.sleep(0.1)
            with seconds(at_most=0.3), pytest.raises(WorkerBusy):
                workers.call(0.1, power, 2, 2)
            with pytest.raises(WorkerTimeout):
                stuck.result()


async def test_want_of_memory_ends_the_worker_and_not_the_pool(workers: ProcessWorkers) -> None:
    with pytest.raises(WorkerLost):
        workers.call(5, swallow_memory)
    assert workers.call(5, power, 2, 2) == 4


async def test_a_worker_killed_in_a_call_is_lost_and_replaced(workers: ProcessWorkers) -> None:
    workers.call(5, power, 2, 2)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(workers.call, 5, time.sleep, 30)
        await anyio.sleep(0.1)
        idle = workers.call(5, os.getpid)
        server = parent(idle)
        for pid in [pid for pid in children() if parent(pid) == server and pid != idle]:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerLost):
            running.result()
    assert workers.call(5, power, 2, 2) == 4


async def test_idle_workers_killed_from_outside_are_replaced(workers: ProcessWorkers) -> None:
    workers.warm()
    server = parent(workers.call(5, os.getpid))
    for pid in [pid for pid in children() if parent(pid) == server]:
        os.kill(pid, signal.SIGKILL)
    await anyio.sleep(0.3)
    assert workers.call(5, power, 2, 2) == 4


async def test_a_fork_server_killed_from_outside_is_replaced() -> None:
    async with ProcessWorkers() as workers:
        server = parent(workers.call(5, os.getpid))
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(workers.call, 5, pid_after, 0.5)
            await anyio.sleep(0.1)
            os.kill(server, signal.SIGKILL)
            assert parent(workers.call(5, os.getpid)) != server
            assert running.result()


async def test_a_reply_that_cannot_be_read_spoils_only_its_own_call(
    workers: ProcessWorkers,
) -> None:
    with pytest.raises(WorkerLost):
        workers.call(5, raise_unreadable)
    with pytest.raises(WorkerError, match="cannot be sent"):
        workers.call(5, give_generator)
    assert workers.call(5, power, 2, 2) == 4


async def test_a_reply_over_the_limit_is_refused() -> None:
    async with ProcessWorkers(max_reply_bytes=1000) as workers:
        with pytest.raises(WorkerError, match="more than 1000 bytes"):
            workers.call(5, power, 10, 5000)


async def test_a_worker_cannot_write_a_file(workers: ProcessWorkers, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File too large"):
        workers.call(5, (tmp_path / "canary").write_text, "sings")


async def test_calls_from_many_threads_get_their_own_answers(workers: ProcessWorkers) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: workers.call(5, power, 3, n), range(100)))
    assert answers == [3**n for n in range(100)]


async def test_a_worker_is_renewed_after_its_share_of_calls() -> None:
    async with ProcessWorkers(workers=1, max_calls=2) as workers:
        pids = [workers.call(5, os.getpid) for _ in range(5)]
    assert len(set(pids)) == 3


async def test_closing_frees_a_thread_that_waits() -> None:
    with ThreadPoolExecutor(1) as threads:
        async with ProcessWorkers() as workers:
            workers.call(5, power, 2, 2)
            waiting = threads.submit(workers.call, 30, time.sleep, 30)
            await anyio.sleep(0.1)
        with seconds(at_most=0.5), pytest.raises(WorkerLost, match="closed"):
            waiting.result()


async def test_closed_workers_refuse_calls() -> None:
    async with ProcessWorkers() as workers:
        pass
    with pytest.raises(WorkerLost, match="closed"):
        workers.call(5, power, 2, 2)


async def test_workers_close_when_the_caller_is_cancelled() -> None:
    before = children()
    with anyio.move_on_after(0.2):
        async with ProcessWorkers() as workers:
            await to_thread.run_sync(workers.call, 5, power, 2, 2)
            await anyio.sleep(30)
    assert children() <= before


async def test_warming_does_not_wait(workers: ProcessWorkers) -> None:
    with seconds(at_most=0.05):
        workers.warm()
    assert workers.call(5, power, 2, 2) == 4


async def test_a_function_by_name_is_imported_by_the_worker_alone(
    workers: ProcessWorkers,
) -> None:
    to_path: ByName[[str], str] = ByName("nturl2path:url2pathname")
    assert workers.call(5, to_path, "//a") == "\\\\a"
    assert "nturl2path" not in sys.modules


def test_workers_do_not_import_the_program_that_uses_them(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(
        "import sys\n"
        "print('imported', flush=True)\n"
        "from chatbot.tools.workers import ProcessWorkers\n"
        "import anyio, os\n"
        "async def main():\n"
        "    async with ProcessWorkers() as workers:\n"
        "        workers.call(5, os.getpid)\n"
        "if __name__ == '__main__':\n"
        "    anyio.run(main)\n"
    )
    root = Path(__file__).parents[3]
    ran = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert (ran.stdout, ran.stderr) == ("imported\n", "")


def test_workers_end_with_a_gateway_that_was_killed(tmp_path: Path) -> None:
    program = (
        "import os, time, signal, threading\n"
        "from chatbot.tools.workers import ProcessWorkers\n"
        "workers = ProcessWorkers()\n"
        "print(workers.call(5, os.getpid), flush=True)\n"
        "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()\n"
        "workers.call(0.5, pow, 9, 9**9)\n"
    )
    root = Path(__file__).parents[3]
    ran = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=root, check=False
    )
    assert ran.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 3
    while _is_running(int(ran.stdout)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(int(ran.stdout))


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
