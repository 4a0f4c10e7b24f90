"""A run from cases to report and gate, with a scripted router."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from chatbot.bot import Routing
from chatbot.tools.builtin import BUILT_IN
from chatbot.types import Decision, ToolCall, TurnRequest
from evals.cases import Case, CaseSet, Expected, ExpectedCall
from evals.gate import BaselineError, find_regressions, read_baseline
from evals.metrics import Share
from evals.report import as_json, as_markdown
from evals.run import Log, run
from evals.scorers import Scorer, measures
from evals.solver import RouteSolver
from evals.summary import sum_up

SATURDAY = date(2026, 11, 21)
CALLS: Mapping[str, tuple[str, dict[str, str]]] = {
    "pogoda w Łodzi": ("get_weather", {"city": "Łódź"}),
    "pogoda na Helu": ("get_weather", {"city": "Helu"}),
    "wiersz o deszczu": ("get_weather", {"city": "Deszcz"}),
    "kim był Kopernik": ("get_weather", {"city": "Kopernik"}),
}


class ScriptedRoutes:
    """Routes by the prompt, after `CALLS`; anything else to the default model."""

    async def route(self, request: TurnRequest) -> Routing:
        found = CALLS.get(request.messages[-1].text)
        if found is None:
            return Routing(decision=Decision(reason="plain_text", verdict_ms=2))
        name, arguments = found
        call = ToolCall(call_id="1", name=name, arguments=arguments, raw_arguments=arguments)
        decision = Decision(reason="called", verdict_ms=4, calls=(call,), verified=False)
        return Routing(decision=decision, calls=(call,))


def case(prompt: str, tool: str | None = None, **arguments: str) -> Case:
    tags = ("near-miss",) if tool is None else ()
    right = () if tool is None else (ExpectedCall(tool=tool, arguments=arguments),)
    return Case(id=prompt, prompt=prompt, expected=Expected(calls=right), tags=tags)


CASES = CaseSet(
    name="own",
    fingerprint="f1",
    cases=(
        case("pogoda w Łodzi", "get_weather", city="Łódź"),
        case("pogoda na Helu", "get_weather", city="Hel"),
        case("pogoda?", "get_weather"),
        case("kim był Kopernik", "search_wikipedia", query="Mikołaj Kopernik"),
        case("wiersz o deszczu"),
        case("cześć"),
    ),
)


async def solve(cases: CaseSet = CASES) -> Log:
    solver = RouteSolver(ScriptedRoutes(), lambda: 0.0)
    return await run(
        cases,
        solver,
        Scorer(measures(SATURDAY), [tool.spec for tool in BUILT_IN]),
        engine="scripted",
        dialect="plain",
        parallel=3,
    )


async def test_the_samples_keep_the_order_of_the_cases() -> None:
    assert [sample.case.id for sample in (await solve()).samples] == [c.id for c in CASES.cases]


async def test_the_figures() -> None:
    figures = sum_up(await solve())
    assert figures.accuracy == Share(hits=3, total=6)
    assert figures.over_triggering == Share(hits=1, total=2)
    assert figures.under_triggering == Share(hits=1, total=4)
    assert figures.wrong_tool == Share(hits=1, total=4)
    assert figures.arguments == Share(hits=1, total=2)
    assert figures.tools["get_weather"].precision == Share(hits=2, total=4)
    assert figures.tools["get_weather"].recall == Share(hits=2, total=3)
    assert figures.tools["default"].recall == Share(hits=1, total=2)
    assert figures.by_argument == {"get_weather.city": Share(hits=1, total=2)}
    assert figures.by_tag == {"near-miss": Share(hits=1, total=2)}
    assert figures.reasons == {"called": 4, "plain_text": 2}
    assert figures.by_verifier == {"disagrees": Share(hits=2, total=4)}
    assert figures.patterns == {"IAC": 1, "IAV.inflection": 1}
    assert figures.confusion["search_wikipedia"]["get_weather"] == 1
    assert figures.polish.after == Share(hits=2, total=6)


async def test_arguments_are_filed_under_their_own_function() -> None:
    both = (
        ExpectedCall(tool="search_wikipedia", arguments={"query": "Hel"}),
        ExpectedCall(tool="get_weather", arguments={"city": "Łódź"}),
    )
    mixed = Case(id="m", prompt="pogoda w Łodzi", expected=Expected(calls=both))
    figures = sum_up(await solve(replace(CASES, cases=(mixed,))))
    assert figures.by_argument == {
        "get_weather.city": Share(hits=1, total=1),
        "search_wikipedia.query": Share(hits=0, total=1),
    }


async def test_the_markdown_report_shows_figures_and_faults() -> None:
    log = await solve()
    report = as_markdown(log, sum_up(log))
    assert "| right tool or default | 50.0 % (3/6, 18.8–81.2) |" in report
    assert "| pogoda na Helu | pogoda na Helu | get_weather(city='Hel') |" in report
    assert "| cześć |" not in report


async def baseline_of(log: Log, tmp_path: Path) -> Path:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(as_json(log, sum_up(log))), encoding="utf-8")
    return path


async def test_the_same_figures_pass_the_gate(tmp_path: Path) -> None:
    log = await solve()
    baseline = read_baseline(await baseline_of(log, tmp_path))
    assert find_regressions(baseline, log) == ()


async def test_a_lost_case_fails_the_gate_and_is_named(tmp_path: Path) -> None:
    log = await solve()
    better = replace(
        log,
        samples=tuple(
            replace(sample, score=replace(sample.score, tool_right=True)) for sample in log.samples
        ),
    )
    baseline = read_baseline(await baseline_of(better, tmp_path))
    found = find_regressions(baseline, log)
    assert found[0] == "right tools: 3, the baseline has 6"
    assert "  wiersz o deszczu: get_weather" in found


async def test_a_baseline_of_other_cases_is_refused(tmp_path: Path) -> None:
    log = await solve()
    baseline = read_baseline(await baseline_of(log, tmp_path))
    with pytest.raises(BaselineError, match="the cases have changed"):
        find_regressions(baseline, replace(log, fingerprint="f2"))


def test_a_missing_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"none\.json"):
        read_baseline(tmp_path / "none.json")
