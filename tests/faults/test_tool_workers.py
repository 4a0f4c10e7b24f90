"""Workers in an interpreter of their own, where the one fork server may die with all the rest."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scripted.patience import NEVER_S, PATIENCE_S

pytestmark = pytest.mark.faults

TESTS = Path(__file__).parents[1]


@contextmanager
def running(*program: str) -> Iterator[subprocess.Popen[str]]:
    """A program with a session of its own, so that its processes can be told from others."""
    started = subprocess.Popen(
        (sys.executable, "-W", "error", "-m", "scripted.worker_programs", *program),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=TESTS,
        start_new_session=True,
    )
    with started:
        yield started


def output(*program: str) -> list[str]:
    """The lines that a program prints; it fails on nothing and leaves nobody behind."""
    with running(*program) as started:
        printed, complaints = started.communicate(timeout=PATIENCE_S)
        assert (started.returncode, complaints) == (0, "")
        assert_all_end(started.pid)
    return printed.splitlines()


def read_until(program: subprocess.Popen[str], last: str) -> list[str]:
    """The lines that it prints up to ``last``; none if that does not come."""
    assert program.stdout is not None
    lines = []
    for line in program.stdout:
        lines.append(line.rstrip())
        if lines[-1] == last:
            return lines
    return []


def assert_all_end(session: int) -> None:
    ends = time.monotonic() + PATIENCE_S
    while (left := _processes_of(session)) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not left


def _processes_of(session: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, belongs, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(belongs) == session and state != "Z":
            found.append(stat.parent.name)
    return found


def test_a_fork_server_killed_from_outside_is_replaced_and_no_call_is_lost() -> None:
    with running("replace_killed_server") as program:
        printed, _ = program.communicate(
            timeout=2 * PATIENCE_S
        )  # a worker of a killed server may complain
        assert program.returncode == 0
        assert printed.splitlines() == ["32 True True True True", "True"] * 2


def test_closing_leaves_no_descriptor_open() -> None:
    assert len(set(output("count_descriptors"))) == 1


def test_warming_does_not_wait_for_the_server() -> None:
    assert output("warm") == ["True"]


def test_workers_that_nobody_closed_end_with_the_program() -> None:
    assert output("leave_open")


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_gateway_told_to_end_leaves_nobody_behind(ending: signal.Signals, tmp_path: Path) -> None:
    with running("serve", str(NEVER_S), str(tmp_path)) as gateway:
        assert read_until(gateway, "serving")
        os.killpg(gateway.pid, ending)  # to everybody, like Ctrl-C
        printed, complaints = gateway.communicate(timeout=PATIENCE_S)
        assert (gateway.returncode, printed, complaints) == (0, "lost\nlost\n", "")
        assert_all_end(gateway.pid)


def test_a_killed_gateway_leaves_its_workers_only_until_their_limit(tmp_path: Path) -> None:
    with running("serve", "1", str(tmp_path)) as gateway:
        assert read_until(gateway, "serving")
        gateway.kill()
        assert_all_end(gateway.pid)


def test_a_worker_has_no_socket_of_the_gateway(tmp_path: Path) -> None:
    with running("serve", "1", str(tmp_path)) as gateway:
        assert read_until(gateway, "serving") == ["", "serving"]
        gateway.terminate()
        assert gateway.wait(timeout=PATIENCE_S) == 0
