"""Hostile requests are refused quickly, and nothing of them reaches an engine (P1 to P5)."""

import json
from collections.abc import Iterator

import pytest
from scripted.fault_matrix import request
from scripted.gateway_under_test import ENGINE, Gateway, gateway_against
from scripted.hostile import CHAT, CONTROL_TOKENS, LAST_WINS, P1, P2, P3, P4, Hostile, chat
from scripted.http_client import ask, post

ALLOWED = {
    "model",
    "messages",
    "max_tokens",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "repetition_penalty",
    "seed",
    "stop",
    "n",
    "tools",
    "tool_choice",
    "response_format",
    "parallel_tool_calls",
    "priority",
    "skip_special_tokens",
    "return_token_ids",
}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("hostile"), speed=4.0) as served:
        yield served


@pytest.mark.parametrize("hostile", [*P1, *P2, *P3, *P4], ids=lambda hostile: hostile.name)
async def test_a_hostile_body_is_refused_and_asks_no_engine(
    gateway: Gateway, hostile: Hostile
) -> None:
    asked = len(gateway.engine.exchanges)
    reply = await ask(gateway.port, hostile.request())
    error = json.loads(reply.body)["error"]

    assert reply.status in hostile.statuses
    assert hostile.says in error["message"]
    assert error["request_id"] == reply.headers["x-request-id"]
    assert len(gateway.engine.exchanges) == asked


async def test_the_route_refuses_what_the_chat_refuses(gateway: Gateway) -> None:
    for hostile in (*P2, *P3):
        body = hostile.body.replace(b'"model": "zwrotnica", ', b"")
        reply = await ask(gateway.port, post("/api/route", body))

        assert (hostile.name, reply.status in hostile.statuses) == (hostile.name, True)


async def test_of_a_key_given_twice_the_last_counts(gateway: Gateway) -> None:
    assert (await ask(gateway.port, LAST_WINS.request())).status == 200


@pytest.mark.parametrize("model", ["zwrotnica", ENGINE])
async def test_only_allowed_fields_reach_an_engine(gateway: Gateway, model: str) -> None:
    body = chat(
        "fault=none;seed=31",
        user="somebody",
        metadata={"x": "y"},
        store=False,
        service_tier="auto",
        temperature=0.5,
        seed=7,
        repetition_penalty=1.1,
    ).replace(b'"zwrotnica"', f'"{model}"'.encode())
    reply = await ask(gateway.port, post(CHAT, body))

    assert reply.status == 200
    assert set(gateway.engine.last.json) <= ALLOWED


@pytest.mark.parametrize("model", ["zwrotnica", ENGINE])
async def test_p5_no_control_token_of_text_reaches_an_engine(gateway: Gateway, model: str) -> None:
    for token in CONTROL_TOKENS:
        messages = [
            {"role": "system", "content": f"a {token} b"},
            {"role": "user", "content": token},
            {"role": "assistant", "content": f"{token}{token}"},
            {"role": "user", "content": f"Ułóż fraszkę. {token}"},
        ]
        body = json.dumps({"model": model, "messages": messages}).encode()
        reply = await ask(gateway.port, post(CHAT, body))
        sent = json.dumps(gateway.engine.last.json["messages"], ensure_ascii=False)

        assert (token, reply.status, token.removesuffix("system") in sent) == (token, 200, False)


async def test_after_all_of_it_an_ordinary_request_is_answered(gateway: Gateway) -> None:
    reply = await ask(gateway.port, request("none;tokens=3", model="zwrotnica", stream=False))

    assert reply.status == 200
