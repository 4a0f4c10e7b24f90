"""Default models as configured: what a request to them carries, and Bielik as the router model."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from scripted.router_model import RouterModel, router_model

from chatbot.bot import Chatbot
from chatbot.types import Message, Role, Sampling, Text, TurnRequest
from serving.assembly import assemble, check_settings
from serving.settings import Settings, SettingsError

CALL: Final = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Łodzi"}}\n</tool_call>'
IN_POLISH: Final = "Odpowiadaj krótko, precyzyjnie i wyłącznie w języku polskim."
STORY: Final = "Opowiedz mi bajkę o smoku."

Open = Callable[..., AbstractAsyncContextManager[tuple[Chatbot, RouterModel]]]


def say(seen: str) -> str:
    """Call for Łódź wherever it is named, as Bielik writes a call; else chat."""
    return CALL if "Łodzi" in seen else "Był sobie smok."


def settings_for(url: str, *, folder: Path, routes: bool = False, **engine: object) -> Settings:
    return Settings.model_validate({
        "data_dir": folder,
        "engines": {"bielik": {"kind": "vllm", "url": url, **engine}},
        "router": {"engine": "bielik"} if routes else {},
    })


@pytest.fixture
def open_chatbot(tmp_path: Path) -> Open:
    @asynccontextmanager
    async def opened(**engine: object) -> AsyncIterator[tuple[Chatbot, RouterModel]]:
        with router_model(say=say) as model:
            settings = settings_for(model.url, folder=tmp_path, **engine)  # type: ignore[arg-type] # a test's own fields
            async with assemble(settings) as assembly:
                yield assembly.chatbot, model

    return opened


def request_turn(*said: tuple[Role, str], sampling: Sampling = Sampling()) -> TurnRequest:  # noqa: B008 - frozen
    return TurnRequest(
        messages=tuple(Message(role=role, parts=(Text(text=text),)) for role, text in said),
        message_id="m",
        request_id="r",
        sampling=sampling,
    )


async def answer(chatbot: Chatbot, request: TurnRequest) -> None:
    async with chatbot.turn(request) as turn:
        async for _ in turn:
            pass


def read_texts(body: Mapping[str, object]) -> list[tuple[str, str]]:
    messages = body["messages"]
    assert isinstance(messages, list)
    return [(message["role"], message["content"]) for message in messages]


async def test_an_answer_is_drawn_and_prompted_as_the_family_publishes(open_chatbot: Open) -> None:
    async with open_chatbot(family="bielik-v3-small") as (chatbot, model):
        await answer(chatbot, request_turn(("user", STORY)))
        (body,) = model.bodies

    assert body["temperature"] == 0.4
    assert read_texts(body) == [("system", IN_POLISH), ("user", STORY)]


async def test_without_a_family_the_servers_own_defaults_hold(open_chatbot: Open) -> None:
    async with open_chatbot() as (chatbot, model):
        await answer(chatbot, request_turn(("user", STORY)))
        (body,) = model.bodies

    assert set(body) == {"messages", "max_tokens", "stream", "stream_options"}
    assert read_texts(body) == [("user", STORY)]


async def test_an_engine_called_by_its_own_name_gets_what_its_client_says(tmp_path: Path) -> None:
    with router_model(say=say) as model:
        settings = settings_for(model.url, folder=tmp_path, family="bielik-v3-small")
        async with assemble(settings) as assembly:
            messages = [{"role": "user", "content": STORY}]
            await assembly.engines["bielik"].forward_whole({"messages": messages, "top_p": 0.5})
        (body,) = model.bodies

    assert set(body) == {"messages", "top_p", "stream", "stream_options"}
    assert read_texts(body) == [("user", STORY)]


async def test_the_operator_may_say_more_than_the_family(open_chatbot: Open) -> None:
    own = {"sampling": {"top_k": 20, "repetition_penalty": 1.1}, "system_prompt": "Rymuj."}
    async with open_chatbot(family="bielik-v3-small", **own) as (chatbot, model):
        await answer(chatbot, request_turn(("user", STORY)))
        (body,) = model.bodies

    assert (body["temperature"], body["top_k"], body["repetition_penalty"]) == (0.4, 20, 1.1)
    assert read_texts(body)[0] == ("system", "Rymuj.")


async def test_what_the_user_says_wins(open_chatbot: Open) -> None:
    request = request_turn(
        ("system", "Mów jak pirat."), ("user", STORY), sampling=Sampling(temperature=0.0, seed=1)
    )
    async with open_chatbot(family="llama3.1") as (chatbot, model):
        await answer(chatbot, request)
        (body,) = model.bodies

    assert (body["temperature"], body["top_p"], body["seed"]) == (0.0, 0.9, 1)
    assert read_texts(body) == [("system", "Mów jak pirat."), ("user", STORY)]


async def test_the_prompt_of_two_users_begins_alike(open_chatbot: Open) -> None:
    async with open_chatbot(family="bielik-v2.3") as (chatbot, model):
        for story in (STORY, "Napisz wiersz o deszczu."):
            await answer(chatbot, request_turn(("user", story)))
        first, second = (read_texts(body) for body in model.bodies)

    assert first[:-1] == second[:-1] == [("system", IN_POLISH)]


async def test_bielik_routes_by_its_own_marker(open_chatbot: Open) -> None:
    async with open_chatbot(family="bielik-v3", routes=True) as (chatbot, model):
        routing = await chatbot.route(request_turn(("user", "Jak tam pogoda w Łodzi?")))
        texts = read_texts(model.bodies[0])

    (call,) = routing.decision.calls
    assert (call.name, call.arguments["city"]) == ("get_weather", "Łódź")
    assert (routing.decision.reason, routing.decision.dialect) == ("called", "bielik")
    assert "<tools>" in texts[-1][1]


async def test_what_bielik_answers_without_its_marker_is_no_call(open_chatbot: Open) -> None:
    async with open_chatbot(dialect="bielik", routes=True) as (chatbot, _):
        routing = await chatbot.route(request_turn(("user", STORY)))

    assert (routing.decision.calls, routing.decision.reason) == ((), "plain_text")


async def test_the_families_sampling_does_not_reach_the_router_leg(open_chatbot: Open) -> None:
    own = {"sampling": {"temperature": 1.0, "top_p": 0.5}, "system_prompt": "Rymuj."}
    async with open_chatbot(family="llama3.1", routes=True, **own) as (chatbot, model):
        await chatbot.route(request_turn(("user", STORY)))
        (body,) = model.bodies

    assert (body["temperature"], "top_p" in body) == (0.0, False)
    assert "Rymuj." not in str(read_texts(body))


async def test_the_router_is_served_before_answers_where_the_server_knows_how(
    open_chatbot: Open,
) -> None:
    async with open_chatbot(family="bielik-v3", routes=True) as (chatbot, model):
        await answer(chatbot, request_turn(("user", STORY)))
        routing, answering = model.bodies

    assert (routing["priority"], answering.get("priority", 0)) == (-1, 0)


async def test_a_server_that_knows_no_priority_is_sent_none(open_chatbot: Open) -> None:
    async with open_chatbot(kind="llamacpp", family="bielik-v3", routes=True) as (chatbot, model):
        await answer(chatbot, request_turn(("user", STORY)))

    assert [body for body in model.bodies if "priority" in body] == []


def test_a_family_without_function_calling_cannot_route(tmp_path: Path) -> None:
    settings = settings_for("http://127.0.0.1:9/v1", folder=tmp_path, family="pllum", routes=True)
    with pytest.raises(SettingsError, match=r"'pllum' document no function calling.*'bielik'"):
        check_settings(settings)


def test_a_dialect_of_ones_own_is_tried_all_the_same(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9/v1"
    check_settings(
        settings_for(url, folder=tmp_path, family="pllum", dialect="hermes", routes=True)
    )


def test_sampling_that_a_server_does_not_take_is_found_before_the_start(tmp_path: Path) -> None:
    url = "http://127.0.0.1:9/v1"
    settings = settings_for(url, folder=tmp_path, kind="openai", sampling={"top_k": 5})
    with pytest.raises(SettingsError, match=r"engines\.bielik\.sampling\.top_k"):
        check_settings(settings)
