"""Whatever a router model writes in place of a call, the user gets an answer (E12a)."""

import json
from collections.abc import Iterator

import pytest
from scripted.fault_matrix import CALLS
from scripted.gateway_under_test import Gateway, gateway_against
from scripted.hostile import CHAT, chat
from scripted.http_client import ask, post


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    folder = tmp_path_factory.mktemp("calls")
    with gateway_against(folder, has_router=True, speed=4.0) as served:
        yield served


@pytest.mark.parametrize("kind", CALLS)
async def test_e12a_a_call_is_run_or_told_with_its_reason(gateway: Gateway, kind: str) -> None:
    gateway.router.default = f"fault=calls:kind={kind}"
    body = json.dumps({"messages": [{"role": "user", "content": "Ile to 2 + 2?"}]}).encode()
    reply = await ask(gateway.port, post("/api/route", body))

    assert (reply.status, (reply.json["reason"], reply.json["tool"])) == (200, CALLS[kind])


@pytest.mark.parametrize("kind", CALLS)
async def test_e12a_the_user_gets_a_whole_answer(gateway: Gateway, kind: str) -> None:
    gateway.router.default = f"fault=calls:kind={kind}"
    reply = await ask(gateway.port, post(CHAT, chat("Ile to 2 + 2?")))
    choice = json.loads(reply.body)["choices"][0]

    assert (reply.status, choice["finish_reason"]) == (200, "stop")
    assert choice["message"]["content"]


async def test_e12b_of_two_hundred_calls_eight_are_run(gateway: Gateway) -> None:
    gateway.router.default = "fault=calls:kind=many"
    asked = len(gateway.router.exchanges)
    reply = await ask(gateway.port, post(CHAT, chat("Ile to 2 + 2?")))
    body = json.loads(reply.body)
    [choice] = body["choices"]

    assert (reply.status, choice["finish_reason"]) == (200, "stop")
    assert len(body["x_zwrotnica"]["tool_calls"]) == 8
    assert len(gateway.router.exchanges) == asked + 1


@pytest.mark.parametrize(
    "fault", ["status:code=500", "cut:how=rst:after=0", "html", "status:code=401"]
)
async def test_a_dead_router_leaves_default_answers(gateway: Gateway, fault: str) -> None:
    gateway.router.default = f"fault={fault}"
    body = json.dumps({"messages": [{"role": "user", "content": "Ile to 2 + 2?"}]}).encode()
    route = await ask(gateway.port, post("/api/route", body))
    reply = await ask(gateway.port, post(CHAT, chat("Ile to 2 + 2?")))

    assert (route.status, route.json["reason"], reply.status) == (200, "router_down", 200)
