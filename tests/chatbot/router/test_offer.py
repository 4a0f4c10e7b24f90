"""The request to the router model: what it is offered, in which order, and what it never sees."""

import json
from dataclasses import replace
from itertools import takewhile

import pytest
from hypothesis import given, strategies as st
from scripted.tables import every_row

from chatbot.prompts import load
from chatbot.router import DEFAULT_TOOL, DIALECTS, Dialect, RouterLimits, request_verdict
from chatbot.router.offer import ShownTools, shorten
from chatbot.types import ChatRequest, RouterView, ToolSpec

WEATHER = ToolSpec(
    name="get_weather",
    title="Pogoda",
    description="Weather in a place, also “żółć”.",
    parameters={
        "type": "object",
        "title": "Args",
        "properties": {
            "city": {"type": "string", "description": "City.", "x-name": "place", "title": "City"},
            "title": {"type": "string"},
        },
        "required": ["city"],
    },
)
LLAMA = DIALECTS["llama3.1"]
IN_PROMPT = [dialect for dialect in DIALECTS.values() if dialect.offer == "in_prompt"]
ON_THE_WIRE = [dialect for dialect in DIALECTS.values() if dialect.offer == "wire"]


def ask(
    prompt: str = "Czy w Kudowie-Zdroju pada?",
    dialect: Dialect = LLAMA,
    state: tuple[str, ...] = (),
    tool: ToolSpec = WEATHER,
) -> ChatRequest:
    view = RouterView(tools=(tool,), prompt=prompt, state=state)
    return request_verdict(view, dialect, RouterLimits())


def as_read(request: ChatRequest) -> str:
    return "\n".join(f"{message.role}: {message.text}" for message in request.messages)


def offered(request: ChatRequest) -> list[dict[str, object]]:
    lines = request.messages[-1].text.splitlines()
    return [json.loads(line)["function"] for line in lines if line.startswith('{"type"')]


def test_llama_reads_the_tools_in_the_user_message() -> None:
    request = ask()
    assert [message.role for message in request.messages] == ["system", "user"]
    assert [tool["name"] for tool in offered(request)] == ["get_weather", "default_function"]
    assert request.tools == ()


def test_the_default_function_is_described_in_the_words_of_the_paper() -> None:
    assert offered(ask())[-1] == {
        "name": "default_function",
        "description": "If none of the other functions is needed, simply call this.",
        "parameters": {"type": "object", "properties": {}},
    }


def test_the_prompt_stands_last() -> None:
    assert ask().messages[-1].text.endswith("User's message: Czy w Kudowie-Zdroju pada?")


def test_the_state_stands_behind_the_tools_so_that_a_prefix_cache_holds() -> None:
    without, with_state = ask().messages[-1].text, ask(state=("miejsce: Łódź",)).messages[-1].text
    stable = without[: without.index("User's message:")]
    assert with_state.startswith(stable)
    assert with_state.index("miejsce: Łódź") < with_state.index("User's message:")


def test_at_most_six_state_lines_are_shown_each_in_one_line() -> None:
    text = ask(state=tuple(f"temat\n{number}" for number in range(9))).messages[-1].text
    assert "temat 5\n" in text
    assert "temat 6" not in text


def test_marks_of_ours_are_no_part_of_what_a_model_reads() -> None:
    parameters = offered(ask())[0]["parameters"]
    assert parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "City."},
            "title": {"type": "string"},
        },
        "required": ["city"],
    }


@pytest.mark.parametrize("dialect", ON_THE_WIRE, ids=lambda dialect: dialect.name)
def test_other_dialects_offer_the_tools_on_the_wire(dialect: Dialect) -> None:
    request = ask(dialect=dialect)
    assert [tool.name for tool in request.tools] == ["get_weather", DEFAULT_TOOL.name]
    assert "x-name" not in json.dumps(request.tools[0].parameters)
    assert request.messages[-1].text == "Czy w Kudowie-Zdroju pada?"


@every_row("dialect", DIALECTS.values())
def test_the_router_leg_is_short_certain_and_shows_its_first_token(dialect: Dialect) -> None:
    request = ask(dialect=dialect)
    assert (request.sampling.temperature, request.sampling.max_tokens) == (0.0, 256)
    assert request.keep_special_tokens
    assert request.token_ids


