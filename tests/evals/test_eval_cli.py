"""`zwrotnica eval`: a run of the embedded engine from the command line, and the gate."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evals.assembly import take
from evals.cases import Case, CaseSet
from evals.cli import evaluate

LINES = (
    {"id": "w", "prompt": "Jaka jest pogoda w Łodzi?", "tool": "get_weather"},
    {"id": "d", "prompt": "Ułóż fraszkę o jesieni", "tool": None},
)


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    return path


def call(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, [str(argument) for argument in arguments])


def test_a_run_writes_its_reports_and_passes_its_own_gate(cases: Path) -> None:
    baseline, report = cases.with_name("base.json"), cases.with_name("report.md")
    result = call("run", "--cases", cases, "--json", baseline, "--markdown", report)
    assert result.exit_code == 0, result.output
    assert json.loads(baseline.read_text())["figures"]["accuracy"]["hits"] == 2
    assert report.read_text(encoding="utf-8") == result.stdout
    gate = call("gate", "--cases", cases, "--baseline", baseline)
    assert gate.exit_code == 0, gate.output


def test_a_result_below_the_baseline_fails_the_gate(cases: Path) -> None:
    wrong = cases.with_name("wrong.jsonl")
    text = cases.read_text(encoding="utf-8")
    wrong.write_text(text.replace('"tool": null', '"tool": "get_weather"'), encoding="utf-8")
    baseline = cases.with_name("base.json")
    renewed = call("gate", "--cases", wrong, "--baseline", baseline, "--renew")
    assert renewed.exit_code == 0, renewed.output
    content = json.loads(baseline.read_text())
    assert content["outcomes"] == {"w": "tool", "d": "wrong"}
    content["outcomes"]["d"] = "tool"
    baseline.write_text(json.dumps(content))
    gate = call("gate", "--cases", wrong, "--baseline", baseline)
    assert gate.exit_code == 1
    assert "right tools: 1, the baseline has 2" in gate.stderr
    assert "  d: default" in gate.stderr
    assert "fraszkę" not in gate.output


def test_cases_and_baseline_go_together(cases: Path) -> None:
    result = call("gate", "--cases", cases)
    assert result.exit_code == 2
    assert "go together" in result.stderr


def test_the_date_of_a_run_can_be_set(cases: Path) -> None:
    case: dict[str, object] = {
        "id": "s",
        "prompt": "Czy w sobotę w Łodzi będzie padać?",
        "tool": "get_weather",
    }
    case["arguments"] = {"city": "Łódź", "day": "2026-11-21"}
    cases.write_text(json.dumps(case), encoding="utf-8")
    report = cases.with_name("report.json")
    for today, right in (("2026-11-18", True), ("2026-11-25", False)):
        call("run", "--cases", cases, "--json", report, "--today", today)
        outcome = json.loads(report.read_text())["outcomes"]["s"]
        assert outcome["arguments_right"] is right


def test_an_unknown_engine_is_named(cases: Path) -> None:
    result = call("run", "--cases", cases, "--engine", "vllm-7")
    assert result.exit_code == 1
    assert "vllm-7" in result.stderr


def test_a_limit_is_spread_over_the_cases() -> None:
    cases = tuple(Case(id=str(number), prompt="p") for number in range(10))
    taken = take(CaseSet(name="own", fingerprint="f", cases=cases), 4)
    assert [case.id for case in taken.cases] == ["0", "2", "5", "7"]
    assert taken.fingerprint != "f"


def test_the_prompts_to_measure_with_are_not_shown(cases: Path) -> None:
    lines = [
        {"id": f"c{number}", "prompt": f"Ułóż fraszkę nr {number}", "tool": "get_weather"}
        for number in range(12)
    ]
    cases.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    shown = {
        half: call("run", "--cases", cases, "--split", half).stdout for half in ("dev", "test")
    }
    assert "fraszkę" in shown["dev"]
    assert "fraszkę" not in shown["test"]
    assert "under-triggering" in shown["test"]
