"""Claims on engines: only one process at a time supervises the server of an engine."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from chatbot.errors import ZwrotnicaError

_PATIENCE_S: Final = 0.5
"""Longer than readers hold the lock, who only look whether it is free."""
_STEP_S: Final = 0.05


class EngineClaimed(ZwrotnicaError):
    """Another process supervises this engine."""


@contextmanager
def claim_engine(folder: Path, name: str) -> Iterator[None]:
    """Hold the engine ``name`` in ``folder`` (made where it is missing) for this process.

    The kernel gives the claim up when the process ends, however it ends; children that are other
    programs do not inherit it.

    Raises:
        EngineClaimed: another process holds it.
        OSError: the folder cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(_path(folder, name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not _lock(descriptor):
            raise EngineClaimed(
                f"engine {name!r} is supervised by another process already; stop that one first, "
                f"or give this one a 'data_dir' other than {str(folder.parent)!r}"
            )
        yield
    finally:
        os.close(descriptor)


def is_claimed(folder: Path, name: str) -> bool:
    """Whether some process, this one included, holds the engine ``name`` in ``folder``."""
    try:
        descriptor = os.open(_path(folder, name), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # held; or on a file system without locks, where the state is believed
        return True
    finally:
        os.close(descriptor)
    return False


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.lock"


def _lock(descriptor: int) -> bool:
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(_STEP_S)
        else:
            return True
