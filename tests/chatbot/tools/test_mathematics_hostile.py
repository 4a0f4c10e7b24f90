"""Hostile expressions: nothing is executed, nothing lasts, nobody else notices (FAULTS T4)."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from scripted.effort import cost
from scripted.hostile_mathematics import CODE, EFFORT
from scripted.patience import PATIENCE_S
from scripted.tables import every_row

from chatbot.errors import ToolError
from chatbot.testing import StandIn, run_tool
from chatbot.tools.mathematics import calculate
from chatbot.tools.mathematics.reading import read
from chatbot.tools.workers import ProcessWorkers

LIMIT_S = 0.15  # the true one ÷ 20
LONG_SUM = "+".join(["1"] * 499)
MOST = 20.0
"""How many times the processor time of the sum; the worst, 500 fractions, take four times it."""
SOME_EFFORT = EFFORT[::5]  # all of it, with the true limit: tests/faults


@pytest.fixture
def stand_in(calculators: ProcessWorkers) -> StandIn:
    return StandIn(workers=calculators, settings={"time_limit_s": LIMIT_S})


@every_row("expression", CODE)
def test_code_is_refused_before_any_worker_sees_it(expression: str, tmp_path: Path) -> None:
    with pytest.raises(ToolError):
        read(expression.replace("{canary}", str(tmp_path / "canary")))
    assert not list(tmp_path.iterdir())


def test_reading_anything_hostile_takes_little_longer_than_a_long_sum() -> None:
    most = MOST * cost(_read_or_refuse, LONG_SUM)
    for expression in (*CODE, *EFFORT):
        assert cost(_read_or_refuse, expression, runs=2) < most, expression[:50]


def _read_or_refuse(expression: str) -> None:
    try:
        read(expression)
    except ToolError:
        return


def test_hostile_work_ends_at_its_limit_and_leaves_the_workers_sound(stand_in: StandIn) -> None:
    environment = dict(os.environ)
    with ThreadPoolExecutor(2) as threads:
        took = list(threads.map(lambda expression: _time(stand_in, expression), SOME_EFFORT))
    assert max(took) <= LIMIT_S + PATIENCE_S  # the true bound: tests/faults
    assert dict(os.environ) == environment
    patient = StandIn(workers=stand_in.workers, settings={"time_limit_s": PATIENCE_S})
    assert run_tool(calculate, patient, expression="2+2").plain == "Wynik: 4"


def _time(stand_in: StandIn, expression: str) -> float:
    began = time.monotonic()
    _run_or_refuse(stand_in, expression)
    return time.monotonic() - began


def _run_or_refuse(stand_in: StandIn, expression: str) -> None:
    try:
        run_tool(calculate, stand_in, expression=expression)
    except ToolError:
        return


def test_a_stuck_calculation_does_not_delay_another(stand_in: StandIn) -> None:
    patient = StandIn(workers=stand_in.workers, settings={"time_limit_s": PATIENCE_S})
    slow = StandIn(workers=stand_in.workers, settings={"time_limit_s": 3.0})
    with ThreadPoolExecutor(1) as threads:
        stuck = threads.submit(_run_or_refuse, slow, "factorint((2**127 - 1)*(2**107 - 1))")
        time.sleep(0.1)
        assert run_tool(calculate, patient, expression="6*7").plain == "Wynik: 42"
        assert not stuck.done()
