"""The formats of an export by their names: media type, ending, what writes them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias

from serving.gateway.exports.delimited import Delimited
from serving.gateway.exports.document import Document
from serving.gateway.exports.entries import Entry
from serving.gateway.exports.readable import Readable
from serving.gateway.exports.words import Words

FormatName: TypeAlias = Literal["xlsx", "csv", "json", "md"]


_SHEETS: Final = "serving.gateway.exports.workbook:Sheets"


class Writer(Protocol):
    """Writes one export; every method may take its time and runs in a thread."""

    def add(self, entries: Sequence[Entry]) -> bytes:
        """Take the next messages; returns what can be sent by now."""
        ...

    def finish(self) -> Iterator[bytes]:
        """What is left to send, in order."""
        ...

    def close(self) -> None:
        """Give back whatever is held; the last call, also where the client left before the end."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """What an export is made for; ``folder`` takes temporary files, ``seal`` signs pictures."""

    words: Words
    folder: Path
    exported_at: datetime
    seal: Callable[[str], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """One format."""

    media_type: str
    open: Callable[[Order], Writer]


def _open_sheets(order: Order) -> Writer:
    """Openpyxl is imported with the first XLSX, so that the API is ready without it."""
    sheets: Callable[[Words, Path], Writer] = resolve_name(_SHEETS)
    return sheets(order.words, order.folder)


FORMATS: Final[Mapping[str, Format]] = MappingProxyType({
    "xlsx": Format(
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        open=_open_sheets,
    ),
    "csv": Format(media_type="text/csv; charset=utf-8", open=lambda order: Delimited(order.words)),
    "json": Format(
        media_type="application/json",
        open=lambda order: Document(exported_at=order.exported_at, seal=order.seal),
    ),
    "md": Format(
        media_type="text/markdown; charset=utf-8", open=lambda order: Readable(order.words)
    ),
})
