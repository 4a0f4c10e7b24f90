"""Conversations as CSV: a row a message and a tool call, opened by spreadsheets as it is."""

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from serving.gateway.exports.cleaning import defuse
from serving.gateway.exports.entries import Entry
from serving.gateway.exports.rows import COLUMNS, Cell, rows_of
from serving.gateway.exports.words import Words, to_local

_MARK: Final = "\ufeff"
"""Without it Excel reads the file in the code page of the machine, and Polish letters break."""


class Delimited:
    """Implements `formats.Writer`.

    UTF-8 with a byte order mark, values in quotation marks (RFC 4180). In Polish a semicolon
    separates, because Excel splits at the list separator of its language; in English a comma.
    """

    def __init__(self, words: Words) -> None:
        """Begin with the headers."""
        self._words = words
        self._buffer = io.StringIO(newline="")
        self._writer = csv.writer(
            self._buffer, delimiter=words.separator, quoting=csv.QUOTE_NONNUMERIC
        )
        self._buffer.write(_MARK)
        self._writer.writerow([column.header(words.language) for column in COLUMNS])

    def add(self, entries: Sequence[Entry]) -> bytes:
        """The rows of ``entries``."""
        for entry in entries:
            for row in rows_of(entry, self._words):
                self._writer.writerow(map(_plain, row))
        return self._take()

    def finish(self) -> Iterator[bytes]:
        """What has not been given yet."""
        yield self._take()

    def close(self) -> None:
        """Nothing is held."""

    def _take(self) -> bytes:
        text = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return text.encode()


def _plain(cell: Cell) -> str | int:
    match cell:
        case None:
            return ""
        case datetime():
            return f"{to_local(cell):%Y-%m-%d %H:%M:%S}"
        case str():
            return defuse(cell)
        case _:
            return cell
