"""Several workers on one port in processes of their own, and what they say of themselves."""

import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scripted.gateway import wait_until
from scripted.gateway_process import ADDRESS, SERVE
from scripted.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
START_S = 4 * PATIENCE_S
"""Three processes import the product, each for seconds of processor time."""

FIGURE = re.compile(r"^zwrotnica_(\S+) (\S+)$", re.MULTILINE)


class RunningCrew:
    """A supervisor with its workers; `events` are their log lines, in order."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.url = ""
        self.events: list[Mapping[str, object]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        wait_until(lambda: bool(self.url) or process.poll() is not None, limit_s=START_S)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := ADDRESS.search(line):
                self.url = found[1].decode()
            elif line.startswith(b"{"):
                self.events.append(json.loads(line))

    def told(self, event: str) -> list[Mapping[str, object]]:
        return [one for one in self.events if one["event"] == event]

    def pids(self) -> dict[int, int]:
        """Each worker's process."""
        return {
            number: pid
            for one in self.told("worker_ready")
            if isinstance(number := one["worker"], int) and isinstance(pid := one["pid"], int)
        }

    def kill(self, number: int) -> None:
        os.kill(self.pids()[number], signal.SIGKILL)

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        wait_until(is_so)

    def stop(self) -> int:
        """Ask all to end; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait()
        self._reader.join()
        return code


@contextmanager
def crew_of(folder: Path, environ: Mapping[str, str], *, workers: int = 2) -> Iterator[RunningCrew]:
    """Serve with so many workers, by default without the page, until the block ends."""
    variables = {
        "PYTHONPATH": str(ROOT),
        "ZWROTNICA_DATA_DIR": str(folder),
        "ZWROTNICA_PAGE__ENABLED": "false",
        "ZWROTNICA_WORKERS": str(workers),
        "ZWROTNICA_LOG__FORMAT": "json",
        **environ,
    }
    process = subprocess.Popen(SERVE, env=variables, stderr=subprocess.PIPE)
    try:
        yield RunningCrew(process)
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
