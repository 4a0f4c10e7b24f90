"""A wall clock of a process that can be set while it runs, by a library that is loaded into it."""

import shutil
import struct
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from scripted.missing import stop_without

SOURCE: Final = Path(__file__).with_suffix(".c")
INSTALL: Final = "run: make test-parts as root (or tests/parts/install.sh)"


class FakedClock:
    """Wall time alone, ahead of the machine's by whole seconds; monotonic time is the true one.

    ``environ`` are the variables that a process has to be started with.
    """

    def __init__(self, folder: Path, *, begins: datetime) -> None:
        """Let it be ``begins``, an aware time, now; ``folder`` keeps what the process needs."""
        compiler = shutil.which("cc")
        if compiler is None:
            stop_without(f"There is no C compiler; {INSTALL}")
        library = folder / "faked_clock.so"
        words = (compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library))
        subprocess.run((*words, str(SOURCE), "-ldl"), check=True)
        self._file = folder / "faked_clock"
        self._ahead_s = 0
        self._file.write_bytes(struct.pack("q", 0))
        self.jump(begins - datetime.now(UTC))
        self.environ: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "FAKED_CLOCK": str(self._file),
        }

    def now(self) -> datetime:
        """What the process sees."""
        return datetime.now(UTC) + timedelta(seconds=self._ahead_s)

    def jump(self, by: timedelta) -> None:
        """Set it forward, or back, in the same file, which the process has before it."""
        self._ahead_s += int(by.total_seconds())
        with self._file.open("r+b") as file:
            file.write(struct.pack("q", self._ahead_s))
