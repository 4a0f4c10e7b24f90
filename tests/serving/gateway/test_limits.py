"""Limits of a minute and of requests at once, at every route, and what is told of them."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import openai
import pytest
import requests
from scripted.full_stack import FullStack, full_stack, wait_for
from scripted.gateway import RunningGateway, wait_until
from scripted.keyed import ACTOR, bearing, make_keys, open_keyed
from scripted.opened_ledger import states_in
from scripted.patience import PATIENCE_S
from scripted.picture_gateway import open_gallery
from scripted.stage import Stage
from scripted.tables import every_row

from chatbot.testing import ScriptedEngine
from serving.auth.quotas import Quotas
from serving.auth.records import Limits
from serving.auth.scopes import ALL
from serving.gateway.pacing import duration
from serving.settings import QuotaSettings

MANY = 100
WARSAW = ZoneInfo("Europe/Warsaw")
FEW = 10
CHAT = "/v1/chat/completions"


@every_row(
    ("seconds", "told"),
    [(0, "0ms"), (0.0199, "20ms"), (1, "1s"), (7.4991, "7.5s"), (90, "1m30s"), (3600, "60m0s")],
)
def test_a_time_is_told_as_openai_does(seconds: float, told: str) -> None:
    assert duration(seconds) == told


class Ala:
    """Somebody whose limits are set before the gateway starts."""

    def __init__(self, gateway: RunningGateway, key: str) -> None:
        self._url = gateway.url
        self._headers = bearing(key)

    def post(self, path: str, body: dict[str, object]) -> requests.Response:
        url = self._url + path
        return requests.post(url, json=body, headers=self._headers, timeout=PATIENCE_S)

    def say(self, **body: object) -> requests.Response:
        asked = [{"role": "user", "content": "Opowiedz coś."}]
        return self.post(CHAT, {"model": "zwrotnica", "messages": asked, **body})

    def limits(self) -> dict[tuple[str, str | None], dict[str, Any]]:
        """What `/api/me` tells of each limit, by its name and group: all of the same moment."""
        me = requests.get(f"{self._url}/api/me", headers=self._headers, timeout=PATIENCE_S).json()
        return {(one["name"], one["group"]): one for one in me["limits"]}


@pytest.fixture
def ala(stage: Stage) -> Callable[..., Ala]:
    def open_for(own: Quotas, total: Quotas | None = None) -> Ala:
        key = make_keys(stage.settings, ala=ALL)["ala"]

        async def change() -> None:
            async with open_keyed(stage.settings) as keyed:
                await keyed.accounts.limit("ala", lambda _: Limits(quotas=own), actor=ACTOR)
                await keyed.accounts.add_group("studenci", actor=ACTOR)
                await keyed.accounts.set_member("studenci", "ala", is_member=True, actor=ACTOR)
                await keyed.accounts.limit_total(
                    "studenci", lambda _: total or Quotas(), actor=ACTOR
                )

        anyio.run(change)
        return Ala(stage.gateway(), key)

    return open_for


def test_exactly_a_minutes_requests_are_let_in_of_many_at_once(ala: Callable[..., Ala]) -> None:
    one = ala(Quotas(requests_per_minute=FEW), Quotas(requests_per_minute=1000))
    with ThreadPoolExecutor(25) as threads:
        replies = [*threads.map(lambda _: one.say(), range(40))]
    statuses = Counter(reply.status_code for reply in replies)
    assert statuses[200] in {FEW, FEW + 1}  # a request comes back each six seconds
    assert statuses.total() == statuses[200] + statuses[429]
    refused = next(reply for reply in replies if reply.status_code == 429)
    error = refused.json()["error"]
    assert (error["code"], error["type"]) == ("rate_limit_exceeded", "rate_limit_error")
    assert "Zbyt wiele zapytań" in error["message"]
    assert 1 <= int(refused.headers["retry-after"]) <= 6
    assert refused.headers["x-ratelimit-limit-requests"] == str(FEW)
    assert refused.headers["x-ratelimit-remaining-requests"] == "0"
    assert refused.headers["x-ratelimit-reset-requests"].endswith("s")


@pytest.mark.parametrize("is_streamed", [True, False])
def test_what_is_left_is_told_with_every_reply(
    ala: Callable[..., Ala], *, is_streamed: bool
) -> None:
    one = ala(Quotas(requests_per_minute=5, tokens_per_minute=100_000))
    headers = one.say(stream=is_streamed, max_tokens=50).headers
    assert headers["x-ratelimit-remaining-requests"] == "4"
    assert headers["x-ratelimit-limit-tokens"] == "100000"
    assert headers["x-ratelimit-remaining-tokens"] == str(100_000 - 50 - 5)


def test_tokens_that_were_not_used_come_back_and_all_where_a_request_fails(
    ala: Callable[..., Ala],
) -> None:
    one = ala(Quotas(tokens_per_minute=30_000, tokens_per_day=1))
    assert one.say(max_tokens=20_000).json()["error"]["code"] == "budget_exceeded"
    assert one.say(max_tokens=20_000).json()["error"]["code"] == "budget_exceeded"
    told = one.limits()["tokens_per_minute", None]
    assert told["left"] > told["limit"] - 100


def test_a_message_takes_from_the_limits_too(ala: Callable[..., Ala]) -> None:
    one = ala(Quotas(), Quotas(requests_per_minute=1))
    conversation = one.post("/api/conversations", {}).json()["id"]
    messages = f"/api/conversations/{conversation}/messages"
    first = one.post(messages, {"text": "Cześć!"})
    assert (first.status_code, first.headers["x-ratelimit-remaining-requests"]) == (200, "0")
    refused = one.post(messages, {"text": "Cześć!"})
    assert refused.status_code == 429
    assert 30 <= int(refused.headers["retry-after"]) <= 60


def test_pictures_take_from_the_limits_too(tmp_path: Path) -> None:
    quotas = QuotaSettings(requests_per_minute=1)
    body = {"prompt": "fault=picture_steps:of=1:side=64", "response_format": "b64_json"}
    with open_gallery(tmp_path, deadline_s=PATIENCE_S, quotas=quotas) as gallery:
        url = f"{gallery.url}/v1/images/generations"
        statuses = [requests.post(url, json=body, timeout=PATIENCE_S).status_code for _ in range(2)]
    assert statuses == [200, 429]


@pytest.mark.parametrize("model", ["bielik", "zwrotnica"])
async def test_no_more_run_at_once_than_may(tmp_path: Path, model: str) -> None:
    quotas = QuotaSettings(requests_at_once=FEW)
    async with full_stack(
        tmp_path, "fault=stall:after=5", quotas=quotas, heartbeat_s=PATIENCE_S
    ) as stack:
        refused: list[openai.RateLimitError] = []
        async with anyio.create_task_group() as group:
            for _ in range(MANY):
                group.start_soon(ask, stack, model, refused)
            await wait_for(lambda: len(refused) >= MANY - FEW)
            await wait_for(lambda: states_in(tmp_path) == {"reserved": FEW})
            assert {one.code for one in refused} == {"rate_limit_exceeded"}
            assert {one.response.headers["retry-after"] for one in refused} == {"1"}
            group.cancel_scope.cancel()
        await wait_for(lambda: "reserved" not in states_in(tmp_path))
        stack.client.timeout = 0.5
        with pytest.raises(openai.APITimeoutError):  # there is room again: it is let in, and stalls
            await ask(stack, model, refused)


async def ask(stack: FullStack, model: str, refused: list[openai.RateLimitError]) -> None:
    try:
        await stack.client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": "Opowiedz coś."}]
        )
    except openai.RateLimitError as error:
        refused.append(error)


def test_a_prompt_that_is_too_long_is_refused(ala: Callable[..., Ala]) -> None:
    one = ala(Quotas(prompt_tokens=4))
    conversation = one.post("/api/conversations", {}).json()["id"]
    asked = one.post(f"/api/conversations/{conversation}/messages", {"text": "Opowiedz coś."})
    for refused in (one.say(), asked):
        assert refused.status_code == 400
        assert refused.json()["error"]["code"] == "context_length_exceeded"
        assert "about 5 tokens; at most 4 fit" in refused.json()["error"]["message"]


@pytest.mark.parametrize("given", [{}, {"max_tokens": 3000}, {"max_completion_tokens": 11}])
@pytest.mark.parametrize("model", ["bielik", "zwrotnica"])
async def test_an_answer_is_no_longer_than_it_may_be(
    tmp_path: Path, model: str, given: dict[str, int]
) -> None:
    quotas = QuotaSettings(answer_tokens=12)
    async with full_stack(tmp_path, quotas=quotas) as stack:
        asked = [{"role": "user", "content": "Opowiedz coś."}]
        await stack.client.post(
            "/chat/completions", cast_to=object, body={"model": model, "messages": asked, **given}
        )
        assert stack.server.last.json["max_tokens"] == min(12, *given.values(), 12)


def test_a_message_is_answered_no_longer_than_it_may_be(stage: Stage) -> None:
    stage.settings = stage.settings.model_copy(
        update={"quotas": QuotaSettings(answer_tokens=12, prompt_tokens=100)}
    )
    engine = ScriptedEngine(script=["Dzień ", "dobry."])
    url = f"{stage.gateway(engine=engine).url}/api/conversations"
    made = requests.post(url, json={"parameters": {"max_tokens": 500}}, timeout=PATIENCE_S).json()
    messages = f"{url}/{made['id']}/messages"
    assert "done" in requests.post(messages, json={"text": "Cześć!"}, timeout=PATIENCE_S).text
    assert engine.requests[0].sampling.max_tokens == 12


def test_me_tells_what_is_left_and_when_it_is_renewed(
    ala: Callable[..., Ala], stage: Stage
) -> None:
    one = ala(
        Quotas(tokens_per_day=50_000, requests_at_once=3, requests_per_minute=60),
        Quotas(money_per_month=1_000_000),
    )
    before = one.limits()
    assert figures(before["tokens_per_day", None]) == (50_000, 0, 50_000)
    assert figures(before["requests_at_once", None]) == (3, 0, 3)
    assert before["requests_at_once", None]["resets_at"] is None
    assert figures(before["money_per_month", "studenci"]) == (1_000_000, 0, 1_000_000)
    one.say()
    wait_until(lambda: states_in(stage.settings.data_dir) == {"settled": 1})  # after the answer
    after = one.limits()
    limit, used, left = figures(after["tokens_per_day", None])
    assert 0 < used == limit - left
    assert after["requests_per_minute", None]["used"] in {0, 1}
    assert after["requests_per_minute", None]["left"] in {59, 60}
    day, month = (
        datetime.fromisoformat(after[name]["resets_at"]).astimezone(WARSAW)
        for name in (("tokens_per_day", None), ("money_per_month", "studenci"))
    )
    assert (day.hour, month.day, month.hour) == (0, 1, 0)
    assert day <= month
    assert timedelta(0) < day - datetime.now(WARSAW) <= timedelta(hours=25)


def figures(told: dict[str, Any]) -> tuple[int, int, int]:
    """A limit, what was used, and what is left."""
    return told["limit"], told["used"], told["left"]
