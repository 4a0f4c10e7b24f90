"""The cards of the case files: their figures are those of the files."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from chatbot.language import fold
from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia
from evals.cases import EVERYDAY, ZWROTNICA_PL, Case, read_cases, select
from evals.cli import evaluate

TOOLS = (get_weather, calculate, search_wikipedia, generate_image)
CARD = " ".join((ZWROTNICA_PL / "README.md").read_text(encoding="utf-8").split())
EVERYDAY_CARD = (EVERYDAY.parent / "README.md").read_text(encoding="utf-8")
WHOLE = read_cases(ZWROTNICA_PL)


def row(name: str, cases: Iterable[Case]) -> str:
    """A file's row: its cases, those for each tool and for none, near-misses."""
    kept = list(cases)
    by_tool = Counter(case.tool for case in kept)
    near = sum("near_miss" in case.tags for case in kept)
    counts = (len(kept), *(by_tool[tool.name] for tool in TOOLS), by_tool[None], near)
    return f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |"


def plain(prompt: str) -> str:
    return re.sub(r"\W+", " ", fold(prompt)).strip()


def test_the_table_counts_the_files() -> None:
    for path in sorted(ZWROTNICA_PL.glob("*.jsonl")):
        assert row(f"`{path.name}`", read_cases(path).cases) in CARD
    assert row("all", WHOLE.cases) in CARD


def test_the_words_count_the_cases() -> None:
    singles = sum(not case.history for case in WHOLE.cases)
    asking = sum(case.expected.ask is not None for case in WHOLE.cases)
    several = sum(len(case.expected.calls) > 1 for case in WHOLE.cases)
    defended = sum(bool(case.also) for case in WHOLE.cases)
    assert f"{singles:,} single prompts and {len(WHOLE.cases) - singles} dialogues" in CARD
    assert f"{asking} cases ask for what is missing, {several} need several calls, " in CARD
    assert f"{defended} have a second decision" in CARD


def test_the_words_count_the_tags() -> None:
    tags = Counter(tag for case in WHOLE.cases for tag in case.tags)
    told = {tag: int(count) for count, tag in re.findall(r"(\d+) `(\w+)`", CARD)}
    assert len(told) >= 13
    assert told == {tag: tags[tag] for tag in told}


def test_the_words_count_the_halves() -> None:
    dev, test = (select(WHOLE, half).cases for half in ("dev", "test"))
    empty = [sum(case.tool is None for case in half) for half in (dev, test)]
    assert f"`dev` ({len(dev)} cases, {empty[0]} of them `null`)" in CARD
    assert f"`test` ({len(test)}, {empty[1]})" in CARD


def test_the_thin_places_are_as_thin_as_they_are_said_to_be() -> None:
    calls = [call for case in WHOLE.cases for call in case.expected.calls]
    expressions = [str(call.arguments.get("expression", "")) for call in calls]
    systems = sum("solve([" in one for one in expressions)
    determinants = sum("det(" in one for one in expressions)
    editions = sum("language" in call.arguments for call in calls)
    assert f"systems of equations ({systems} calls" in CARD
    assert f"determinants ({determinants}), other editions of Wikipedia ({editions})" in CARD


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS])
def test_the_everyday_table_counts_its_file(name: str) -> None:
    cases = [case for case in read_cases(EVERYDAY).cases if case.tool == name]
    near = sum("near_miss" in case.tags for case in cases)
    assert f"| `{name}` | {len(cases)} | {near} |" in EVERYDAY_CARD


@pytest.mark.parametrize("path", [EVERYDAY, ZWROTNICA_PL], ids=["everyday", "zwrotnica-pl"])
def test_no_case_stands_in_the_examples_of_a_tool(path: Path) -> None:
    shown = {plain(example) for tool in TOOLS for example in tool.spec.examples}
    assert [case.id for case in read_cases(path).cases if plain(case.prompt) in shown] == []


def test_every_example_of_a_tool_goes_to_that_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        json.dumps({"id": f"{tool.name}-{number}", "prompt": example, "tool": tool.name})
        for tool in TOOLS
        for number, example in enumerate(tool.spec.examples)
    ]
    Path("examples.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = CliRunner().invoke(evaluate, ["run", "--cases", "examples.jsonl", "--json", "r.json"])
    assert result.exit_code == 0, result.output
    outcomes = json.loads(Path("r.json").read_text(encoding="utf-8"))["outcomes"]
    assert [name for name, outcome in outcomes.items() if not outcome["tool_right"]] == []
