"""What was used as a file: CSV, or a spreadsheet."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pkgutil import resolve_name
from typing import Final

from chatbot.types import JsonValue
from serving.billing.prices import MICRO
from serving.billing.usage import UsageRow
from serving.gateway.exports.cleaning import defuse

_SHEET: Final = "serving.gateway.usage_sheet:write_sheet"
_COUNTED: Final = ("requests", "prompt tokens", "completion tokens", "images")
NAMED: Final = frozenset({"user", "group"})
"""What people know by a name and the ledger by an id."""


def usage_heads(by: str, currency: str) -> tuple[str, ...]:
    """The names of the columns."""
    ids = ("id",) if by in NAMED else ()
    return (by, *ids, *_COUNTED, f"charged {currency}", f"house {currency}")


def usage_fields(row: UsageRow) -> dict[str, JsonValue]:
    """A row as a JSON object; with a name where there are names."""
    fields: dict[str, JsonValue] = asdict(row)
    if row.name is None:
        del fields["name"]
    return fields


def usage_labels(row: UsageRow) -> tuple[str, ...]:
    """Whose row it is: one text, or the name and the id."""
    return (row.key,) if row.name is None else (row.name, row.key)


def usage_cells(row: UsageRow) -> tuple[str, ...]:
    """A row as texts; amounts in the currency with six decimals, exactly."""
    counts = (row.requests, row.prompt_tokens, row.completion_tokens, row.images)
    labels = (text or "-" for text in usage_labels(row))
    return (*labels, *map(str, counts), _amount(row.charged), _amount(row.house))


def write_csv(heads: Sequence[str], rows: Sequence[UsageRow]) -> str:
    """The rows below their heads."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        labels = usage_labels(row)
        writer.writerow((*map(defuse, labels), *usage_cells(row)[len(labels) :]))
    return written.getvalue()


def write_sheet(heads: Sequence[str], rows: Sequence[UsageRow]) -> bytes:
    """A workbook; openpyxl is imported with the first one, so that the API is ready without it."""
    write: Callable[[Sequence[str], Sequence[UsageRow]], bytes] = resolve_name(_SHEET)
    return write(heads, rows)


def _amount(micro: int) -> str:
    whole, rest = divmod(micro, MICRO)
    return f"{whole}.{rest:06d}"
