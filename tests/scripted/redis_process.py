"""A Redis server of one's own, in memory alone, on a free port."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError
from scripted.gateway import wait_until
from scripted.missing import stop_without
from scripted.ports import free_port

INSTALL = "run: make test-parts as root (or tests/parts/install.sh)"
PASSWORD = "tajne-hasło"  # as an operator's may be: not ASCII
ESCAPED = "tajne-has%C5%82o"
"""The password as addresses write it."""


class RedisServer:
    """A server with a password; it can be stopped, started again, and told to stand still."""

    def __init__(self, folder: Path, program: str, environ: Mapping[str, str]) -> None:
        """Nothing runs yet; ``environ`` are further variables that it is started with."""
        self.port = free_port()
        self.url = f"redis://:{ESCAPED}@127.0.0.1:{self.port}/0"
        self._folder = folder
        self._program = program
        self._environ = {**os.environ, **environ}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Serve with nothing in memory, until it answers."""
        quiet = ("--save", "", "--appendonly", "no", "--bind", "127.0.0.1")
        here = ("--port", str(self.port), "--dir", str(self._folder), "--requirepass", PASSWORD)
        words = (self._program, *quiet, *here)
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, env=self._environ)
        wait_until(self._is_ready)

    def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End it; what it kept is gone."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def stand_still(self, *, is_still: bool) -> None:
        """Take connections and say nothing, or go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP if is_still else signal.SIGCONT)

    def client(self) -> "Redis":
        """How some other program looks into it."""
        return Redis.from_url(self.url, decode_responses=True)

    def processor_s(self) -> float:
        """Seconds of processor time that it has taken."""
        with self.client() as client:
            told = client.info("cpu")
        assert isinstance(told, dict)
        return float(told["used_cpu_user"]) + float(told["used_cpu_sys"])

    def _is_ready(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except RedisError:
            return False


@contextmanager
def serve_redis(**environ: str) -> Iterator[RedisServer]:
    """A running server with nothing in it, until the block is left."""
    program = shutil.which("redis-server")
    if program is None:
        stop_without(f"Redis is not installed; {INSTALL}")
    with tempfile.TemporaryDirectory(prefix="redis-") as folder:
        server = RedisServer(Path(folder), program, environ)
        server.start()
        try:
            yield server
        finally:
            server.stop()
