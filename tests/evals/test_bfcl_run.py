"""`zwrotnica eval bfcl`: from the files to the report, with a scripted router model."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from chatbot.errors import EngineUnavailable
from chatbot.router import DIALECTS, Router
from chatbot.testing import ManualClock, ScriptedEngine
from chatbot.testing.engines import Script
from chatbot.types import ChatRequest
from evals.bfcl.entries import read_entries
from evals.bfcl.report import as_json, as_markdown, sum_up
from evals.bfcl.run import LIMITS, Result, run_entries
from evals.cli import evaluate
from evals.metrics import Share

SAMPLE = Path(__file__).parent / "bfcl"
UNKNOWN = '<|python_tag|>{"name": "fly", "parameters": {}}'
BROKEN = "<|python_tag|>import trams"


def tram(stop: str) -> str:
    arguments = json.dumps({"start": "Rynek", "stop": stop})
    return f'<|python_tag|>{{"name": "tram_find_line", "parameters": {arguments}}}'


async def ask(category: str, replies: Mapping[str, Script]) -> tuple[Result, ...]:
    """Ask a category's questions; a reply belongs to the question that holds its key."""

    def reply(request: ChatRequest) -> Script:
        said = request.messages[-1].text
        return next((one for key, one in replies.items() if key in said), ["Nie wiem."])

    router = Router(
        engine=ScriptedEngine(script=reply),
        dialect=DIALECTS["llama3.1"],
        clock=ManualClock(),
        limits=LIMITS,
    )
    return await run_entries(read_entries(SAMPLE, category), router, parallel=3)


async def test_calls_are_read_by_the_router_and_judged() -> None:
    tram_entry, *others = await ask("simple_python", {"Which tram": [tram("Dworzec")]})
    assert tram_entry.fault is None
    assert {one.fault for one in others} == {"no call"}
    wrong = await ask("simple_python", {"Which tram": [tram("Most")]})
    assert wrong[0].fault == "wrong value"


async def test_where_nothing_fits_text_is_right_and_any_call_wrong() -> None:
    poem, capital = await ask("irrelevance", {"poem": [tram("Most")]})
    assert (poem.fault, capital.fault) == ("needless call", None)


@pytest.mark.parametrize(
    ("reply", "fault"), [(tram("x"), None), (UNKNOWN, None), (BROKEN, "no call"), ("?", "no call")]
)
async def test_a_call_of_a_function_that_does_not_exist_is_a_call(
    reply: str, fault: str | None
) -> None:
    assert (await ask("live_relevance", {"low floor": [reply]}))[0].fault == fault


async def test_an_unknown_function_is_needless_too() -> None:
    assert (await ask("irrelevance", {"poem": [UNKNOWN]}))[0].fault == "needless call"


async def test_an_engine_that_does_not_answer_is_never_right() -> None:
    poem, capital = await ask(
        "irrelevance", {"poem": [EngineUnavailable("down", engine="scripted")]}
    )
    assert (poem.fault, capital.fault) == ("no reply", None)


async def test_the_report_counts_by_category() -> None:
    found = (
        *await ask("simple_python", {"Which tram": [tram("Dworzec")], "grams": [UNKNOWN]}),
        *await ask("irrelevance", {"poem": [tram("Most")]}),
    )
    simple, irrelevance = sum_up(found)
    assert simple.right == Share(hits=1, total=6)
    assert simple.faults == {"no call": 5}
    assert irrelevance.reasons == {"called": 1, "plain_text": 1}
    report = as_markdown("scripted", "llama3.1", found)
    assert "| irrelevance | 50.0 % (1/2, 9.5–90.5) | needless call 1 |" in report
    assert "tram_find_line(start='Rynek', stop='Most')" in report
    outcomes = as_json("scripted", "llama3.1", found)["outcomes"]
    assert isinstance(outcomes, dict)
    assert outcomes["irrelevance_0"] == {
        "category": "irrelevance",
        "reason": "called",
        "right": False,
        "fault": "needless call",
        "calls": [{"tool": "tram_find_line", "arguments": {"start": "Rynek", "stop": "Most"}}],
    }


def test_the_command_reads_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = ["--json", "run.json", "--markdown", "run.md"]
    result = CliRunner().invoke(evaluate, ["bfcl", "--data", str(SAMPLE), *written])
    assert result.exit_code == 0, result.output
    assert Path("run.md").read_text(encoding="utf-8") == result.stdout
    categories = json.loads(Path("run.json").read_text(encoding="utf-8"))["categories"]
    assert categories["irrelevance"]["right"]["hits"] == 2
    assert len(categories) == 6


def test_the_command_takes_some_of_some_categories() -> None:
    options = ["--category", "simple_python", "--category", "irrelevance", "--limit", "1"]
    result = CliRunner().invoke(evaluate, ["bfcl", "--data", str(SAMPLE), *options])
    assert "2 questions" in result.stdout


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(evaluate, ["bfcl", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "none of BFCL's files" in result.stderr
