"""`zwrotnica engines up` in a process of its own, as an operator starts it, and what it prints."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from serving.engines.states import EngineState, read_states

_COMMAND: Final = (sys.executable, "-m", "serving.cli", "--config")


class EnginesUp:
    """The running command; ``lines`` are those printed and read so far."""

    def __init__(self, process: "subprocess.Popen[str]", output: IO[str], folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.lines: list[str] = []
        self._coming: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, args=(output,), daemon=True)
        self._reader.start()

    def wait_told(self, words: str, within_s: float) -> str:
        """The next line with ``words`` in it."""
        while words not in (line := self._coming.get(timeout=within_s)):
            self.lines.append(line)
        self.lines.append(line)
        return line

    def wait_ready(self, within_s: float) -> EngineState:
        """The state of the only engine, when it is ready the next time."""
        self.wait_told("ready after", within_s)
        [state] = read_states(self.folder)
        return state

    def stop(self, within_s: float) -> int:
        """Ask it to end, as `kill` and process managers do; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=within_s)

    def _read(self, output: IO[str]) -> None:
        for line in output:
            self._coming.put(line)


@contextmanager
def engines_up(config: Path, folder: Path, *names: str, **environ: str) -> Iterator[EnginesUp]:
    """Run it with ``config``, whose data folder is ``folder``, until the block ends."""
    command = (*_COMMAND, str(config), "engines", "up", *names)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | environ
    ) as process:
        assert process.stdout is not None
        try:
            yield EnginesUp(process, process.stdout, folder)
        finally:
            process.terminate()


def list_group(group: int) -> list[int]:
    """The processes of a group that run."""
    return [pid for pid in _pids() if _field(pid, 2) == str(group) and _field(pid, 0) != "Z"]


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _field(pid: int, number: int) -> str:
    """A field of /proc/PID/stat after the name: 0 the state, 2 the group; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[number]
    except (FileNotFoundError, ProcessLookupError):
        return ""
