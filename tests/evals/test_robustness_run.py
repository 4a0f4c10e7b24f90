"""`zwrotnica eval robustness`: pairs, figures, report."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evals.cases import Case, CaseSet, Expected, ExpectedCall
from evals.cli import evaluate
from evals.metrics import Share
from evals.robustness.comparison import compare, spread_out
from evals.robustness.report import as_json, as_markdown
from evals.run import Log, Sample
from evals.scorers import Score
from evals.solver import DecidedCall, Solution

KINDS = ("lower_case", "emoji")
RIGHT = Expected(calls=(ExpectedCall(tool="get_weather", arguments={"city": "Radom"}),))
CASES = CaseSet(
    name="own",
    fingerprint="f",
    cases=(
        Case(id="a", prompt="Pogoda w Radomiu", expected=RIGHT),
        Case(id="b", prompt="Ładnie dziś w Radomiu?", expected=RIGHT),
        Case(id="c", prompt="nic", expected=Expected()),
    ),
)
WRONG_TOOL = {"b~lower_case", "c"}
WRONG_ARGUMENTS = {"a~lower_case"}


def sample(case: Case) -> Sample:
    """As if every case were right but those above."""
    call = DecidedCall(tool="get_weather", arguments={"city": "radom"})
    is_tool = case.id not in WRONG_TOOL
    return Sample(
        case=case,
        solution=Solution(
            tool="get_weather", calls=(call,), reason="called", verdict_ms=1, decision_ms=1.0
        ),
        score=Score(
            tool_right=is_tool,
            arguments_right=case.id not in WRONG_ARGUMENTS if is_tool else None,
        ),
    )


def log() -> Log:
    spread = spread_out(CASES, KINDS)
    samples = tuple(map(sample, spread.cases))
    return Log(cases="own", fingerprint="f", engine="e", dialect="d", samples=samples)


def test_behind_each_case_stand_its_perturbed_ones() -> None:
    assert [case.id for case in spread_out(CASES, KINDS).cases] == [
        "a", "a~lower_case", "a~emoji", "b", "b~lower_case", "b~emoji", "c", "c~emoji",
    ]  # fmt: skip


def test_each_kind_is_compared_with_the_same_cases_as_they_were() -> None:
    lower, emoji = compare(log(), KINDS)
    assert (lower.kind, emoji.kind) == KINDS
    assert lower.tool.before == Share(hits=2, total=2)
    assert lower.tool.after == Share(hits=1, total=2)
    assert lower.whole.after == Share(hits=0, total=2)
    assert (lower.tool.lost, lower.tool.won) == (1, 0)
    assert lower.tool.drop == pytest.approx(50)
    assert (emoji.tool.lost, emoji.tool.won) == (0, 1)
    assert emoji.tool.drop == pytest.approx(-100 / 3)


def test_the_most_harmful_kind_stands_first() -> None:
    assert [one.kind for one in compare(log(), KINDS[::-1])] == list(KINDS)


def test_the_report_shows_figures_and_what_was_lost() -> None:
    found = compare(log(), KINDS)
    report = as_markdown(log(), found)
    assert "3 prompts, 5 times written otherwise" in report
    row = "| lower_case | 100.0 % (2/2, 34.2–100.0) | 50.0 % (1/2, 9.5–90.5) | 50.0 | 1 | 0 | 1 |"
    assert row in report
    assert "| a | pogoda w radomiu | get_weather(city='Radom') |" in report


def test_every_case_that_changed_sides_is_in_the_json() -> None:
    kinds = as_json(log(), compare(log(), KINDS))["kinds"]
    assert isinstance(kinds, dict)
    changed = {kind: [one["id"] for one in found["changed"]] for kind, found in kinds.items()}  # type: ignore[index,call-overload,union-attr]
    assert changed == {"lower_case": ["a", "b"], "emoji": ["c"]}


def test_the_command_runs_a_split_with_some_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = (
        {"id": "w1", "prompt": "Jaka jest pogoda w Łodzi?", "tool": "get_weather"},
        {"id": "d1", "prompt": "Ułóż fraszkę o jesieni", "tool": None},
    )
    Path("own.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    kinds = ["--kind", "lower_case", "--kind", "no_diacritics"]
    options = ["--cases", "own.jsonl", *kinds, "--json", "r.json", "--markdown", "r.md"]
    result = CliRunner().invoke(evaluate, ["robustness", *options])
    assert result.exit_code == 0, result.output
    assert Path("r.md").read_text(encoding="utf-8") == result.stdout
    told = json.loads(Path("r.json").read_text(encoding="utf-8"))["kinds"]
    assert set(told) == {"lower_case", "no_diacritics"}
    assert told["lower_case"]["tool"]["before"]["total"] == 2
