"""What was used as a spreadsheet, by openpyxl."""

import io
from collections.abc import Sequence

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

from serving.billing.prices import MICRO
from serving.billing.usage import UsageRow
from serving.gateway.exports.cleaning import fit_cell
from serving.gateway.usage_files import usage_labels


def write_sheet(heads: Sequence[str], rows: Sequence[UsageRow]) -> bytes:
    """A workbook; every key is a text, whatever it begins with; amounts are numbers."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("usage")
    sheet.append(list(heads))
    for row in rows:
        labels = [WriteOnlyCell(sheet, fit_cell(text, "…")) for text in usage_labels(row)]
        for label in labels:
            label.data_type = "s"
        amounts = (row.charged / MICRO, row.house / MICRO)
        counts = (row.requests, row.prompt_tokens, row.completion_tokens, row.images)
        sheet.append([*labels, *counts, *amounts])
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()
