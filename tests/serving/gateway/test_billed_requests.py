"""What requests of every kind leave in the ledger."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import anyio
import openai
import pytest
import requests
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from scripted.chats import open_chat
from scripted.full_stack import FullStack, full_stack, wait_for
from scripted.gateway import call
from scripted.opened_ledger import rows_in
from scripted.patience import PATIENCE_S
from scripted.picture_gateway import open_gallery
from scripted.stage import Stage
from scripted.theatre import open_theatre
from sqlalchemy.exc import OperationalError

from chatbot.testing import ScriptedEngine
from serving.settings import BillingSettings, StorageSettings

ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Opowiedz coś."}]
PRICES = BillingSettings.model_validate({"prices": {"bielik": {"prompt": 2, "completion": "6.5"}}})
REFUSED = 6
TOOL: ChatCompletionToolParam = {"type": "function", "function": {"name": "f"}}
Row = Mapping[str, Any]  # a row's values are of its columns' types


def settled(folder: Path) -> list[tuple[Row, Sequence[Row]]]:
    """Every request with its legs, as soon as none is reserved."""
    with suppress(OperationalError):
        rows = rows_in(folder)
        if all(row["state"] != "reserved" for row in rows.requests.values()):
            return [(row, rows.legs.get(key, ())) for key, row in rows.requests.items()]
    return []


async def only(folder: Path) -> tuple[Row, Sequence[Row]]:
    """The only request of all, once it is settled."""
    await wait_for(lambda: bool(settled(folder)))
    (found,) = settled(folder)
    return found


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_an_engine_called_by_name_is_charged_by_its_own_usage(
    tmp_path: Path, *, is_streamed: bool
) -> None:
    async with full_stack(tmp_path, billing=PRICES) as stack:
        await talk(stack, "bielik", is_streamed=is_streamed)
        row, (leg,) = await only(tmp_path)
        tokens = (leg["prompt_tokens"], leg["completion_tokens"])
        assert leg["source"] == "engine"
        assert row["charged"] == leg["amount"] == round(tokens[0] * 2 + tokens[1] * 6.5)
        assert row["reserved"] > row["charged"] > 0
        assert (row["path"], row["model"], row["finish"]) == ("by_name", "bielik", "stop")
        assert (row["owner"], row["state"], row["error"]) == ("local", "settled", None)


async def test_whoever_leaves_pays_what_had_come_by_then(tmp_path: Path) -> None:
    async with full_stack(tmp_path, "fault=stall:after=17", billing=PRICES) as stack:
        text = ""
        async with await stack.client.chat.completions.create(
            model="bielik", messages=ASKED, stream=True
        ) as stream:
            async for chunk in stream:
                text += chunk.choices[0].delta.content or ""
                if text.count(" ") >= 16:
                    break
        row, (leg,) = await only(tmp_path)
        assert leg["source"] == "estimate"
        assert leg["completion_tokens"] >= -(-len(text.encode()) // 3) > 0
        assert leg["prompt_tokens"] == -(-len("Opowiedz coś.".encode()) // 3)
        assert (row["finish"], row["error"]) == ("cancelled", None)
        assert row["charged"] == leg["amount"] > 0


async def test_whoever_leaves_before_a_whole_reply_pays_what_had_been_made(tmp_path: Path) -> None:
    async with full_stack(tmp_path, "fault=stall:after=17", billing=PRICES) as stack:
        with anyio.move_on_after(1.5):
            await talk(stack, "bielik", is_streamed=False)
        row, (leg,) = await only(tmp_path)
        assert leg["source"] == "estimate"
        assert leg["completion_tokens"] > 0
        assert (row["state"], row["finish"], row["error"]) == ("settled", "cancelled", None)
        assert row["charged"] == leg["amount"] > 0


async def test_an_engine_that_gives_nothing_costs_nothing(tmp_path: Path) -> None:
    async with full_stack(tmp_path, "fault=status:code=500", billing=PRICES) as stack:
        with pytest.raises(openai.APIStatusError):
            await talk(stack, "bielik", is_streamed=True)
        row, legs = await only(tmp_path)
        assert (row["state"], row["charged"], row["error"]) == ("void", 0, "engine_unavailable")
        assert not legs


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_what_an_engine_refuses_at_once_is_in_the_ledger(
    tmp_path: Path, *, is_streamed: bool
) -> None:
    async with full_stack(tmp_path, "fault=status:code=400", billing=PRICES) as stack:
        for _ in range(REFUSED):
            with pytest.raises(openai.BadRequestError, match="refuses the request"):
                await talk(stack, "bielik", is_streamed=is_streamed)
        await wait_for(lambda: len(settled(tmp_path)) == REFUSED)
        rows = [row for row, _ in settled(tmp_path)]
        assert {(row["state"], row["error"]) for row in rows} == {("void", "invalid_request")}


async def test_a_stream_that_breaks_is_charged_as_far_as_it_came(tmp_path: Path) -> None:
    async with full_stack(tmp_path, "fault=cut:after=5:how=rst", billing=PRICES) as stack:
        with suppress(openai.APIError):
            await talk(stack, "bielik", is_streamed=True)
        row, (leg,) = await only(tmp_path)
        assert (row["state"], row["error"]) == ("settled", "engine_lost")
        assert leg["source"] == "estimate"
        assert leg["completion_tokens"] > 0


async def test_a_clients_own_tools_are_a_request_by_name(tmp_path: Path) -> None:
    async with full_stack(tmp_path) as stack:
        await stack.client.chat.completions.create(model="zwrotnica", messages=ASKED, tools=[TOOL])
        row, (leg,) = await only(tmp_path)
        assert (row["path"], row["model"], leg["engine"]) == ("by_name", "bielik", "bielik")


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_the_house_pays_the_router_and_the_user_the_answer(
    tmp_path: Path, *, is_streamed: bool
) -> None:
    async with full_stack(tmp_path, billing=PRICES) as stack:
        await talk(stack, "zwrotnica", is_streamed=is_streamed)
        row, legs = await only(tmp_path)
        payers = {leg["role"]: leg["payer"] for leg in legs}
        assert payers == {"router": "house", "answer": "user"}
        assert row["charged"] == sum(leg["amount"] for leg in legs if leg["payer"] == "user") > 0
        assert (row["path"], row["model"], row["finish"]) == ("chat", "zwrotnica", "stop")


def test_a_decision_alone_is_paid_by_the_house(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=call("rate", '{"currency": "EUR"}'))).url
    assert requests.post(f"{url}/api/route", json={"messages": ASKED}, timeout=PATIENCE_S).ok
    row, legs = anyio.run(only, stage.settings.data_dir)
    assert (row["path"], row["charged"], row["finish"]) == ("route", 0, "stop")
    assert {leg["payer"] for leg in legs} == {"house"}


def test_an_answer_of_the_chat_api_is_known_by_its_message(tmp_path: Path) -> None:
    with open_theatre(tmp_path) as theatre:
        theatre.actor.gate.clear()
        answer = open_chat(theatre.gateway).begin("Cześć!")
        answer.read()
        anyio.run(wait_for, lambda: bool(settled(tmp_path)))
        (row, _), *titles = settled(tmp_path)
    assert (row["path"], row["message_id"], row["finish"]) == (
        "chat_api",
        answer.message_id,
        "stop",
    )
    assert all(title["path"] == "title" and title["charged"] == 0 for title, _ in titles)


def test_pictures_are_charged_one_by_one(tmp_path: Path) -> None:
    prices = BillingSettings.model_validate({"prices": {"images": {"image": "0.05"}}})
    with open_gallery(tmp_path, deadline_s=PATIENCE_S, billing=prices) as gallery:
        gallery.client.images.generate(prompt="fault=picture_steps:of=2:side=64", n=3)
        row, legs = anyio.run(only, tmp_path)
    assert [leg["images"] for leg in legs] == [1, 1, 1]
    assert (row["path"], row["charged"], row["reserved"]) == ("images", 150_000, 150_000)


@pytest.mark.parametrize("model", ["zwrotnica", "bielik"])
async def test_a_ledger_that_cannot_be_written_lets_nothing_in(tmp_path: Path, model: str) -> None:
    storage = StorageSettings(wait_s=0.3)
    async with full_stack(tmp_path, storage=storage, heartbeat_s=PATIENCE_S) as stack:
        with closing(sqlite3.connect(tmp_path / "zwrotnica.sqlite3")) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(openai.APIStatusError) as caught:
                await talk(stack, model, is_streamed=True)
            ready = await anyio.to_thread.run_sync(requests.get, f"{stack.gateway.url}/readyz")
        assert caught.value.status_code == 503
        assert caught.value.code == "storage_unavailable"
        assert "locked" in ready.json()["storage"]
        await talk(stack, model, is_streamed=True)


async def test_a_ledger_that_is_switched_off_has_no_rows(tmp_path: Path) -> None:
    async with full_stack(tmp_path, billing=BillingSettings(enabled=False)) as stack:
        await talk(stack, "bielik", is_streamed=True)
        await talk(stack, "zwrotnica", is_streamed=False)
    assert rows_in(tmp_path).requests == {}


async def talk(stack: FullStack, model: str, *, is_streamed: bool) -> None:
    reply = await stack.client.chat.completions.create(
        model=model, messages=ASKED, stream=is_streamed
    )
    if isinstance(reply, openai.AsyncStream):
        async with reply:
            async for _ in reply:
                pass
