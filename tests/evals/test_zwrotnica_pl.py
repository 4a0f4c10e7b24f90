"""`zwrotnica-pl` and the sets beside it: every label can be read, is legal, keeps to the guide."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

from scripted.tables import every_row

from chatbot.errors import ToolArgumentError
from chatbot.tools.image import generate_image
from chatbot.tools.mathematics import calculate
from chatbot.tools.weather import get_weather
from chatbot.tools.wikipedia import search_wikipedia
from evals import training
from evals.cases import PRACTICE_PL, ZWROTNICA_PL, Case, Expected, ExpectedCall, read_cases

TOOLS = {tool.name: tool for tool in (calculate, generate_image, get_weather, search_wikipedia)}
DIALOGUES = Path(training.__file__).parent / "dialogues"
FILES = sorted(ZWROTNICA_PL.glob("*.jsonl"))
EVERY_FILE = [*FILES, *sorted(PRACTICE_PL.glob("*.jsonl")), *sorted(DIALOGUES.glob("*.jsonl"))]


@cache
def cases_of(path: Path) -> tuple[Case, ...]:
    return read_cases(path).cases


def every_case() -> list[Case]:
    return [case for path in FILES for case in cases_of(path)]


def complaint(call: ExpectedCall, *, is_asked: bool) -> str | None:
    """What the tool itself says against a call."""
    try:
        TOOLS[call.tool].validate(call.arguments)
    except ToolArgumentError as error:
        return None if is_asked and error.is_missing else error.message
    return None


def test_the_set_is_as_large_and_as_hard_as_it_says() -> None:
    cases = every_case()
    singles = [case for case in cases if not case.history]
    assert len(singles) >= 1200
    assert len(cases) - len(singles) >= 300
    near = sum("near_miss" in case.tags for case in singles)
    assert near >= 0.35 * len(singles)
    by_tool = Counter(case.tool for case in singles)
    assert min(by_tool[name] for name in TOOLS) >= 150
    assert by_tool[None] >= 300


@every_row("path", EVERY_FILE)
def test_every_right_call_is_one_that_its_tool_takes(path: Path) -> None:
    wrong = {
        case.id: said
        for case in cases_of(path)
        for expected in (case.expected, *case.also)
        for call in expected.calls
        if (said := complaint(call, is_asked=expected.ask is not None))
    }
    assert wrong == {}


@every_row("path", EVERY_FILE)
def test_tags_are_those_of_the_guide(path: Path) -> None:
    guide = (ZWROTNICA_PL / "GUIDE.md").read_text(encoding="utf-8").partition("## Tags")[2]
    known = set(re.findall(r"`(\w+)`", guide))
    assert {tag for case in cases_of(path) for tag in case.tags} <= known


def test_no_prompt_and_no_id_stands_twice() -> None:
    cases = every_case()
    assert len({case.id for case in cases}) == len(cases)
    said = Counter(
        (*(message.text for message in case.history), " ".join(case.prompt.lower().split()))
        for case in cases
    )
    assert [words for words, count in said.items() if count > 1] == []


def test_only_questions_leave_a_required_argument_out() -> None:
    def lacks(expected: Expected) -> bool:
        required = {"get_weather": "city", "calculate": "expression", "search_wikipedia": "query"}
        return expected.ask is None and any(
            required.get(call.tool, "description") not in call.arguments for call in expected.calls
        )

    assert [case.id for case in every_case() if lacks(case.expected)] == []
