"""Reads from /proc what processes have cost."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, kw_only=True, slots=True)
class Processes:
    """A gateway and, where it runs, its page."""

    gateway: int
    page: int

    def spent_ms(self) -> tuple[float, float]:
        """Processor time of the gateway and of the page until now, in milliseconds."""
        return _spent_ms(self.gateway), _spent_ms(self.page)


def find_page(gateway: int) -> Processes:
    """The gateway with this process id and its child that is the page.

    Raises:
        LookupError: it has none.
    """
    children = Path(f"/proc/{gateway}/task/{gateway}/children").read_text(encoding="ascii")
    for child in map(int, children.split()):
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if b"--gateway" in words:
            return Processes(gateway=gateway, page=child)
    raise LookupError(f"process {gateway} has no page")


def _spent_ms(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / _TICKS
