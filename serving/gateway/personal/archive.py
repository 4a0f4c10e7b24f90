"""Writes a ZIP piece by piece, for a reader that takes it while it is made."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from serving.gateway.exports.words import to_local

_PACKED: Final = (".png", ".jpg", ".webp")
_FILE_MODE: Final = 0o600 << 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Chunk:
    """The next bytes of one file of the archive; files come one after the other."""

    file: str
    content: bytes


class Archive:
    """A writer of `exports.download`: what it has written is handed on at once and kept nowhere.

    Of the files only their places are remembered, about 200 bytes each.
    """

    def __init__(self, *, made_at: datetime) -> None:
        """Every file is dated ``made_at``, in Polish time."""
        self._sink = _Sink()
        self._zip = ZipFile(self._sink, "w", ZIP_DEFLATED)  # type: ignore[call-overload]  # a sink that can only be written
        self._date = to_local(made_at).timetuple()[:6]
        self._open = ExitStack()
        self._file: str | None = None
        self._target: IO[bytes] | None = None

    def add(self, chunks: Sequence[Chunk], /) -> bytes:
        """Write the next chunks; gives what can be sent by now."""
        for chunk in chunks:
            self._choose(chunk.file).write(chunk.content)
        return self._sink.take()

    def finish(self) -> Iterator[bytes]:
        """The end of the last file, and the directory."""
        self._open.close()
        self._zip.close()
        yield self._sink.take()

    def close(self) -> None:
        """Nothing is held beside memory."""

    def _choose(self, file: str) -> IO[bytes]:
        if self._target is None or file != self._file:
            self._open.close()
            entry = ZipInfo(file, self._date)
            entry.compress_type = ZIP_STORED if file.endswith(_PACKED) else ZIP_DEFLATED
            entry.external_attr = _FILE_MODE
            self._file = file
            self._target = self._open.enter_context(self._zip.open(entry, "w"))
        return self._target


class _Sink:
    """What a ZIP is written to that goes straight on; it cannot be read, nor gone back in."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, content: bytes) -> int:
        self._written += content
        return len(content)

    def flush(self) -> None:
        """All is there already."""

    def take(self) -> bytes:
        taken = bytes(self._written)
        self._written.clear()
        return taken
