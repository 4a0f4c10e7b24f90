"""Tells which writers of the ledger are alive: each holds a file, and a dead process holds none."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

FOLDER: Final = "ledger"
NAME: Final = "name"
"""File with the name of the folder, which all names of its writers begin with."""
_SUFFIX: Final = ".lock"
_MODE: Final = 0o600
_NAME_BYTES: Final = 8
_SEPARATOR: Final = "."


class Presence:
    """Locked files in a folder that all writers with one data folder share.

    The kernel lets a lock go when its process ends, however it ends; no clock takes part. Of
    writers of the same database with another data folder nothing is known here.
    """

    def __init__(self, data_dir: Path) -> None:
        """Nothing is made before a writer is there."""
        self._folder = data_dir / FOLDER

    def name(self, writer_id: str) -> str:
        """The name of a new writer of this folder.

        Raises:
            OSError: the folder cannot be written.
        """
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._folder / NAME
        if not path.exists():
            draft = self._folder / f"{writer_id}.draft"
            draft.write_text(token_hex(_NAME_BYTES), encoding="ascii")
            with suppress(FileExistsError):  # of several that begin at once, the first wins
                path.hardlink_to(draft)
            draft.unlink()
        return f"{path.read_text(encoding='ascii')}{_SEPARATOR}{writer_id}"

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

    def knows(self, writer: str) -> bool:
        """Whether it is a writer of this folder."""
        folder, separator, _ = writer.rpartition(_SEPARATOR)
        return not separator or folder == self._read_name()

    def is_alive(self, writer: str) -> bool:
        """Whether somebody holds the file of ``writer``, which is one of this folder.

        The file of a dead one is removed.
        """
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

    def _read_name(self) -> str | None:
        path = self._folder / NAME
        return path.read_text(encoding="ascii") if path.exists() else None

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
