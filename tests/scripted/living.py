"""Whether processes live."""

import os
from pathlib import Path

from scripted.full_stack import wait_for
from scripted.patience import PATIENCE_S


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and was not yet waited for does not."""
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False


async def read_pids(file: Path) -> tuple[int, ...]:
    """The process ids that a family has written."""
    await wait_for(file.exists, PATIENCE_S)
    return tuple(map(int, file.read_text().split()))  # noqa: ASYNC240 (a few bytes)
