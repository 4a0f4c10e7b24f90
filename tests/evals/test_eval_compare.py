"""Comparisons of saved runs: figures side by side, McNemar's test, and what is refused."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evals.cli import evaluate
from evals.saved import ReportError, read_run

LINES = (
    {"id": "w", "prompt": "Jaka jest pogoda w Łodzi?", "tool": "get_weather"},
    {"id": "d", "prompt": "Ułóż fraszkę o jesieni", "tool": None},
)


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    cases = tmp_path / "own.jsonl"
    cases.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    path = tmp_path / "first.json"
    result = call("run", "--cases", cases, "--json", path, "--html", tmp_path / "run.html")
    assert result.exit_code == 0, result.output
    return path


def call(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, [str(argument) for argument in arguments])


def another(report: Path, **changes: object) -> Path:
    """A copy of a report in which the weather was missed."""
    content = json.loads(report.read_text(encoding="utf-8"))
    content["outcomes"]["w"] |= {"tool": None, "tool_right": False, "polish": False, "calls": []}
    path = report.with_name("second.json")
    path.write_text(json.dumps(content | changes), encoding="utf-8")
    return path


def test_two_runs_are_compared_case_by_case(report: Path) -> None:
    page = report.with_name("page.html")
    result = call("compare", report, another(report), "--html", page)
    assert result.exit_code == 0, result.output
    assert "| first / second | 1 | 1 | 0 | 0 | 1.0000 |" in result.stdout
    assert 'data-state="mixed"' in page.read_text(encoding="utf-8")


def test_one_run_alone_has_no_test(report: Path) -> None:
    result = call("compare", report)
    assert result.exit_code == 0
    assert "McNemar" not in result.stdout


def test_runs_of_other_cases_are_refused(report: Path) -> None:
    result = call("compare", report, another(report, fingerprint="other"))
    assert result.exit_code == 1
    assert "different cases" in result.stderr


def test_runs_of_the_same_name_are_refused(report: Path) -> None:
    result = call("compare", report, another(report), report)
    assert result.exit_code == 1
    assert "the same name" in result.stderr


def test_what_is_no_report_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    with pytest.raises(ReportError, match=r"none\.json"):
        read_run(path)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ReportError, match="eval run --json"):
        read_run(path)


def test_a_run_writes_its_page(report: Path) -> None:
    html = report.with_name("run.html").read_text(encoding="utf-8")
    assert "Jaka jest pogoda w Łodzi?" in html
    assert "<h2>Confusion</h2>" in html


def test_the_figures_of_a_document_are_renewed_between_its_marks(report: Path) -> None:
    document = report.with_name("evals.md")
    document.write_text("before\n<!-- own -->\nold\n<!-- /own -->\nafter\n", encoding="utf-8")
    result = call("compare", report, another(report), "--into", f"{document}#own")
    assert result.exit_code == 0, result.output
    text = document.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- own -->\n**Figures**")
    assert text.endswith("<!-- /own -->\nafter\n")
    assert "old" not in text
    missing = call("compare", report, "--into", f"{document}#other")
    assert missing.exit_code == 1
    assert "<!-- other -->" in missing.stderr
