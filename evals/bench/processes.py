"""Reads from the kernel what processes have cost."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")


@dataclass(frozen=True, kw_only=True, slots=True)
class Processes:
    """A gateway and, where it runs, its page."""

    gateway: int
    page: int

    def spent_ms(self) -> tuple[float, float]:
        """Processor time of the gateway and of the page until now, in milliseconds."""
        return read_cpu_s([self.gateway]) * 1e3, read_cpu_s([self.page]) * 1e3


def find_page(gateway: int) -> Processes:
    """The gateway with this process id and its child that is the page.

    Raises:
        LookupError: it has none.
    """
    for child in _children(gateway):
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if b"--gateway" in words:
            return Processes(gateway=gateway, page=child)
    raise LookupError(f"process {gateway} has no page")


def list_family(pid: int, *, proc: Path = PROC) -> tuple[int, ...]:
    """The process and all that descend from it; who ends meanwhile is left out.

    Raises:
        ProcessLookupError: it has ended.
    """
    if not (proc / str(pid)).exists():
        raise ProcessLookupError(f"process {pid} has ended")
    return (pid, *_descendants(pid, proc))


def _descendants(pid: int, proc: Path) -> Iterator[int]:
    for child in _children(pid, proc):
        if (proc / str(child)).exists():
            yield child
            yield from _descendants(child, proc)


def _children(pid: int, proc: Path = PROC) -> Sequence[int]:
    """By each of its threads: one that has ended has none, and may be listed still."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in (proc / str(pid) / "task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


def read_cpu_s(pids: Sequence[int]) -> float:
    """Seconds of processor time that the processes took until now, to the nanosecond.

    Raises:
        OSError: one of them has ended.
    """
    return sum(time.clock_gettime(~pid << 3 | 2) for pid in pids)  # clock_getcpuclockid(3)


def read_resident_mib(pids: Sequence[int]) -> float:
    """MiB of memory that the processes hold; what they share counts for each."""
    return sum(int(_read_status(pid)["VmRSS"].split()[0]) for pid in pids) / 1024


def count_threads(pids: Sequence[int]) -> int:
    """Threads of the processes."""
    return sum(int(_read_status(pid)["Threads"]) for pid in pids)


def count_descriptors(pids: Sequence[int]) -> int:
    """Files and sockets that the processes hold open."""
    return sum(1 for pid in pids for _ in Path(f"/proc/{pid}/fd").iterdir())


def _read_status(pid: int) -> dict[str, str]:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return dict(line.split(":", 1) for line in status.splitlines() if ":" in line)


def read_machine_s() -> float:
    """Seconds of processor time that the whole machine took until now, in hundredths."""
    words = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
    user, nice, system, _idle, _waiting, *rest = map(int, words[1:8])
    return (user + nice + system + sum(rest)) / 100
