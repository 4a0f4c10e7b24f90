"""The log of a server: a file of bounded size, and the ones before it."""

import os
from pathlib import Path
from typing import BinaryIO, Final

KEPT: Final = 3
"""Earlier files that are kept: `NAME.log.1` is the youngest."""


class LogFiles:
    """Appends bytes as they come; a context manager that owns the open file (mode 0600)."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        """Nothing is opened before the first write; ``max_bytes`` is the size of each file."""
        self.path = path
        self._max_bytes = max_bytes
        self._file: BinaryIO | None = None
        self._size = 0

    def write(self, piece: bytes) -> None:
        """Append ``piece``; a line is cut only where it is longer than the room for it.

        Raises:
            OSError: the file cannot be written.
        """
        file = self._file or self._open()
        room = self._max_bytes - self._size
        if len(piece) > room:
            head = piece.rfind(b"\n", 0, max(room, 0)) + 1
            file.write(piece[:head])
            file = self._turn_over()
            piece = piece[head:]
        file.write(piece)
        self._size += len(piece)

    def close(self) -> None:
        """Close the file; a later write opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> BinaryIO:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self._file = os.fdopen(os.open(self.path, flags, 0o600), "ab", buffering=0)
        self._size = self._file.tell()
        return self._file

    def _turn_over(self) -> BinaryIO:
        """Put the full file aside, and the oldest one away."""
        self.close()
        for age in range(KEPT, 0, -1):
            younger = self._aged(age - 1)
            if younger.exists():
                younger.replace(self._aged(age))
        return self._open()

    def _aged(self, age: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{age}") if age else self.path
