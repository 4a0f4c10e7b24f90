"""Hostile texts through every format: all of them reopen, and say what was said (FAULTS J2, J4)."""

import io
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import openpyxl
import pytest
from scripted.exported import (
    answered,
    entries,
    read_csv,
    read_document,
    read_sheets,
    said,
    weather,
    write,
)
from scripted.hostile_cells import TEXTS
from scripted.hostile_text import IMAGES
from scripted.hostile_turns import leaks

from chatbot.sanitizer import map_frame_characters
from serving.gateway.exports.entries import Entry

REMOVED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
UNREADABLE = re.compile("[\x00\ud800-\udfff\ufffe\uffff]")


def hostile() -> Iterator[Entry]:
    """Each text as a title, a question, an answer, and all that a tool says."""
    for number, text in enumerate(TEXTS):
        question = said(text, number=number)
        answer = answered(text, number=number, parts=weather(text, number=number), comment=text)
        yield from entries(question, answer, title=text)


@cache
def written(name: str, folder: Path) -> bytes:
    return write(name, list(hostile()), folder, batch=16)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


def test_xlsx_reopens_and_says_what_was_said(folder: Path) -> None:
    (rows,) = read_sheets(written("xlsx", folder))
    texts = [str(row["Treść"] or "") for row in rows]
    expected = [
        re.sub(r"\r\n?", "\n", REMOVED.sub("", text)).replace("_x0041_", "_x005F_x0041_")
        for text in TEXTS
        for _ in range(3)
    ]
    assert [*map(map_frame_characters, texts)] == [*map(map_frame_characters, expected)]
    spoken = [text for text in TEXTS if "⟦" in text for _ in range(2)]
    assert [text for text in texts if "⟦" in text] == spoken


def test_xlsx_has_no_formula_no_link_and_nothing_from_outside(folder: Path) -> None:
    content = written("xlsx", folder)
    book = openpyxl.load_workbook(io.BytesIO(content))
    kinds = {cell.data_type for row in book.worksheets[0].iter_rows() for cell in row}
    assert kinds == {"s", "n", "d"}
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        names = parts.namelist()
        sheet = parts.read("xl/worksheets/sheet1.xml")
        relations = b"".join(parts.read(name) for name in names if name.endswith(".rels"))
    assert b"<f>" not in sheet
    assert b"hyperlink" not in sheet
    assert b"External" not in relations
    assert [name for name in names if "external" in name.lower() or "drawing" in name] == []


def test_csv_reopens_says_what_was_said_and_has_no_formula(folder: Path) -> None:
    rows = read_csv(written("csv", folder))
    clean = [map_frame_characters(REMOVED.sub("", text)) for text in TEXTS for _ in range(3)]
    found = [map_frame_characters(row["Treść"]) for row in rows]
    assert [one.removeprefix("'") for one in found] == [one.removeprefix("'") for one in clean]
    cells = [cell for row in rows for cell in row.values()]
    assert [cell for cell in cells if cell.lstrip()[:1] in {"=", "+", "-", "@"}] == []


def test_json_reopens_and_says_what_was_said(folder: Path) -> None:
    document = read_document(written("json", folder))
    messages = [one for chat in document["conversations"] for one in chat["messages"]]
    texts = [part["text"] for one in messages for part in one["parts"] if part["type"] == "text"]
    assert texts == [UNREADABLE.sub("", text) for text in TEXTS for _ in range(2)]


def test_markdown_shows_no_picture_and_runs_nothing(tmp_path: Path) -> None:
    told = [one for text in TEXTS for one in entries(said(text), title="Rozmowa")]
    shown = write("md", told, tmp_path).decode()
    assert leaks(shown) == ()
    assert "⟦" not in shown


@pytest.mark.parametrize("text", tuple(IMAGES.values())[::13])
def test_markdown_is_clean_wherever_a_text_stands(tmp_path: Path, text: str) -> None:
    told = entries(said(text), answered(text, parts=weather(text)), title=text)
    assert leaks(write("md", told, tmp_path).decode()) == ()
