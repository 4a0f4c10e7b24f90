"""How much memory this process has, told again and again."""

import os
from pathlib import Path
from typing import Final, NoReturn

import anyio
from prometheus_client import Gauge

_STATM: Final = Path("/proc/self/statm")
_EVERY_S: Final = 5.0


async def watch_memory(gauge: Gauge) -> NoReturn:
    """Set ``gauge`` until cancelled; it stays at zero where the system does not tell (no Linux)."""
    while True:
        gauge.set(resident_bytes())
        await anyio.sleep(_EVERY_S)


def resident_bytes() -> int:
    """What of this process is in main memory; 0: the system does not tell."""
    try:
        pages = int(_STATM.read_bytes().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
