"""FAULTS T4 with the true limits: hostile expressions against the tool as it is shipped."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from scripted.fault_report import Figure, Publish
from scripted.hostile_mathematics import CODE, EFFORT
from scripted.jobs import power
from scripted.patience import PATIENCE_S

from chatbot.errors import ToolError, WorkerTimeout
from chatbot.testing import StandIn, run_tool
from chatbot.tools.mathematics import WORKER_MODULE, calculate
from chatbot.tools.workers import ProcessWorkers

pytestmark = pytest.mark.faults

EACH_S = 3.5
RESPAWN_S = 0.2


@pytest.fixture(scope="module")
def stand_in() -> Iterator[StandIn]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(ProcessWorkers(preload=[WORKER_MODULE])) as workers,
    ):
        stand_in = StandIn(workers=workers)
        run_tool(calculate, stand_in, expression="integrate(x**2, x)")
        yield stand_in


def figure(what: str, began: float, is_right: bool, limit_s: float = EACH_S) -> Figure:
    times = (time.monotonic() - began,)
    return Figure(case="T4", what=what, n=1, passed=int(is_right), times=times, limit_s=limit_s)


def did_run(stand_in: StandIn, expression: str) -> bool:
    try:
        run_tool(calculate, stand_in, expression=expression)
    except ToolError:
        return False
    return True


def answer(stand_in: StandIn, expression: str) -> str:
    try:
        return run_tool(calculate, stand_in, expression=expression).plain or ""
    except ToolError as error:
        return error.message


@pytest.mark.parametrize("expression", CODE)
def test_code_never_runs(
    stand_in: StandIn, publish: Publish, expression: str, tmp_path: Path
) -> None:
    environment = dict(os.environ)
    began = time.monotonic()
    hostile = expression.replace("{canary}", str(tmp_path / "canary"))
    is_refused = not did_run(stand_in, hostile)
    is_clean = not list(tmp_path.iterdir()) and dict(os.environ) == environment
    publish(figure("code in an expression: refused, nothing run", began, is_refused and is_clean))
    assert is_refused
    assert is_clean


@pytest.mark.parametrize("expression", EFFORT, ids=lambda expression: ascii(expression[:40]))
def test_effort_ends_in_time(stand_in: StandIn, publish: Publish, expression: str) -> None:
    began = time.monotonic()
    said = answer(stand_in, expression)
    publish(figure("an expression without end: answered or refused in time", began, bool(said)))
    assert said


def test_a_worker_is_back_within_200_ms_of_its_kill(stand_in: StandIn, publish: Publish) -> None:
    with pytest.raises(WorkerTimeout):
        stand_in.workers.call(3, power, 9, 9**9)
    began = time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        assert list(
            threads.map(lambda n: stand_in.workers.call(PATIENCE_S, power, 2, n), (1, 2))
        ) == [2, 4]
    publish(figure("both workers answer after a kill", began, is_right=True, limit_s=RESPAWN_S))


def test_bystanders_are_served_while_one_calculation_is_stuck(
    stand_in: StandIn, publish: Publish
) -> None:
    waited = []
    with ThreadPoolExecutor(1) as threads:
        stuck = threads.submit(stand_in.workers.call, 3, power, 9, 9**9)
        for number in range(50):
            began = time.monotonic()
            assert answer(stand_in, f"{number}+1") == f"Wynik: {number + 1}"
            waited.append(time.monotonic() - began)
        assert not stuck.done()
        with pytest.raises(WorkerTimeout):
            stuck.result()
    what, times = "bystanders of a stuck calculation are answered", tuple(waited)
    publish(Figure(case="T4", what=what, n=50, passed=50, times=times, limit_s=RESPAWN_S))
