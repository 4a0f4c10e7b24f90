"""`zwrotnica engines check` finds what is wrong with an engine."""

import pytest
from scripted.engine_under_test import engine_against

from chatbot.router import DIALECTS, Dialect
from chatbot.testing import ManualClock
from serving.engines.check import EngineCheck, check_engine


async def check(fault: str, *, dialect: Dialect | None = DIALECTS["llama3.1"]) -> EngineCheck:
    async with engine_against(fault) as (engine, server):
        server.default = fault if "router" not in fault else server.default
        server.models = ["other"] if fault.startswith("fault=none") else [fault]
        return await check_engine(
            engine, dialect=dialect, clock=ManualClock(), choose=lambda marks: marks[-1]
        )


async def test_a_model_that_calls_the_offered_tool_is_fit() -> None:
    found = await check("fault=router")

    assert (found.is_fit, found.sees_tools, found.fits_dialect, found.problems) == (
        True,
        True,
        True,
        (),
    )


async def test_a_model_that_does_not_see_the_tools_is_found_out() -> None:
    found = await check("fault=router:blind=1")

    assert (found.is_fit, found.sees_tools) == (False, False)
    assert "did not call it (default_function)" in found.problems[0]


async def test_a_model_that_calls_for_a_greeting_is_found_out() -> None:
    found = await check("fault=router:eager=1")

    assert (found.is_fit, found.sees_tools, found.fits_dialect) == (False, True, False)


async def test_a_model_that_the_server_does_not_list_is_named() -> None:
    found = await check("fault=none", dialect=None)

    assert (found.is_alive, found.has_model, found.models) == (True, False, ("other",))
    assert "'fault=none'" in found.problems[0]


async def test_without_a_dialect_only_life_and_generation_are_checked() -> None:
    found = await check("fault=router", dialect=None)

    assert (found.is_fit, found.generates, found.sees_tools) == (True, True, None)


@pytest.mark.parametrize("fault", ["fault=status:code=401", "fault=html"])
async def test_an_engine_that_does_not_answer_has_its_reasons_listed(fault: str) -> None:
    found = await check(fault)

    assert (found.is_alive, found.generates) == (False, False)
    assert found.problems[-1].startswith("it does not generate: ")
