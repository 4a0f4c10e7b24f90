"""The tool as the chatbot runs it: in real worker processes."""

import subprocess
import sys
from pathlib import Path

import pytest
from scripted.patience import PATIENCE_S

from chatbot.errors import ToolError, ToolTimeout
from chatbot.testing import StandIn, check_tool, run_tool
from chatbot.tools.mathematics import calculate
from chatbot.tools.workers import ProcessWorkers
from chatbot.types import Entity


@pytest.fixture
def stand_in(calculators: ProcessWorkers) -> StandIn:
    return StandIn(workers=calculators, settings={"time_limit_s": PATIENCE_S})


def test_a_result_has_a_formula_a_sentence_and_its_source(stand_in: StandIn) -> None:
    result = run_tool(calculate, stand_in, expression="integrate(x**3, (x, 0, 2))")
    assert result.content == "$$\\int_{0}^{2} x^{3}\\,dx = 4$$\n\nWynik: 4"
    assert result.plain == "Wynik: 4"
    (source,) = result.attribution
    assert (source.source, source.licence) == ("SymPy", "BSD-3-Clause")


def test_a_result_says_what_it_was_about(stand_in: StandIn) -> None:
    result = run_tool(calculate, stand_in, expression=" 6 *  7 ")
    assert result.state == (
        Entity(kind="expression", value="6 * 7"),
        Entity(kind="result", value="42"),
    )


def test_an_error_of_the_worker_reaches_the_user(stand_in: StandIn) -> None:
    with pytest.raises(ToolError, match="Nie można dzielić przez zero"):
        run_tool(calculate, stand_in, expression="1/0")


def test_a_calculation_over_its_limit_is_ended(stand_in: StandIn) -> None:
    short = StandIn(workers=stand_in.workers, settings={"time_limit_s": 0.2})
    with pytest.raises(ToolTimeout, match="ponad 0,2 s"):
        run_tool(calculate, short, expression="factorint(2**1061 - 1)")


def test_a_calculation_over_its_memory_is_ended(stand_in: StandIn) -> None:
    usual = StandIn(workers=stand_in.workers)  # the one limit or the other
    with pytest.raises(ToolError, match=r"zabrakło pamięci|zostało przerwane"):
        run_tool(calculate, usual, expression="divisors(factorial(200))")


def test_the_tool_is_well_described() -> None:
    assert check_tool(calculate) == []


def test_the_gateway_does_not_import_sympy() -> None:
    program = "import chatbot.tools, sys; sys.exit('sympy' in sys.modules)"
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True)
