"""`zwrotnica engines check` finds what is wrong with an engine."""

import pytest
from scripted.engine_under_test import engine_against

from chatbot.router import DIALECTS
from chatbot.testing import ManualClock
from serving.engines.checking.check import EngineCheck, Routing, check_engine

SETTING = "engines.bielik.dialect"


async def check(
    fault: str, *, dialect: str | None = "llama3.1", first_token_s: float | None = None
) -> EngineCheck:
    routing = (
        Routing(role="router", dialect=DIALECTS[dialect], setting=SETTING) if dialect else None
    )
    async with engine_against(fault, first_token_s=first_token_s) as (engine, server):
        is_router = fault.startswith(("fault=router", "fault=family"))
        server.default = server.default if is_router else fault
        server.models = ["other"] if fault.startswith("fault=none") else [fault]
        return await check_engine(
            engine, routing=routing, clock=ManualClock(), choose=lambda marks: marks[-1]
        )


def codes(found: EngineCheck) -> list[str]:
    return [finding.code for finding in found.findings]


async def test_a_model_that_calls_the_offered_tool_is_fit() -> None:
    found = await check("fault=router")

    assert (found.is_fit, found.sees_tools, found.fits_dialect, found.findings) == (
        True,
        True,
        True,
        (),
    )


async def test_what_it_was_checked_for_is_told() -> None:
    found = await check("fault=router")

    assert (found.role, found.dialect) == ("router", "llama3.1")


async def test_a_model_that_calls_for_a_greeting_is_found_out() -> None:
    found = await check("fault=router:eager=1")

    assert (found.is_fit, found.sees_tools, found.fits_dialect) == (False, True, False)
    assert codes(found) == ["calls_for_greeting"]


async def test_a_model_that_the_server_does_not_list_is_named() -> None:
    found = await check("fault=none", dialect=None)

    assert (found.is_alive, found.has_model, found.models) == (True, False, ("other",))
    assert codes(found) == ["model_unlisted"]
    assert "'fault=none'" in found.findings[0].text


async def test_without_a_dialect_only_life_and_generation_are_checked() -> None:
    found = await check("fault=router", dialect=None)

    assert (found.is_fit, found.generates, found.sees_tools) == (True, True, None)


@pytest.mark.parametrize(
    ("fault", "is_alive", "code", "remedy"),
    [
        ("fault=status:code=401", True, "other_key", "set engines.bielik.api_key"),
        ("fault=status:code=403", True, "other_key", "set engines.bielik.api_key"),
        ("fault=status:code=404", True, "wrong_address", "end in /v1"),
        ("fault=redirect", True, "wrong_address", "end in /v1"),
        ("fault=html", False, "unreachable", "is its server started"),
    ],
)
async def test_an_engine_that_does_not_answer_has_its_one_reason(
    fault: str, is_alive: bool, code: str, remedy: str
) -> None:
    found = await check(fault)

    assert (found.is_alive, found.generates) == (is_alive, False)
    assert codes(found) == [code]
    assert remedy in found.findings[0].text


async def test_a_model_that_ends_without_a_token_does_not_generate() -> None:
    found = await check("fault=none;tokens=0", dialect=None)

    assert (found.is_fit, found.generates, codes(found)[0]) == (False, False, "no_token")
    assert "chat template" in found.findings[0].text


async def test_an_engine_without_a_first_token_is_told_of_its_limit() -> None:
    found = await check("fault=silent", first_token_s=0.2)

    assert (found.is_alive, codes(found)) == (False, ["no_first_token"])
    assert "engines.bielik.first_token_s" in found.findings[0].text


@pytest.mark.parametrize(
    ("writes", "dialect", "right"),
    [
        ("hermes", "llama3.1", "hermes"),
        ("llama", "hermes", "llama3.1"),
        ("mistral", "llama3.1", "mistral"),
        ("python", "hermes", "llama3.1"),
        ("hermes", "mistral", "hermes"),
    ],
)
async def test_a_call_in_another_familys_form_names_the_dialect_to_set(
    writes: str, dialect: str, right: str
) -> None:
    found = await check(f"fault=family:writes={writes}", dialect=dialect)

    assert (found.is_fit, found.sees_tools, found.fits_dialect) == (False, True, False)
    assert codes(found) == ["wrong_dialect"]
    assert f'set {SETTING} = "{right}"' in found.findings[0].text


async def test_of_several_fitting_dialects_the_models_own_is_named() -> None:
    found = await check("fault=family:writes=hermes:heeds=1", dialect="mistral")

    assert codes(found) == ["wrong_dialect"]
    assert found.findings[0].text.endswith(f'set {SETTING} = "hermes"')


async def test_a_model_that_heeds_only_tools_on_the_wire_has_a_wrong_dialect() -> None:
    found = await check("fault=family:writes=deltas:calls=wire")

    assert (found.sees_tools, codes(found)) == (False, ["wrong_dialect"])
    assert f'set {SETTING} = "mistral"' in found.findings[0].text


async def test_a_model_that_ignores_tools_that_reach_it_is_offered_them_in_the_prompt() -> None:
    found = await check("fault=family:calls=prompt", dialect="plain")

    assert (found.sees_tools, codes(found)) == (False, ["wrong_dialect"])
    assert f'set {SETTING} = "llama3.1"' in found.findings[0].text


@pytest.mark.parametrize("counts", [0, 1])
async def test_a_server_that_hides_the_tools_is_found_out(counts: int) -> None:
    found = await check(f"fault=family:shown=prompt:counts={counts}", dialect="plain")

    assert (found.sees_tools, codes(found)) == (False, ["hidden_tools"])
    assert "--enable-auto-tool-choice --tool-call-parser NAME" in found.findings[0].text
    assert f'set {SETTING} = "llama3.1"' in found.findings[0].text


async def test_tools_are_hidden_by_the_tokens_even_where_the_model_never_calls() -> None:
    found = await check("fault=family:shown=prompt:calls=none", dialect="mistral")

    assert codes(found) == ["hidden_tools"]
    assert "--tool-call-parser mistral" in found.findings[0].text


async def test_a_server_that_refuses_tools_says_what_it_needs() -> None:
    found = await check("fault=family:shown=refuse", dialect="mistral")

    assert (found.sees_tools, codes(found)) == (False, ["refused_tools"])
    assert "--tool-call-parser mistral" in found.findings[0].text
    assert f'set {SETTING} = "llama3.1"' in found.findings[0].text


@pytest.mark.parametrize("dialect", ["llama3.1", "hermes", "plain"])
async def test_a_model_that_names_no_tool_in_any_way_cannot_call(dialect: str) -> None:
    found = await check("fault=family:calls=none", dialect=dialect)

    assert (found.sees_tools, codes(found)) == (False, ["no_calls"])


async def test_a_call_that_no_dialect_reads_is_quoted() -> None:
    found = await check("fault=family:writes=prose")

    assert (found.sees_tools, codes(found)) == (True, ["unread_call"])
    assert "Wywołuję secret_word_walnut" in found.findings[0].text


async def test_an_engine_that_breaks_down_while_it_is_asked_is_no_wrong_dialect() -> None:
    found = await check("fault=family:shown=broken")

    assert (found.generates, found.sees_tools, codes(found)) == (True, False, ["broke_off"])
