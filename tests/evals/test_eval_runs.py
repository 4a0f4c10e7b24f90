"""Runs against a model server: modes, records that go on and play back, refusals, keys."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted.router_model import LODZ as CALL, TAG, RouterModel, router_model, say

from evals.cli import evaluate
from evals.record import read_record

LODZ = {"tool": "get_weather", "arguments": {"city": "Łódź"}}
SAID = [
    {"role": "user", "content": "Jaka pogoda w Łodzi?"},
    {"role": "assistant", "content": "5 °C.", "calls": [LODZ]},
]
LINES = (
    {"id": "w", "prompt": "Jaka jest pogoda w Łodzi?", **LODZ},
    {"id": "d", "prompt": "Ułóż fraszkę o jesieni", "tool": None},
    {"id": "f", "prompt": "a jutro?", "history": SAID, **LODZ},
)
BARE = tuple(
    part
    for name in ("dialogue", "fast_path", "verify")
    for part in ("--set", f"router.{name}=false")
)


@pytest.fixture
def model() -> Iterator[RouterModel]:
    with router_model() as model:
        yield model


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    return path


def call(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, [str(argument) for argument in arguments])


def run(cases: Path, model: RouterModel, *options: object) -> Result:
    engine = ("--url", model.url, "--model", "m", "--dialect", "llama3.1", "--kind", "vllm")
    return call("run", "--cases", cases, *engine, *BARE, *options)


def outcomes(report: Path) -> dict[str, dict[str, object]]:
    content: dict[str, dict[str, dict[str, object]]] = json.loads(report.read_text("utf-8"))
    return content["outcomes"]


def test_the_modes_show_the_model_more_or_less(cases: Path, model: RouterModel) -> None:
    engine = ("--url", model.url, "--dialect", "llama3.1", "--kind", "vllm")
    folder = cases.with_name("runs")
    result = call("modes", "--cases", cases, *engine, "--runs", folder)
    assert result.exit_code == 0, result.output
    assert "| figure | last | history | rewrite | state |" in result.stdout
    right = {path.stem: outcomes(path)["f"]["tool_right"] for path in folder.iterdir()}
    assert (right["last"], right["history"], right["rewrite"]) == (False, True, True)
    assert outcomes(folder / "rewrite.json")["f"]["rewritten"] == "Jaka jutro pogoda w Łodzi?"
    assert outcomes(folder / "rewrite.json")["f"]["prompt_tokens"] == 200


def test_one_record_holds_all_modes(cases: Path, model: RouterModel) -> None:
    engine = ("--url", model.url, "--dialect", "llama3.1", "--kind", "vllm")
    record = cases.with_name("record.jsonl")
    first = call("modes", "--cases", cases, *engine, "--record", record)
    asked = len(model.asked)
    second = call("modes", "--cases", cases, "--replay", record)
    assert (first.exit_code, second.exit_code) == (0, 0), second.output
    assert "rewrite" in first.stdout
    assert first.stdout == second.stdout
    assert len(model.asked) == asked


def test_the_history_stands_before_the_last_message(cases: Path, model: RouterModel) -> None:
    run(cases, model, "--mode", "history")
    system, *said, last = next(asked for asked in model.asked if "a jutro?" in asked[-1])
    assert said == ["Jaka pogoda w Łodzi?", "5 °C."]
    assert "ipython" in system
    assert "get_weather" in last


def test_a_record_plays_back_to_the_same_bytes_without_a_server(
    cases: Path, model: RouterModel
) -> None:
    record = cases.with_name("record.jsonl")
    reports = [cases.with_name(name) for name in ("first.json", "second.json")]
    pages = [cases.with_name(name) for name in ("first.html", "second.html")]
    first = run(cases, model, "--record", record, "--json", reports[0], "--html", pages[0])
    asked = len(model.asked)
    played = ("--replay", record, "--json", reports[1], "--html", pages[1])
    second = call("run", "--cases", cases, *played)
    assert (first.exit_code, second.exit_code) == (0, 0), second.output
    assert first.stdout == second.stdout
    assert reports[0].read_bytes() == reports[1].read_bytes()
    assert pages[0].read_bytes() == pages[1].read_bytes()
    assert len(model.asked) == asked
    assert model.url not in record.read_text(encoding="utf-8")


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_a_record_keeps_every_character_that_a_model_wrote(
    cases: Path, model: RouterModel, mark: str
) -> None:
    record = cases.with_name("record.jsonl")
    reports = [cases.with_name(name) for name in ("first.json", "second.json")]
    model.say = lambda _: f"Łódź {mark} Hel"
    first = run(cases, model, "--record", record, "--json", reports[0])
    second = call("run", "--cases", cases, "--replay", record, "--json", reports[1])
    assert (first.exit_code, second.exit_code) == (0, 0), first.output + second.output
    assert reports[0].read_bytes() == reports[1].read_bytes()
    assert record.read_text(encoding="utf-8").count(mark) == len(LINES)


def test_a_record_may_be_torn_within_a_character(cases: Path, model: RouterModel) -> None:
    record = cases.with_name("record.jsonl")
    model.say = lambda _: "Łódź"
    run(cases, model, "--record", record)
    whole = record.read_bytes()
    record.write_bytes(whole[: whole.rindex("Ł".encode()) + 1])
    model.asked.clear()
    result = run(cases, model, "--record", record)
    assert result.exit_code == 0, result.output
    assert len(model.asked) == 2  # the warm-up and the case that was torn
    assert read_record(record).find(None, "f")


def test_an_interrupted_run_asks_only_for_what_is_missing(cases: Path, model: RouterModel) -> None:
    record = cases.with_name("record.jsonl")
    run(cases, model, "--record", record)
    header, first, second, _ = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text(header + first + second[:40], encoding="utf-8")
    model.asked.clear()
    result = run(cases, model, "--record", record)
    assert result.exit_code == 0, result.output
    prompts = [asked[-1] for asked in model.asked]
    assert len(prompts) == 3  # the warm-up and two cases
    assert not any("pogoda w Łodzi" in prompt for prompt in prompts)
    assert len(record.read_text(encoding="utf-8").splitlines()) == 4


def test_a_record_of_other_cases_is_refused(cases: Path, model: RouterModel) -> None:
    record = cases.with_name("record.jsonl")
    run(cases, model, "--record", record)
    cases.write_text(json.dumps(LINES[0]), encoding="utf-8")
    assert "other cases" in run(cases, model, "--record", record).stderr
    assert "other cases" in call("run", "--cases", cases, "--replay", record).stderr


def test_changed_requests_are_not_played(cases: Path, model: RouterModel) -> None:
    record = cases.with_name("record.jsonl")
    run(cases, model, "--record", record)
    result = call("run", "--cases", cases, "--replay", record, "--mode", "history")
    assert result.exit_code == 1
    assert "does not hold the case" in result.stderr
    changed = record.read_text(encoding="utf-8").replace('"llama3.1"', '"hermes"')
    record.write_text(changed, encoding="utf-8")
    result = call("run", "--cases", cases, "--replay", record)
    assert "other requests are made now" in result.stderr


def test_a_record_of_other_settings_than_there_are_is_told(cases: Path, model: RouterModel) -> None:
    record = cases.with_name("record.jsonl")
    run(cases, model, "--record", record)
    changed = record.read_text("utf-8").replace('"verdict_s"', '"verdict_seconds"', 1)
    record.write_text(changed, encoding="utf-8")
    result = call("run", "--cases", cases, "--replay", record)
    assert result.exit_code == 1
    assert "verdict_seconds" in result.stderr
    assert "record the run anew" in result.stderr


def test_a_busy_server_is_asked_again_and_costs_no_case(cases: Path, model: RouterModel) -> None:
    report = cases.with_name("report.json")
    refusals = iter([[(429, "1")], []])  # the warm-up is answered, the case is not at first

    def answer(seen: str) -> str:
        model.refusals += next(refusals)
        return say(seen)

    model.say = answer
    result = run(cases, model, "--json", report, "--limit", 1)
    assert result.exit_code == 0, result.output
    found = outcomes(report)["w"]
    assert (found["tool"], found["reason"]) == ("get_weather", "called")
    assert model.refusals == []


def test_a_model_that_cannot_be_asked_has_no_figures(cases: Path, model: RouterModel) -> None:
    report = cases.with_name("report.json")
    model.refusals = [(400, "0")]
    result = run(cases, model, "--json", report)
    assert result.exit_code == 1
    assert "nothing can be measured" in result.stderr
    assert not report.exists()
    assert model.asked == []


def test_cases_without_an_answer_are_told(cases: Path, model: RouterModel) -> None:
    record, report = cases.with_name("record.jsonl"), cases.with_name("report.json")
    run(cases, model, "--record", record)
    *kept, last = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join((*kept, last.replace('"failed": false', '"failed": true'))), "utf-8")
    result = call("run", "--cases", cases, "--replay", record, "--json", report)
    assert result.exit_code == 1
    assert "1 case was left unanswered" in result.stderr
    assert "| cases that an engine left unanswered | 1 |" in result.stdout
    assert json.loads(report.read_text("utf-8"))["figures"]["unanswered"] == 1


def test_expectations_that_no_tool_can_meet_are_told(cases: Path, model: RouterModel) -> None:
    assert "no enabled tool" not in run(cases, model).stderr
    lines = [
        {"id": "a", "prompt": "Czy pada?", "tool": "get_wether", "arguments": {"city": "Łódź"}},
        {"id": "b", "prompt": "A w Łodzi?", "tool": "get_weather", "arguments": {"town": "Łódź"}},
        {"id": "c", "prompt": "Pada?", "tool": "get_wether", "arguments": {}},
    ]
    cases.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    result = run(cases, model)
    assert result.exit_code == 0
    assert "counts as wrong: get_wether (2), get_weather.town (1)" in result.stderr


def test_a_whole_record_needs_no_server(cases: Path, model: RouterModel) -> None:
    record = cases.with_name("record.jsonl")
    run(cases, model, "--record", record)
    model.asked.clear()
    assert run(cases, model, "--record", record).exit_code == 0
    assert model.asked == []


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        (("--json", "own.jsonl/report.json"), "own.jsonl"),
        (("--markdown", "."), "is a directory"),
        (("--into", "page.md#figures"), "has no marks"),
        (("--into", "page.md"), "write FILE#NAME"),
        (("--into", "none.md#figures"), "none.md"),
    ],
)
def test_nobody_is_asked_where_the_report_could_not_be_kept(
    cases: Path, model: RouterModel, option: tuple[str, str], complaint: str
) -> None:
    cases.with_name("page.md").write_text("<!-- other --><!-- /other -->", encoding="utf-8")
    result = run(cases, model, *option)
    assert result.exit_code != 0
    assert complaint in result.stderr
    assert model.asked == []


def test_the_key_comes_from_the_variable_that_is_named(
    cases: Path, model: RouterModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVAL_KEY", "sk-test")
    assert run(cases, model, "--key-env", "EVAL_KEY", "--limit", 1).exit_code == 0
    assert set(model.keys) == {"Bearer sk-test"}
    assert "is not set" in run(cases, model, "--key-env", "NO_SUCH_KEY").stderr


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--engine", "embedded", "--url", "http://127.0.0.1:9/v1"), "not both"),
        (("--model", "m"), "belong to --url"),
        (("--set", "router.verify"), "NAME=VALUE"),
        (("--set", "router.verfy=false"), "router.verify"),
        (("--mode", "rewrite"), "needs a language model"),
        (("--replay", "none.jsonl"), "none.jsonl"),
    ],
)
def test_options_that_cannot_be_are_refused(
    cases: Path, options: tuple[str, ...], complaint: str
) -> None:
    result = call("run", "--cases", cases, *options)
    assert result.exit_code == 1
    assert complaint in result.stderr


def test_the_whole_chatbot_decides_like_the_route(cases: Path, model: RouterModel) -> None:
    reports = [cases.with_name(name) for name in ("route.json", "chatbot.json")]
    run(cases, model, "--json", reports[0])
    result = run(cases, model, "--json", reports[1], "--runner", "chatbot")
    assert result.exit_code == 0, result.output
    route, chatbot = map(outcomes, reports)
    for key in route:
        for field in ("tool", "calls", "reason", "tool_right", "arguments_right"):
            assert chatbot[key][field] == route[key][field]


def test_the_whole_chatbot_asks_too(cases: Path) -> None:
    asking = {"id": "q", "prompt": "Jaka jest pogoda?", "tool": "get_weather", "ask": "city"}
    cases.write_text(json.dumps(asking), encoding="utf-8")
    report = cases.with_name("report.json")
    call("run", "--cases", cases, "--runner", "chatbot", "--json", report)
    assert outcomes(report)["q"]["asked"] == "city"


def test_examples_of_the_tools_are_cases(cases: Path) -> None:
    report = cases.with_name("report.json")
    result = call("run", "--cases", "examples", "--json", report)
    assert result.exit_code == 0, result.output
    found = outcomes(report)
    assert found["get_weather-1"]["tags"] == ["get_weather"]
    assert found["get_weather-1"]["tool_right"] is True


def test_calls_that_are_not_run_are_errors_of_the_model(cases: Path, model: RouterModel) -> None:
    fly = '{"name": "fly_to", "parameters": {"where": "Hel"}}'
    model.say = lambda _: f"{CALL}; {CALL.removeprefix(TAG)}; {fly}"
    report = cases.with_name("report.json")
    result = run(cases, model, "--json", report, "--limit", 1)
    assert result.exit_code == 0, result.output
    found = outcomes(report)["w"]
    assert found["raw_patterns"] == ["IAV.inflection get_weather.city", "RAC", "IFN"]
    assert found["patterns"] == []
