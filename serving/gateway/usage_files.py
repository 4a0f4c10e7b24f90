"""What was used as a file: CSV, or a spreadsheet."""

import csv
import io
from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import Final

from serving.billing.prices import MICRO
from serving.billing.usage import UsageRow
from serving.gateway.exports.cleaning import defuse

_SHEET: Final = "serving.gateway.usage_sheet:write_sheet"
_COUNTED: Final = ("requests", "prompt tokens", "completion tokens", "images")


def usage_heads(by: str, currency: str) -> tuple[str, ...]:
    """The names of the columns."""
    return (by, *_COUNTED, f"charged {currency}", f"house {currency}")


def usage_cells(row: UsageRow) -> tuple[str, ...]:
    """A row as texts; amounts in the currency with six decimals, exactly."""
    counts = (row.requests, row.prompt_tokens, row.completion_tokens, row.images)
    return (row.key or "-", *map(str, counts), _amount(row.charged), _amount(row.house))


def write_csv(heads: Sequence[str], rows: Sequence[UsageRow]) -> str:
    """The rows below their heads."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows((defuse(row.key), *usage_cells(row)[1:]) for row in rows)
    return written.getvalue()


def write_sheet(heads: Sequence[str], rows: Sequence[UsageRow]) -> bytes:
    """A workbook; openpyxl is imported with the first one, so that the API is ready without it."""
    write: Callable[[Sequence[str], Sequence[UsageRow]], bytes] = resolve_name(_SHEET)
    return write(heads, rows)


def _amount(micro: int) -> str:
    whole, rest = divmod(micro, MICRO)
    return f"{whole}.{rest:06d}"
