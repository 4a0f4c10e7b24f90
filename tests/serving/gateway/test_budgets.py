"""Budgets at every route: nobody gets more than there is, however many ask at once."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import openai
import pytest
import requests
from openai.types.chat import ChatCompletionMessageParam
from scripted.full_stack import FullStack, full_stack, wait_for
from scripted.gateway import RunningGateway
from scripted.keyed import ACTOR, bearing, make_keys, open_keyed
from scripted.opened_ledger import rows_in, states_in
from scripted.patience import PATIENCE_S
from scripted.picture_gateway import open_gallery
from scripted.stage import Stage

from serving.auth.quotas import Quotas
from serving.auth.records import Limits
from serving.auth.scopes import ALL
from serving.settings import QuotaSettings

ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Opowiedz coś."}]
PROMPT_TOKENS = 5
MANY = 100
FEW = 10


@pytest.mark.parametrize("model", ["bielik", "zwrotnica"])
async def test_a_hundred_at_once_get_what_a_budget_for_ten_holds(
    tmp_path: Path, model: str
) -> None:
    quotas = QuotaSettings(tokens_per_day=FEW * (PROMPT_TOKENS + 20) + 3)
    async with full_stack(
        tmp_path, "fault=stall:after=5", quotas=quotas, heartbeat_s=PATIENCE_S
    ) as stack:
        codes: Counter[str | None] = Counter()
        async with anyio.create_task_group() as group:
            for _ in range(MANY):
                group.start_soon(ask, stack, model, codes)
            await wait_for(lambda: codes.total() >= MANY - FEW)
            assert codes == {"budget_exceeded": MANY - FEW}
            await wait_for(lambda: states_in(tmp_path) == {"reserved": FEW})
            group.cancel_scope.cancel()
        await wait_for(lambda: "reserved" not in states_in(tmp_path))
    rows = rows_in(tmp_path)
    used = sum(
        leg["prompt_tokens"] + leg["completion_tokens"]
        for legs in rows.legs.values()
        for leg in legs
        if leg["payer"] == "user"
    )
    assert {tokens for tokens, *_ in rows.spendings.values()} == {used}
    assert len(rows.requests) == FEW


async def ask(stack: FullStack, model: str, codes: Counter[str | None]) -> None:
    with pytest.raises(openai.RateLimitError) as refused:
        await stack.client.chat.completions.create(model=model, messages=ASKED, max_tokens=20)
    assert refused.value.response.headers["x-should-retry"] == "false"
    assert "retry-after" not in refused.value.response.headers
    codes[refused.value.code] += 1


def test_a_hundred_pictures_at_once_against_a_budget_for_ten(tmp_path: Path) -> None:
    quotas = QuotaSettings(images_per_month=FEW)
    body = {"prompt": "fault=picture_steps:of=1:side=64", "response_format": "b64_json"}
    with open_gallery(tmp_path, deadline_s=PATIENCE_S, quotas=quotas) as gallery:

        def draw(_: int) -> int:
            url = f"{gallery.url}/v1/images/generations"
            return requests.post(url, json=body, timeout=PATIENCE_S).status_code

        with ThreadPoolExecutor(25) as threads:
            statuses = Counter(threads.map(draw, range(MANY)))
    assert statuses == {200: FEW, 429: MANY - FEW}


Budgeted = Callable[..., tuple[RunningGateway, dict[str, str]]]


@pytest.fixture
def budgeted(stage: Stage) -> Budgeted:
    """A gateway, and the header of Ala's key, whose quotas and whose group's are set before."""

    def open_gateway(own: Quotas, total: Quotas) -> tuple[RunningGateway, dict[str, str]]:
        key = make_keys(stage.settings, ala=ALL)["ala"]

        async def change() -> None:
            async with open_keyed(stage.settings) as keyed:
                await keyed.accounts.limit("ala", lambda _: Limits(quotas=own), actor=ACTOR)
                await keyed.accounts.add_group("studenci", actor=ACTOR)
                await keyed.accounts.set_member("studenci", "ala", is_member=True, actor=ACTOR)
                await keyed.accounts.limit_total("studenci", lambda _: total, actor=ACTOR)

        anyio.run(change)
        return stage.gateway(), bearing(key)

    return open_gateway


@pytest.mark.parametrize(
    ("own", "total", "told"),
    [
        (Quotas(tokens_per_day=1), Quotas(), "Budżet tokenów na dzień (1) nie wystarcza"),
        (
            Quotas(),
            Quotas(tokens_per_month=2),
            "The budget of tokens a month of the group 'studenci' (2) does not cover this: 2 left",
        ),
    ],
)
def test_a_message_beyond_the_budget_is_refused_in_polish_and_not_stored(
    budgeted: Budgeted, own: Quotas, total: Quotas, told: str
) -> None:
    gateway, key = budgeted(own, total)
    conversations = f"{gateway.url}/api/conversations"
    made = requests.post(conversations, json={}, headers=key, timeout=PATIENCE_S).json()
    conversation = f"{conversations}/{made['id']}"
    refused = requests.post(
        f"{conversation}/messages", json={"text": "Cześć!"}, headers=key, timeout=PATIENCE_S
    )
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (429, "budget_exceeded")
    assert error["type"] == "insufficient_quota"
    assert told in error["message"]
    assert not requests.get(conversation, headers=key, timeout=PATIENCE_S).json()["messages"]


def test_a_budget_that_covers_a_message_lets_it_in(budgeted: Budgeted) -> None:
    gateway, key = budgeted(Quotas(tokens_per_day=10_000), Quotas(images_per_day=0))
    body = {"model": "zwrotnica", "messages": ASKED}
    url = f"{gateway.url}/v1/chat/completions"
    assert requests.post(url, json=body, headers=key, timeout=PATIENCE_S).status_code == 200
