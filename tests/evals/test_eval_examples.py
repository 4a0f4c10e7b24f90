"""Examples of tools as cases, also of plugins."""

import pytest

from chatbot.tools import tool
from evals.cases import CaseFileError
from evals.examples import cases_of


@tool(title="Kurs", examples=["ile kosztuje euro?", "kurs dolara"])
async def exchange_rate(currency: str) -> str:
    """Average exchange rate."""
    return currency


@tool(title="Cisza")
async def silence() -> str:
    """Nothing."""
    return ""


def test_each_example_should_lead_to_its_tool() -> None:
    case_set = cases_of([exchange_rate.spec, silence.spec])
    assert [case.prompt for case in case_set.cases] == ["ile kosztuje euro?", "kurs dolara"]
    assert {case.tool for case in case_set.cases} == {"exchange_rate"}
    assert {case.tags for case in case_set.cases} == {("exchange_rate",)}


def test_tools_without_examples_make_no_set() -> None:
    with pytest.raises(CaseFileError, match="examples"):
        cases_of([silence.spec])
