"""FAULTS T4 with the true limits: hostile expressions against the tool as it is shipped."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from scripted.hostile_mathematics import CODE, EFFORT
from scripted.jobs import power

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


def answer(stand_in: StandIn, expression: str) -> str:
    try:
        return run_tool(calculate, stand_in, expression=expression).plain or ""
    except ToolError as error:
        return error.message


@pytest.mark.parametrize("expression", CODE)
def test_code_never_runs(stand_in: StandIn, expression: str, tmp_path: Path) -> None:
    environment = dict(os.environ)
    with pytest.raises(ToolError):
        run_tool(
            calculate,
            stand_in,
            expression=expression.replace("{canary}", str(tmp_path / "canary")),
        )
    assert not list(tmp_path.iterdir())
    assert dict(os.environ) == environment


@pytest.mark.parametrize("expression", EFFORT, ids=lambda expression: ascii(expression[:40]))
def test_effort_ends_in_time(stand_in: StandIn, expression: str) -> None:
    began = time.monotonic()
    assert answer(stand_in, expression)
    assert time.monotonic() - began <= EACH_S


def test_a_worker_is_back_within_200_ms_of_its_kill(stand_in: StandIn) -> None:
    with pytest.raises(WorkerTimeout):
        stand_in.workers.call(3, power, 9, 9**9)
    began = time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda n: stand_in.workers.call(3, power, 2, n), (1, 2))) == [2, 4]
    assert time.monotonic() - began <= RESPAWN_S


def test_bystanders_are_served_while_one_calculation_is_stuck(stand_in: StandIn) -> None:
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
    assert sorted(waited)[-3] <= RESPAWN_S
