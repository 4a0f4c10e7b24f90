"""What an account may use by its limits and its groups', on every route that names it."""

from collections.abc import Callable
from dataclasses import dataclass

import anyio
import pytest
import requests
from scripted.gateway import DEFAULT, RunningGateway, call
from scripted.keyed import ACTOR, bearing, make_keys, open_keyed
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

from chatbot.testing import ScriptedEngine
from serving.auth.records import Limits
from serving.auth.scopes import ALL, Scope
from serving.settings import EngineSettings

ASKED = [{"role": "user", "content": "Ile kosztuje euro?"}]
ONLY_DRAW = Limits(engines=frozenset({"bielik"}), tools=frozenset({"draw"}))
NOTHING = Limits(engines=frozenset(), tools=frozenset())


@dataclass(kw_only=True)
class Limited:
    """A gateway with two engines, and Ala, whose limits are set before it starts."""

    stage: Stage
    router: ScriptedEngine
    gateway: RunningGateway
    key: str

    def ask(self, method: str, path: str, **body: object) -> requests.Response:
        return requests.request(
            method,
            self.gateway.url + path,
            json=body or None,
            headers=bearing(self.key),
            timeout=PATIENCE_S,
        )

    def error(self, path: str, **body: object) -> tuple[int, str, str]:
        reply = self.ask("POST", path, **body)
        told = reply.json()["error"]
        return reply.status_code, told["code"], told["param"]

    def offered(self) -> str:
        """What the router's model was shown last."""
        return str(self.router.requests[-1].messages[-1].text)


@pytest.fixture
def limited(stage: Stage) -> Callable[..., Limited]:
    engines = {
        name: EngineSettings(kind="vllm", url="http://127.0.0.1:9/v1")
        for name in ("bielik", "pllum")
    }
    stage.settings = stage.settings.model_copy(
        update={"engines": engines, "default_engine": "bielik", "client_tools_engine": "pllum"}
    )

    def limit(limits: Limits, **backstage: object) -> Limited:
        key = make_keys(stage.settings, ala=ALL)["ala"]

        async def change() -> None:
            async with open_keyed(stage.settings) as keyed:
                await keyed.accounts.limit("ala", lambda _: limits, actor=ACTOR)

        anyio.run(change)
        router = ScriptedEngine(script=DEFAULT)
        gateway = stage.gateway(router=router, **backstage)
        return Limited(stage=stage, router=router, gateway=gateway, key=key)

    return limit


Limit = Callable[..., Limited]


def test_models_and_tools_that_may_not_be_used_are_not_listed(limited: Limit) -> None:
    ala = limited(ONLY_DRAW)
    models = [model["id"] for model in ala.ask("GET", "/v1/models").json()["data"]]
    tools = [tool["name"] for tool in ala.ask("GET", "/api/tools").json()["tools"]]
    assert (models, tools) == (["zwrotnica", "bielik"], ["draw"])
    me = ala.ask("GET", "/api/me").json()
    assert (me["engines"], me["tools"]) == (["bielik"], ["draw"])


def test_a_model_that_may_not_be_used_does_not_exist(limited: Limit) -> None:
    ala = limited(ONLY_DRAW)
    for name in ("pllum", "plllum"):
        assert ala.ask("GET", f"/v1/models/{name}").status_code == 404
        told = ala.error("/v1/chat/completions", model=name, messages=ASKED)
        assert told == (404, "not_found", "model")
        assert "'pllum'" not in ala.ask("GET", "/v1/models/pllumm").text


def test_a_tool_that_may_not_be_used_does_not_exist(limited: Limit) -> None:
    ala = limited(ONLY_DRAW)
    conversation = ala.ask("POST", "/api/conversations", title="x").json()["id"]
    messages = f"/api/conversations/{conversation}/messages"
    for name in ("rate", "ratee"):
        refused = (400, "invalid_request")
        assert ala.error("/api/route", messages=ASKED, tools=[name])[:2] == refused
        assert ala.error(messages, text="x", force=name)[:2] == refused
        assert ala.error(messages, text="x", tools=[name])[:2] == refused
        assert ala.error(messages, text="x", parameters={"tools": [name]})[:2] == refused
        assert ala.error("/api/conversations", parameters={"tools": [name]})[:2] == refused


def test_only_tools_that_may_be_used_are_offered_to_the_router(limited: Limit) -> None:
    ala = limited(ONLY_DRAW)
    ala.ask("POST", "/api/route", messages=ASKED)
    assert "Draw a dot" in ala.offered()
    assert "exchange rate" not in ala.offered()


def test_what_the_router_calls_all_the_same_is_not_run(limited: Limit) -> None:
    ala = limited(ONLY_DRAW)
    ala.router.script = list(call("rate", '{"currency": "EUR"}'))
    told = ala.ask("POST", "/api/route", messages=ASKED).json()
    assert (told["tool"], told["reason"]) == (None, "unknown_tool")


def test_who_may_use_no_tool_is_answered_by_the_model(limited: Limit) -> None:
    ala = limited(NOTHING)
    told = ala.ask("POST", "/api/route", messages=ASKED).json()
    assert (told["tool"], told["reason"]) == (None, "no_tools")


def test_a_clients_own_tools_need_the_engine_that_takes_them(limited: Limit) -> None:
    ala = limited(ONLY_DRAW)
    tools = [{"type": "function", "function": {"name": "f"}}]
    told = ala.error("/v1/chat/completions", model="zwrotnica", messages=ASKED, tools=tools)
    assert told == (400, "unsupported_parameter", "tools")


def test_a_key_lists_only_models_of_its_scopes(limited: Limit) -> None:
    ala = limited(Limits())

    async def make() -> str:
        async with open_keyed(ala.stage.settings) as keyed:
            return (await keyed.key("ala", frozenset({Scope.IMAGES}))).text.whole

    ala.key = anyio.run(make)
    assert ala.ask("GET", "/v1/models").json()["data"] == []
    me = ala.ask("GET", "/api/me").json()
    assert (me["scopes"], me["engines"], me["tools"]) == (["images"], [], [])
