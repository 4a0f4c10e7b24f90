"""FAULTS X1 through the routes: every hostile text and 10^5 rows, in files that all reopen."""

import csv
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import anyio
import openpyxl
import pytest
from scripted.export_size import ROWS_OF_EXCHANGE, measure, store_rows, store_texts
from scripted.fault_report import Figure, Publish
from scripted.hostile_cells import TEXTS
from scripted.hostile_turns import leaks

pytestmark = pytest.mark.faults

MOST_MB = 64
FORMULA = frozenset("=+-@\t\r")


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("rows", "formats"), [(100_000, ("xlsx", "csv")), (10_000, ("json", "md"))]
)
def test_x1_everything_is_exported_and_reopens(
    rows: int, formats: tuple[str, ...], tmp_path: Path, publish: Publish
) -> None:
    csv.field_size_limit(10**9)
    folder, kept = tmp_path / "rows", tmp_path / "exported"
    folder.mkdir()
    kept.mkdir()
    anyio.run(store_rows, folder, rows)
    anyio.run(store_texts, folder, TEXTS)
    exchanges = rows // ROWS_OF_EXCHANGE + len(TEXTS)
    for one in measure(folder, formats=formats, kept=kept):
        publish(
            Figure(
                case="X1",
                what=f"{one.name}: {exchanges * ROWS_OF_EXCHANGE} rows, {one.sent_mb:.0f} MB; "
                f"the gateway grew by {one.grown_mb:.0f} MB",
                n=1,
                passed=one.grown_mb <= MOST_MB,
                times=(one.seconds,),
            )
        )
        publish(REOPEN[one.name](kept / f"export.{one.name}", exchanges))


def reopened(what: str, *results: bool) -> Figure:
    return Figure(case="X1", what=what, n=len(results), passed=sum(results))


def reopen_xlsx(path: Path, exchanges: int) -> Figure:
    book = openpyxl.load_workbook(path, read_only=True)
    rows, formulas = -1, 0
    for row in book.worksheets[0].iter_rows():
        rows += 1
        formulas += sum(cell.data_type == "f" for cell in row)
    book.close()
    with zipfile.ZipFile(path) as parts:
        names = parts.namelist()
        relations = b"".join(parts.read(name) for name in names if name.endswith(".rels"))
        with parts.open("xl/worksheets/sheet1.xml") as sheet:
            links = sum(b"<hyperlink" in piece or b"<f>" in piece for piece in sheet)
    links += b"External" in relations
    links += sum("external" in name.lower() or "drawing" in name.lower() for name in names)
    what = "xlsx: reopens with every row, 0 formulas, 0 external links"
    return reopened(what, rows == exchanges * ROWS_OF_EXCHANGE, formulas == 0, links == 0)


def reopen_csv(path: Path, exchanges: int) -> Figure:
    rows, formulas = -1, 0
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.reader(file, delimiter=";"):
            rows += 1
            formulas += sum(cell[:1] in FORMULA for cell in row)
    is_whole = rows == exchanges * ROWS_OF_EXCHANGE
    return reopened("csv: reopens with every row, 0 formulas", is_whole, formulas == 0)


def reopen_json(path: Path, exchanges: int) -> Figure:
    document = json.loads(path.read_bytes())
    messages = sum(len(chat["messages"]) for chat in document["conversations"])
    return reopened("json: reopens with every message", messages == 2 * exchanges)


def reopen_markdown(path: Path, _: int) -> Figure:
    shown = path.read_text(encoding="utf-8")
    clean = [leaks(section) == () for section in [*_sections(shown)][::3]]
    what = "Markdown: no frame, no picture, no tag"
    return reopened(what, "⟦" not in shown, len(clean) > 1, *clean)


def _sections(shown: str) -> Iterator[str]:
    """Conversations without those about the weather alone, a few at a time."""
    for section in shown.split("\n# "):
        if not section.startswith(("Pogoda, zostało", "# Pogoda, zostało")):
            yield f"# {section}"


REOPEN: Mapping[str, Callable[[Path, int], Figure]] = {
    "xlsx": reopen_xlsx,
    "csv": reopen_csv,
    "json": reopen_json,
    "md": reopen_markdown,
}