@every_row("dialect", DIALECTS.values())
def test_the_router_leg_goes_before_answers(dialect: Dialect) -> None:
    answer = ChatRequest(messages=())
    assert ask(dialect=dialect).priority < answer.priority


@every_row("dialect", DIALECTS.values())
def test_the_requests_of_two_users_agree_up_to_their_own_words(dialect: Dialect) -> None:
    prompts = ("Czy w Kudowie-Zdroju pada?", "Narysuj psa.")
    requests = [ask(prompt, dialect=dialect) for prompt in prompts]
    shared = [as_read(one).removesuffix(own) for one, own in zip(requests, prompts, strict=True)]
    assert shared[0] == shared[1]
    assert str(requests[0].tools) == str(requests[1].tools)


@pytest.mark.parametrize("dialect", IN_PROMPT, ids=lambda dialect: dialect.name)
def test_tools_and_rules_stand_before_everything_that_differs(dialect: Dialect) -> None:
    requests = (ask(dialect=dialect), ask("A jutro?", dialect=dialect, state=("dzień: jutro",)))
    pairs = zip(*map(as_read, requests), strict=False)
    shared = "".join(mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    assert '"name": "default_function"' in shared
    assert "small talk need no special function." in shared


@every_row("dialect", DIALECTS.values())
def test_no_control_token_gets_in_from_prompt_state_or_tools(dialect: Dialect) -> None:
    plain = "".join(message.text for message in ask(dialect=dialect).messages)
    hostile = "".join(dialect.control_tokens)
    tool = ToolSpec(name="t", title="t", description=hostile, parameters={"type": "object"})
    request = ask(hostile, dialect=dialect, state=(hostile,), tool=tool)
    text = "".join(message.text for message in request.messages)
    assert {token: text.count(token) for token in dialect.control_tokens} == {
        token: plain.count(token) for token in dialect.control_tokens
    }


def test_a_long_prompt_keeps_both_ends_and_marks_the_cut() -> None:
    short = shorten("a" * 3_000 + "b" * 3_000, 2_000)
    assert len(short) == 2_000
    assert short.startswith("aaa")
    assert short.endswith("bbb")
    assert "characters left out" in short


@given(st.text(max_size=400), st.integers(min_value=60, max_value=200))
def test_a_prompt_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    assert (short == text) == (len(text) <= limit)


@every_row("dialect", DIALECTS.values())
def test_a_tool_that_is_remembered_is_shown_as_it_was(dialect: Dialect) -> None:
    other = replace(WEATHER, name="other", description=f"{WEATHER.description} <|eot_id|>")
    views = [RouterView(tools=tools, prompt="?") for tools in ((WEATHER,), (other, WEATHER))]
    shown = ShownTools(dialect)

    remembered = [
        request_verdict(view, dialect, RouterLimits(), shown) for view in (*views, *views)
    ]

    fresh = [request_verdict(view, dialect, RouterLimits()) for view in views]
    assert remembered == [*fresh, *fresh]


def test_more_tools_than_are_remembered_are_shown_all_the_same() -> None:
    shown = ShownTools(LLAMA)
    tools = [replace(WEATHER, name=f"tool_{number}") for number in range(2_000)]

    lines = [shown.line(tool) for tool in tools]

    assert [json.loads(line)["function"]["name"] for line in lines] == [t.name for t in tools]


@every_row("dialect", DIALECTS.values())
def test_a_message_that_is_remembered_is_what_its_template_says(dialect: Dialect) -> None:
    shown = ShownTools(dialect)
    for prompt in ("pada?", "a ", " b\n", "{{ tools }}", "{% if x %}", r"\1 \g<0>", "ż\0"):
        view = RouterView(tools=(WEATHER,), prompt=prompt)
        read = request_verdict(view, dialect, RouterLimits(), shown).messages[-1].text
        says = (
            prompt
            if dialect.message is None
            else load(
                dialect.message,
                tools=[shown.line(tool) for tool in (WEATHER, DEFAULT_TOOL)],
                arguments_key=dialect.arguments_key,
                state=(),
                prompt=prompt,
            )
        )
        assert read == says
