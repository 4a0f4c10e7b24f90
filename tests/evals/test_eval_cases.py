"""Case files: what is read, and what is refused with file and line."""

import json
from pathlib import Path

import pytest
from scripted.tables import every_row

from chatbot.types import ToolCall, ToolOutcome
from evals.cases import CaseFileError, Expected, read_cases, select

LINE = '{"id": "w1", "prompt": "Czy w Łodzi pada?", "tool": "get_weather", '
LINE += '"arguments": {"city": "Łódź"}, "accept": {"city": ["Miasto Łódź"]}, "tags": ["weather"]}'
NAMED = [{"city": "Łódź"}]
CALL = {"tool": "get_weather", "arguments": NAMED[0]}


def write(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_line_is_a_case(tmp_path: Path) -> None:
    [case] = read_cases(write(tmp_path, LINE, "")).cases
    [call] = case.expected.calls
    assert (case.id, case.tool, case.tags) == ("w1", "get_weather", ("weather",))
    assert (call.arguments, call.accept) == ({"city": "Łódź"}, {"city": ("Miasto Łódź",)})


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_a_line_ends_where_a_line_of_json_does(tmp_path: Path, mark: str) -> None:
    line = LINE.replace("pada?", f"pada?{mark}Bo jadę.")
    path = tmp_path / "own.jsonl"
    path.write_bytes(f"{line}\r\n\n".encode())
    [case] = read_cases(path).cases
    assert case.prompt == f"Czy w Łodzi pada?{mark}Bo jadę."


def test_a_case_for_the_default_model_has_no_tool(tmp_path: Path) -> None:
    [case] = read_cases(write(tmp_path, '{"id": "d", "prompt": "Cześć", "tool": null}')).cases
    assert (case.tool, case.expected) == (None, Expected())


def test_a_dialogue_has_what_was_said_and_called_before(tmp_path: Path) -> None:
    said = {
        "history": [
            {"role": "user", "content": "Pogoda w Łodzi?"},
            {"role": "assistant", "content": "W Łodzi 5 °C.", "calls": [CALL]},
        ],
        "id": "d1",
        "prompt": "a pojutrze?",
        **CALL,
        "also": [{"tool": None}],
    }
    [case] = read_cases(write(tmp_path, json.dumps(said))).cases
    assert [message.text for message in case.history] == ["Pogoda w Łodzi?", "W Łodzi 5 °C."]
    call, outcome, _ = case.history[1].parts
    assert isinstance(call, ToolCall)
    assert isinstance(outcome, ToolOutcome)
    assert (call.name, call.arguments, outcome.call_id) == (CALL["tool"], *NAMED, call.call_id)
    assert case.also == (Expected(),)
    assert case.texts == ("Pogoda w Łodzi?", "W Łodzi 5 °C.", "a pojutrze?")


def test_questions_and_several_calls_are_right_too(tmp_path: Path) -> None:
    asking = {"id": "a", "prompt": "A jutro?", "tool": "get_weather", "ask": "city"}
    several = {"id": "b", "prompt": "Łódź i Hel?", **CALL, "more": [CALL]}
    first, second = read_cases(write(tmp_path, json.dumps(asking), json.dumps(several))).cases
    assert (first.tool, first.expected.ask) == ("get_weather", "city")
    assert [call.tool for call in second.expected.calls] == ["get_weather", "get_weather"]


def test_the_fingerprint_changes_with_a_case(tmp_path: Path) -> None:
    before = read_cases(write(tmp_path, LINE)).fingerprint
    assert read_cases(write(tmp_path, LINE.replace("Łódź", "Lodz"))).fingerprint != before


@every_row(
    ("lines", "complaint"),
    [
        (["{"], "own.jsonl:1: Invalid"),
        ([LINE, LINE.replace("prompt", "promt")], "own.jsonl:2"),
        ([LINE, LINE], "'w1' stands twice"),
        ([""], "holds no case"),
        ([LINE, '{"id": "b", "prompt": " ", "tool": null}'], "own.jsonl:2: prompt"),
        (['{"id": "a", "prompt": "p", "tool": null, "ask": "city"}'], "has no arguments"),
        (['{"id": "a", "prompt": "p", "tool": "t", "ask": "x", "arguments": {"x": 1}}'], "asked"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, lines: list[str], complaint: str) -> None:
    with pytest.raises(CaseFileError, match=complaint):
        read_cases(write(tmp_path, *lines))


def test_a_mark_before_the_first_line_is_passed_over(tmp_path: Path) -> None:
    assert read_cases(write(tmp_path, f"\ufeff{LINE}")) == read_cases(write(tmp_path, LINE))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match=r"none\.jsonl"):
        read_cases(tmp_path / "none.jsonl")


def test_a_folder_is_one_set_in_two_halves_that_stay(tmp_path: Path) -> None:
    lines = [json.dumps({"id": f"c{number}", "prompt": "p", "tool": None}) for number in range(60)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines[:30]), encoding="utf-8")
    (tmp_path / "b.jsonl").write_text("\n".join(lines[30:]), encoding="utf-8")
    whole = read_cases(tmp_path)
    dev, test = select(whole, "dev"), select(whole, "test")
    assert {*dev.cases, *test.cases} == {*whole.cases}
    assert min(len(dev.cases), len(test.cases)) > 15
    (tmp_path / "a.jsonl").unlink()
    assert {*select(read_cases(tmp_path), "dev").cases} <= {*dev.cases}
    assert len({whole.fingerprint, dev.fingerprint, test.fingerprint}) == 3
