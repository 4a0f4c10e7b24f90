"""Functions that tests have run in a worker process; they import next to nothing."""

import os
import signal
import time
from pathlib import Path

from scripted.patience import NEVER_S

from chatbot.errors import ToolError


class Unreadable(Exception):
    """Can be pickled, but not read back."""

    def __init__(self, *, reason: str) -> None:
        super().__init__(reason)


def power(base: int, exponent: int) -> int:
    return int(base**exponent)


def refuse() -> None:
    raise ToolError("nie dzielę przez zero")


def swallow_memory() -> int:
    return len(b"x" * 2**40)


def ignore_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(NEVER_S)


def raise_unreadable() -> None:
    raise Unreadable(reason="no positional argument")


def give_generator() -> object:
    return (number for number in range(3))


def announce_and_compute(folder: str) -> None:
    """Leave an empty file named as the process, all that a worker may write; never end."""
    (Path(folder) / str(os.getpid())).touch()
    power(9, 9**9)


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()
