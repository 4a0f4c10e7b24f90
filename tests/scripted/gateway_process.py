"""A gateway in a process of its own, as an operator starts it."""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SERVE = (sys.executable, "-m", "serving.cli", "serve", "--port", "0")
ADDRESS = re.compile(rb"Zwrotnica: (http://\S+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class GatewayProcess:
    """The running process and where it listens."""

    process: "subprocess.Popen[bytes]"
    url: str

    def stop(self) -> None:
        """Ask it to end, as `kill` and process managers do."""
        self.process.send_signal(signal.SIGTERM)

    @property
    def has_ended(self) -> bool:
        """Whether it is gone."""
        return self.process.poll() is not None


@contextmanager
def serving(folder: Path, environ: Mapping[str, str]) -> Iterator[GatewayProcess]:
    """Serve with the settings in ``environ``, by default without the page, until the block ends."""
    variables = {
        "ZWROTNICA_DATA_DIR": str(folder),
        "ZWROTNICA_PAGE__ENABLED": "false",
        **environ,
    }
    process = subprocess.Popen(SERVE, env=variables, stderr=subprocess.PIPE)
    assert process.stderr is not None
    reader = threading.Thread(target=process.stderr.read, daemon=True)
    try:
        found = next(filter(None, map(ADDRESS.search, process.stderr)))
        reader.start()
        yield GatewayProcess(process=process, url=found[1].decode())
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stderr.close()
