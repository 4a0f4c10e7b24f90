"""Exports as tables: what stands in which column, in both languages."""

from datetime import datetime
from pathlib import Path

import pytest
from scripted.exported import (
    answered,
    entries,
    read_csv,
    read_sheets,
    said,
    weather,
    write,
)
from scripted.tables import every_row

from serving.gateway.exports.cleaning import CELL_UNITS, defuse, fit_cell, units
from serving.gateway.exports.rows import COLUMNS
from serving.gateway.exports.words import ENGLISH, POLISH
from serving.gateway.exports.workbook import Sheets

DOCS = Path(__file__).parents[4] / "docs" / "export.md"
TOLD = entries(
    said("Jaka jest pogoda w Łodzi?"),
    answered("W Łodzi 21 °C.", parts=weather(), rating="up", comment="Dziękuję"),
)


def rows(folder: Path) -> list[dict[str, object]]:
    (sheet,) = read_sheets(write("xlsx", TOLD, folder))
    return sheet


def test_a_message_and_a_call_are_a_row_each(tmp_path: Path) -> None:
    kinds = [row["Rodzaj"] for row in rows(tmp_path)]
    assert kinds == ["pytanie", "odpowiedź", "wywołanie narzędzia"]


def test_a_question_has_its_words_and_place(tmp_path: Path) -> None:
    told = {name: value for name, value in rows(tmp_path)[0].items() if value is not None}
    assert told == {
        "Rozmowa": "r1",
        "Tytuł": "Pogoda w Łodzi",
        "Wiadomość": "u0",
        "Czas (Warszawa)": datetime(2026, 11, 21, 22, 40, 5),  # noqa: DTZ001 (spreadsheets know no zones)
        "Rodzaj": "pytanie",
        "Treść": "Jaka jest pogoda w Łodzi?",
        "Pokazana": "tak",
    }


def test_an_answer_has_route_latency_tokens_sources_and_rating(tmp_path: Path) -> None:
    told = rows(tmp_path)[1]
    wanted = {
        "Odpowiada na": "u0",
        "Treść": "W Łodzi 21 °C.",
        "Trasa": "narzędzie",
        "Powód": "called",
        "Narzędzie": "get_weather",
        "Decyzja [ms]": 12,
        "Pierwsze słowo [ms]": 120,
        "Całość [ms]": 900,
        "Tokeny routera, wejście": 40,
        "Tokeny routera, wyjście": 5,
        "Tokeny redakcji, wejście": 60,
        "Tokeny redakcji, wyjście": 7,
        "Tokeny odpowiedzi, wejście": None,
        "Tokeny oszacowane": "tak",
        "Silniki": "router: embedded; redakcja: bielik",
        "Obrazy": "Łódź",
        "Źródła": "Open-Meteo, „Łódź”, CC BY 4.0, https://open-meteo.example/",
        "Ocena": "dobra",
        "Komentarz": "Dziękuję",
        "Stan": "kompletna",
    }
    assert {name: told[name] for name in wanted} == wanted


def test_a_call_has_arguments_and_result(tmp_path: Path) -> None:
    told = rows(tmp_path)[2]
    wanted = {
        "Narzędzie": "get_weather",
        "Argumenty": '{"city": "Łódź"}',
        "Argumenty modelu": '{"city": "Łódź"}',
        "Wynik": "udane",
        "Całość [ms]": 310,
        "Treść": "Łódź",
    }
    assert {name: told[name] for name in wanted} == wanted


def test_a_failed_answer_names_its_error(tmp_path: Path) -> None:
    failed = answered("W Ło", state="incomplete", error={"code": "engine_lost"})
    (sheet,) = read_sheets(write("xlsx", entries(said("?"), failed), tmp_path))
    assert (sheet[1]["Stan"], sheet[1]["Błąd"]) == ("niepełna", "engine_lost")


def test_a_branch_that_is_not_shown_says_so(tmp_path: Path) -> None:
    told = entries(said("?"), answered("a"), answered("b", message_id="b0"), hidden=["a0"])
    shown = [row["Pokazana"] for row in read_csv(write("csv", told, tmp_path))]
    assert shown == ["tak", "nie", "tak"]


def test_csv_has_the_same_rows_and_opens_in_a_polish_spreadsheet(tmp_path: Path) -> None:
    content = write("csv", TOLD, tmp_path)
    assert content.startswith('\ufeff"Rozmowa";"Tytuł"'.encode())
    for cells, row in zip(read_csv(content), rows(tmp_path), strict=True):
        assert cells == {name: "" if cell is None else str(cell) for name, cell in row.items()}


def test_english_headers_and_words_are_an_option(tmp_path: Path) -> None:
    told = read_csv(write("csv", TOLD, tmp_path, words=ENGLISH), separator=",")
    assert list(told[0]) == [column.english for column in COLUMNS]
    assert [row["Kind"] for row in told] == ["question", "answer", "tool call"]


def test_no_two_columns_have_one_name() -> None:
    for names in ([one.name for one in COLUMNS], [one.polish for one in COLUMNS]):
        assert len(set(names)) == len(COLUMNS)


def test_a_full_sheet_is_followed_by_another(tmp_path: Path) -> None:
    writer = Sheets(POLISH, tmp_path, sheet_rows=3)
    writer.add(TOLD)
    first, second = read_sheets(b"".join(writer.finish()))
    writer.close()
    assert (len(first), len(second)) == (2, 1)


def test_nothing_is_left_in_the_folder(tmp_path: Path) -> None:
    writer = Sheets(POLISH, tmp_path)
    writer.add(TOLD)
    assert list(tmp_path.iterdir()) == []
    writer.close()


@pytest.mark.parametrize("letter", ["a", "ą", "😀"])
def test_a_long_text_is_cut_with_a_mark_in_xlsx_alone(tmp_path: Path, letter: str) -> None:
    told = entries(said(letter * 40_000))
    (sheet,) = read_sheets(write("xlsx", told, tmp_path))
    cell = str(sheet[0]["Treść"])
    assert units(cell) in {CELL_UNITS, CELL_UNITS - 1}
    assert cell.endswith(POLISH.cut)
    assert set(cell.removesuffix(POLISH.cut)) == {letter}
    assert read_csv(write("csv", told, tmp_path))[0]["Treść"] == letter * 40_000


@every_row(
    "text", ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", " =1", "\u200b=1", "＝1", "\ufeff@a"]
)
def test_csv_has_no_formula(text: str) -> None:
    assert defuse(text) == f"'{text}"


@every_row("text", ["", "a=1", "1-2", "'=1", "źle", '"=1"'])
def test_what_is_no_formula_stays(text: str) -> None:
    assert defuse(text) == text


def test_what_looks_like_an_escape_of_the_format_is_written_as_it_is() -> None:
    assert fit_cell("a_x0041_", "…") == "a_x005F_x0041_"
    assert fit_cell("a_x41_\r\nb\rc", "…") == "a_x41_\nb\nc"


def test_every_column_is_documented() -> None:
    told = DOCS.read_text(encoding="utf-8")
    for header in (name for column in COLUMNS for name in (column.polish, column.english)):
        begin = header.partition(", ")[0]
        assert f"| {begin}" in told, header
