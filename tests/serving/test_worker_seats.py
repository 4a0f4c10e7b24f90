"""What workers share: the port that is held, the pipe on which they tell that they are ready."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving.settings import SettingsError
from serving.workers.listening import open_shared, reserve_port


@pytest.fixture
def held() -> Iterator[socket.socket]:
    with reserve_port("127.0.0.1", 0) as one:
        yield one


def test_workers_share_the_port_that_is_held(held: socket.socket) -> None:
    port = held.getsockname()[1]
    with open_shared("127.0.0.1", port) as first, open_shared("127.0.0.1", port) as second:
        assert first.getsockname() == second.getsockname() == held.getsockname()


def test_a_port_that_somebody_serves_is_refused_by_its_name(held: socket.socket) -> None:
    port = held.getsockname()[1]
    with open_shared("127.0.0.1", port) as worker:
        worker.listen()
        with pytest.raises(SettingsError, match=f"port {port} of '127.0.0.1' is in use"):
            reserve_port("127.0.0.1", port)


LEAVES_A_CHILD = """
import subprocess, sys
from serving.workers.seat import Seat

seat = Seat(number=0, count=1)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("a plugin's print")
seat.tell_ready("http://127.0.0.1:1")
print(child.pid, file=sys.stderr)
"""


def test_what_a_worker_prints_is_no_word_and_its_children_hold_no_pipe() -> None:
    process = subprocess.Popen(
        (sys.executable, "-c", LEAVES_A_CHILD),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stderr is not None
    with process.stdout, process.stdin, process.stderr:
        assert process.stdout.read() == b"ready http://127.0.0.1:1\n"  # to its end
        process.wait()
        told = process.stderr.readline(), process.stderr.readline()
        os.kill(int(told[-1] if told[-1].strip().isdigit() else told[0]), signal.SIGKILL)
    assert b"a plugin's print\n" in told
