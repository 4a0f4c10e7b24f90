"""Tells which writers of the ledger are alive: each holds a file, and a dead process holds none."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

FOLDER: Final = "ledger"
_SUFFIX: Final = ".lock"
_MODE: Final = 0o600


class Presence:
    """Locked files in a folder that all writers of one database on one machine share.

    The kernel lets a lock go when its process ends, however it ends; no clock takes part.
    """

    def __init__(self, data_dir: Path) -> None:
        """Nothing is made before a writer is there."""
        self._folder = data_dir / FOLDER

    @contextmanager
    def hold(self, writer: str) -> Iterator[None]:
        """``writer`` is alive until the block, or the process, ends.

        Raises:
            OSError: the folder cannot be written.
        """
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._path(writer)
        held = _hold(path)
        try:
            for other in self._folder.glob(f"*{_SUFFIX}"):
                self.is_alive(other.stem)
            yield
            path.unlink(missing_ok=True)
        finally:
            os.close(held)

    def is_alive(self, writer: str) -> bool:
        """Whether somebody holds the file of ``writer``; the file of a dead one is removed."""
        path = self._path(writer)
        try:
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink(missing_ok=True)
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True
        return False

    def _path(self, writer: str) -> Path:
        return self._folder / f"{writer}{_SUFFIX}"


def _hold(path: Path) -> int:
    """A descriptor that locks the file at ``path``.

    Somebody who looks between its making and its locking finds a dead writer and removes it: then
    it is made again.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except (BlockingIOError, FileNotFoundError):
            pass
        os.close(descriptor)
