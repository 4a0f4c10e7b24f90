import re
from pathlib import Path
from typing import Annotated, Literal

import pytest
import requests
from pydantic import BaseModel, Field

import chatbot.tools
from chatbot.errors import ToolError
from chatbot.testing import StandIn, UnscriptedRequest, check_tool, run_tool
from chatbot.tools import Tool, ToolContext, installed_tools, tool

README = Path(chatbot.tools.__file__).with_name("README.md").read_text(encoding="utf-8")


class KeyedSettings(BaseModel):
    key: str


@tool()
def x(thing: str, shape: dict[str, int] | None = None) -> str:
    return thing


@tool(settings=KeyedSettings, deadline_s=0)
def untitled(thing: str) -> str:
    """Does things of many kinds, whatever they are."""
    return thing


@tool(title="Strona", examples=["a", "b", "c"])
def fetch_page(
    path: Annotated[str, Field(description="Where", json_schema_extra={"question": "Co?"})],
    ctx: ToolContext,
) -> str:
    """Fetch a page of example.org, but not of any other site."""
    return ctx.session.get(f"https://example.org/{path}").text


def read_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def load_readme() -> dict[str, object]:
    names: dict[str, object] = {}
    for block in read_blocks():
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - our own documentation
    return names


def test_the_tool_of_the_readme_passes_its_test() -> None:
    test = load_readme()["test_the_rate_has_a_decimal_comma"]
    assert callable(test)
    test()


def test_the_tool_of_the_readme_passes_the_check() -> None:
    exchange_rate = load_readme()["exchange_rate"]
    assert isinstance(exchange_rate, Tool)
    assert check_tool(exchange_rate) == []


@pytest.mark.parametrize("built_in", installed_tools(), ids=lambda each: each.name)
def test_built_in_tools_pass_the_check(built_in: Tool) -> None:
    assert check_tool(built_in) == []


def test_the_readme_names_every_setting_of_the_built_in_tools() -> None:
    for built_in in installed_tools():
        for setting in built_in.settings_model.model_fields:
            assert f"`{setting}`" in README, f"tools.{built_in.key}.{setting}"


def test_the_check_finds_what_a_router_model_would_miss() -> None:
    findings = "\n".join(check_tool(x))
    for expected in ("name 'x'", "title", "docstring", "examples", "argument 'thing'"):
        assert expected in findings


def test_the_check_finds_settings_without_default_and_deadlines_out_of_bounds() -> None:
    findings = "\n".join(check_tool(untitled))
    assert "setting tools.untitled.key: give it a default" in findings
    assert "deadline_s 0" in findings
    assert "not for" in findings


def test_the_check_finds_types_that_models_do_not_understand() -> None:
    class Cat(BaseModel):
        kind: Literal["cat"]

    class Dog(BaseModel):
        kind: Literal["dog"]

    @tool()
    def adopt(pet: Annotated[Cat | Dog, Field(discriminator="kind", description="Who")]) -> str:
        return pet.kind

    assert any("'oneOf'" in finding for finding in check_tool(adopt))


def test_a_scripted_body_reaches_the_tool() -> None:
    stand_in = StandIn(web={"https://example.org/": "zażółć"})
    assert run_tool(fetch_page, stand_in, path="a").content == "zażółć"


def test_the_longest_scripted_address_wins() -> None:
    web: dict[str, str | bytes] = {
        "https://example.org/": "short",
        "https://example.org/a": b"long",
    }
    assert run_tool(fetch_page, StandIn(web=web), path="a").content == "long"


def test_a_scripted_function_sees_the_request() -> None:
    def echo(request: requests.PreparedRequest) -> dict[str, str | None]:
        return {"asked": request.url}

    result = run_tool(fetch_page, StandIn(web={"https://example.org/": echo}), path="a")
    assert result.content == '{"asked": "https://example.org/a"}'


def test_a_scripted_exception_becomes_what_the_user_would_read() -> None:
    stand_in = StandIn(web={"https://example.org/": requests.ConnectTimeout()})
    with pytest.raises(ToolError, match="nie odpowiedziała w porę"):
        run_tool(fetch_page, stand_in, path="a")


def test_an_address_that_is_not_scripted_fails_the_test_with_its_name() -> None:
    with pytest.raises(UnscriptedRequest, match=r"https://example\.org/a"):
        run_tool(fetch_page, path="a")


def test_a_bug_comes_out_as_it_is() -> None:
    @tool()
    def broken(thing: str) -> str:
        return {"a": thing}["b"]

    with pytest.raises(KeyError):
        run_tool(broken, thing="c")


def test_progress_and_prepared_values_work_offline() -> None:
    @tool()
    def count(ctx: ToolContext) -> str:
        ctx.progress(0.5, "w połowie")
        return f"{ctx.prepared}"

    @count.prepare
    def load() -> int:
        return 7

    stand_in = StandIn()
    assert run_tool(count, stand_in).content == "7"
    assert stand_in.progress == [(0.5, "w połowie")]
