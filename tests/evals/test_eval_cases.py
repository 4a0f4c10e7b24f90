"""Case files: what is read, and what is refused with file and line."""

from pathlib import Path

import pytest

from evals.cases import CaseFileError, read_cases

LINE = '{"id": "w1", "prompt": "Czy w Łodzi pada?", "tool": "get_weather", '
LINE += '"arguments": {"city": "Łódź"}, "accept": {"city": ["Miasto Łódź"]}, "tags": ["weather"]}'


def write(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_line_is_a_case(tmp_path: Path) -> None:
    [case] = read_cases(write(tmp_path, LINE, "")).cases
    assert (case.id, case.tool, case.arguments) == ("w1", "get_weather", {"city": "Łódź"})
    assert (case.accept, case.tags) == ({"city": ("Miasto Łódź",)}, ("weather",))


def test_a_case_for_the_default_model_has_no_tool(tmp_path: Path) -> None:
    [case] = read_cases(write(tmp_path, '{"id": "d", "prompt": "Cześć", "tool": null}')).cases
    assert (case.tool, case.arguments) == (None, {})


def test_the_fingerprint_changes_with_a_case(tmp_path: Path) -> None:
    before = read_cases(write(tmp_path, LINE)).fingerprint
    assert read_cases(write(tmp_path, LINE.replace("Łódź", "Lodz"))).fingerprint != before


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["{"], "own.jsonl:1"),
        ([LINE, LINE.replace("prompt", "promt")], "own.jsonl:2"),
        ([LINE, LINE], "'w1' stands twice"),
        ([""], "holds no case"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, lines: list[str], complaint: str) -> None:
    with pytest.raises(CaseFileError, match=complaint):
        read_cases(write(tmp_path, *lines))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match=r"none\.jsonl"):
        read_cases(tmp_path / "none.jsonl")
