"""Conversations as XLSX, written row by row into a file that has no name."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.cell import Cell as SheetCell, WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.writer.excel import ExcelWriter

from serving.gateway.exports.cleaning import fit_cell
from serving.gateway.exports.entries import Entry
from serving.gateway.exports.rows import COLUMNS, Cell, Row, rows_of
from serving.gateway.exports.words import Words, to_local

SHEET_ROWS: Final = 1_048_576
"""What a sheet of XLSX holds, its header included."""
_PIECE_BYTES: Final = 65_536
_SUSPECT: Final = frozenset("=+-@#")
"""What begins a formula, or the name of an error (`#N/A`)."""
_TIME_FORMAT: Final = "yyyy-mm-dd hh:mm:ss"


class Sheets:
    """Implements `formats.Writer`: openpyxl, write-only.

    Rows go to a temporary file in ``folder`` that has no name, so that a crash leaves nothing;
    only the row at hand is in memory. A full sheet is followed by another. Every text is written
    as a text, whatever it begins with; there are no formulas and no links.
    """

    def __init__(self, words: Words, folder: Path, *, sheet_rows: int = SHEET_ROWS) -> None:
        """Begin with the headers."""
        self._words = words
        self._folder = folder
        self._sheet_rows = sheet_rows
        self._book = Workbook(write_only=True)
        self._book.properties.creator = "Zwrotnica"
        self._files: list[IO[bytes]] = []
        self._sheet = self._begin_sheet()

    def add(self, entries: Sequence[Entry]) -> bytes:
        """Write the rows of ``entries``; nothing can be sent before the end."""
        for entry in entries:
            for row in rows_of(entry, self._words):
                self._write(row)
        return b""

    def finish(self) -> Iterator[bytes]:
        """The whole file, piece by piece."""
        whole = self._open_file()
        with _Archive(whole, "w", ZIP_DEFLATED) as archive:
            ExcelWriter(self._book, archive).write_data()
        whole.seek(0)
        while piece := whole.read(_PIECE_BYTES):
            yield piece

    def close(self) -> None:
        """Give the disk back, also in the middle of a sheet or on a full disk."""
        with suppress(OSError, ValueError):
            if not self._sheet.closed:
                self._sheet.close()
        for file in self._files:
            file.close()

    def _begin_sheet(self) -> WriteOnlyWorksheet:
        number = len(self._book.worksheets) + 1
        name = self._words.sheet if number == 1 else f"{self._words.sheet} {number}"
        sheet: WriteOnlyWorksheet = self._book.create_sheet(name)
        sheet.freeze_panes = "A2"
        widths = sheet.column_dimensions  # type: ignore[attr-defined]  # the stubs lack it
        for position, column in enumerate(COLUMNS, 1):
            widths[get_column_letter(position)].width = column.width
        writer = _RowWriter(sheet, self._open_file())
        # openpyxl itself would put users' words into the system's temporary folder
        sheet._writer = writer  # type: ignore[attr-defined]  # noqa: SLF001 (the one way to it)
        writer.write_top()
        headers = [WriteOnlyCell(sheet, one.header(self._words.language)) for one in COLUMNS]
        for header in headers:
            header.font = Font(bold=True)
        sheet.append(headers)
        self._time = WriteOnlyCell(sheet)  # one for all: it is written before the next is asked for
        self._time.number_format = _TIME_FORMAT
        self._rows = 1
        return sheet

    def _write(self, row: Row) -> None:
        if self._rows == self._sheet_rows:
            self._sheet.close()
            self._sheet = self._begin_sheet()
        self._sheet.append([self._cell(cell) for cell in row])
        self._rows += 1

    def _cell(self, cell: Cell) -> SheetCell | str | int | None:
        match cell:
            case str():
                return self._text(fit_cell(cell, self._words.cut)) if cell else None
            case datetime():
                self._time.value = to_local(cell)
                return self._time
            case _:
                return cell

    def _text(self, text: str) -> SheetCell | str:
        """A text that stays one; also when somebody edits the cell."""
        if text[:1] not in _SUSPECT:
            return text
        written = WriteOnlyCell(self._sheet, text)
        written.data_type = "s"
        written.quotePrefix = True
        return written

    def _open_file(self) -> IO[bytes]:
        file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 (closed in `close`)
        self._files.append(file)
        return file


class _RowWriter(WorksheetWriter):
    """Writes a sheet into an open file; its own would have a name in the system's folder.

    A row is written as one piece of text, twice as fast as element by element.
    """

    def write_row(self, xf: Any, row: Iterable[Any], row_idx: int) -> None:  # noqa: ANN401 (openpyxl's)
        """Write one row; ``row`` may give the same cell again and again."""
        cells = "".join(_as_xml(cell, f"{cell.column_letter}{row_idx}") for cell in row)
        xf._file(f'<row r="{row_idx}">{cells}</row>')  # noqa: SLF001 (it takes no text otherwise)

    def cleanup(self) -> None:
        """The file is closed with the export."""


def _as_xml(cell: SheetCell, place: str) -> str:
    """A text inline, a number or a time as the number that it is (ECMA-376, 18.3.1.4)."""
    style = f' s="{cell.style_id}"' if cell.has_style else ""
    value = cell.value
    if isinstance(value, str):
        text = f'<is><t xml:space="preserve">{escape(value)}</t></is>'
        return f'<c r="{place}"{style} t="inlineStr">{text}</c>'
    number = to_excel(value) if isinstance(value, datetime) else value  # type: ignore[no-untyped-call]  # openpyxl's
    return f'<c r="{place}"{style}><v>{number}</v></c>'


class _Archive(ZipFile):
    """Takes open files too, which is how a sheet reaches it."""

    def write(self, filename: Any, arcname: Any = None, *_: Any) -> None:  # noqa: ANN401 (as in ZipFile)
        """Add what stands in the open file ``filename``."""
        filename.seek(0)
        with self.open(arcname, "w", force_zip64=True) as entry:
            shutil.copyfileobj(filename, entry, _PIECE_BYTES)
