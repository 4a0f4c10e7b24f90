"""The offline evals against a real vLLM: the four modes side by side, a record played back."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from engines.gateway_process import write_config
from engines.lessons import LESSONS
from engines.model_server import ModelServer

from evals.cli import evaluate
from evals.modes import MODES
from evals.saved import read_run

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

DIALOGUES = 6


def call(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, [str(argument) for argument in arguments])


def taught(folder: Path) -> Path:
    """The lessons as cases; the checkpoint knows nothing else."""
    lines = [
        {
            "id": f"lesson-{number}",
            "prompt": lesson.prompt,
            "tool": lesson.calls[0][0] if lesson.calls else None,
        }
        for number, lesson in enumerate(LESSONS)
    ]
    path = folder / "lessons.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_four_modes_are_compared_by_one_command(parser_off: ModelServer, tmp_path: Path) -> None:
    config, folder = write_config(parser_off, tmp_path), tmp_path / "runs"
    page = tmp_path / "modes.html"
    options = ("--limit", DIALOGUES, "--parallel", 4, "--runs", folder, "--html", page)
    result = call("modes", "--config", config, *options)
    assert result.exit_code == 0, result.output
    assert f"| figure | {' | '.join(MODES)} |" in result.stdout
    runs = {mode: read_run(folder / f"{mode}.json") for mode in MODES}
    assert {len(run.outcomes) for run in runs.values()} == {DIALOGUES}
    read = {mode: run.figures.tokens.total_prompt for mode, run in runs.items()}
    assert 0 < read["last"] < min(read["history"], read["rewrite"])
    for mode in ("last", "history", "rewrite"):
        assert all(outcome.decision_ms > 0 for outcome in runs[mode].outcomes.values())
    assert page.read_text(encoding="utf-8").count("<article") == DIALOGUES


def test_what_was_taught_is_right_and_its_record_plays_back(
    parser_off: ModelServer, tmp_path: Path
) -> None:
    config, cases = write_config(parser_off, tmp_path), taught(tmp_path)
    record = tmp_path / "record.jsonl"
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    same = ("--cases", cases, "--mode", "last")
    asked = call("run", *same, "--config", config, "--record", record, "--json", first)
    assert asked.exit_code == 0, asked.output
    right = read_run(first).figures.accuracy
    assert (right.hits, right.total) == (len(LESSONS), len(LESSONS))
    generated = parser_off.generated()
    played = call("run", *same, "--replay", record, "--json", second)
    assert played.exit_code == 0, played.output
    assert first.read_bytes() == second.read_bytes()
    assert parser_off.generated() == generated
