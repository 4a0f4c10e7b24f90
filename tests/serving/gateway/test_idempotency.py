"""What becomes of a request that is sent again under the same `Idempotency-Key`."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
import requests
from anyio import to_thread
from scripted.chats import Chat, as_account, open_chat
from scripted.databases import DATABASES, make_database
from scripted.full_stack import FullStack, full_stack
from scripted.opened_ledger import rows_in
from scripted.patience import PATIENCE_S
from scripted.picture_gateway import open_gallery
from scripted.theatre import Theatre, open_theatre

from serving.http.sse import HEARTBEAT
from serving.settings import BillingSettings

REPEATS = 50


@pytest.fixture(scope="module", params=DATABASES)
def theatre(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Theatre]:
    folder = tmp_path_factory.mktemp("theatre")
    make_database(request, folder)
    with open_theatre(folder) as theatre:
        theatre.actor.gate.set()
        yield theatre


def send(
    url: str, key: str, text: str = "Cześć!", *, model: str = "zwrotnica", is_streamed: bool = False
) -> requests.Response:
    body = {
        "model": model,
        "messages": [{"role": "user", "content": text}],
        "stream": is_streamed,
    }
    return requests.post(
        f"{url}/v1/chat/completions",
        json=body,
        headers={"Idempotency-Key": key},
        timeout=PATIENCE_S,
    )


def say(chat: Chat, key: str, text: str = "Cześć!", **fields: object) -> requests.Response:
    return requests.post(
        f"{chat.path}/messages",
        json={"text": text, **fields},
        headers={"Idempotency-Key": key},
        stream=True,
        timeout=PATIENCE_S,
    )


def refusal(reply: requests.Response) -> tuple[int, object]:
    return reply.status_code, reply.json()["error"]["code"]


@pytest.mark.parametrize("is_streamed", [True, False])
def test_the_chatbots_reply_is_told_again(theatre: Theatre, *, is_streamed: bool) -> None:
    key = f"again-{is_streamed}"
    first = send(theatre.gateway.url, key, is_streamed=is_streamed)
    asked = len(theatre.actor.requests)
    again = send(theatre.gateway.url, key, is_streamed=is_streamed)
    assert first.status_code == again.status_code == 200
    assert again.content == first.content != b""
    assert again.headers["content-type"] == first.headers["content-type"]
    assert again.headers["x-request-id"] != first.headers["x-request-id"]
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert len(theatre.actor.requests) == asked


def test_a_key_is_for_one_body_and_path(theatre: Theatre) -> None:
    send(theatre.gateway.url, "one-body")
    other = send(theatre.gateway.url, "one-body", "Dobranoc!")
    elsewhere = say(open_chat(theatre.gateway), "one-body")
    assert refusal(other) == refusal(elsewhere) == (422, "idempotency_key_reused")


def test_nobody_is_told_anothers_reply(theatre: Theatre) -> None:
    first = send(theatre.gateway.url, "not-yours")
    with as_account(theatre.gateway, "stranger"):
        strangers = send(theatre.gateway.url, "not-yours")
    assert strangers.status_code == 200
    assert "idempotent-replayed" not in strangers.headers
    assert strangers.json()["id"] != first.json()["id"]


def test_a_request_that_failed_frees_its_key(theatre: Theatre) -> None:
    failed = send(theatre.gateway.url, "failed", "przerwij")
    assert failed.status_code == 502
    assert send(theatre.gateway.url, "failed").status_code == 200


@pytest.mark.parametrize("key", ["", "k" * 129, "with space", "zażółć".encode().decode("latin-1")])
def test_an_unfit_key_is_refused(theatre: Theatre, key: str) -> None:
    reply = send(theatre.gateway.url, key)
    assert refusal(reply) == (400, "invalid_request")
    assert reply.json()["error"]["param"] == "Idempotency-Key"


def test_an_answer_of_the_chat_api_is_told_again_and_asked_once(theatre: Theatre) -> None:
    chat = open_chat(theatre.gateway)
    with say(chat, "chat-again") as first:
        told = first.content
    again = say(chat, "chat-again")
    assert again.headers["idempotent-replayed"] == "true"
    assert [again.headers[name] for name in ("x-message-id", "x-parent-id")] == [
        first.headers[name] for name in ("x-message-id", "x-parent-id")
    ]
    assert b"event: done" in again.content
    assert b"event: done" in told
    assert [message["role"] for message in chat.messages()] == ["user", "assistant"]


def test_an_answer_that_is_still_made_is_in_progress(theatre: Theatre) -> None:
    chat = open_chat(theatre.gateway)
    theatre.actor.gate.clear()
    try:
        with say(chat, "chat-running", "czekaj na znak") as first:
            running = say(chat, "chat-running", "czekaj na znak")
            other = say(chat, "chat-running", "co innego")
            unnamed = chat.post("co innego")
            theatre.actor.gate.set()
            assert b"event: done" in first.content
    finally:
        theatre.actor.gate.set()
    assert refusal(running) == (409, "in_progress")
    assert running.headers["x-should-retry"] == "false"
    assert refusal(other) == (422, "idempotency_key_reused")
    assert refusal(unnamed) == (409, "conversation_busy")


async def repeat(stack: FullStack, *, is_streamed: bool) -> list[requests.Response]:
    """The same request, many times at once."""
    replies: list[requests.Response] = []

    async def once() -> None:
        replies.append(await to_thread.run_sync(ask_by_name, stack, "many", is_streamed))

    async with anyio.create_task_group() as group:
        for _ in range(REPEATS):
            group.start_soon(once)
    return replies


def ask_by_name(stack: FullStack, key: str, is_streamed: bool) -> requests.Response:
    return send(stack.gateway.url, key, model="bielik", is_streamed=is_streamed)


def without_heartbeats(reply: requests.Response) -> bytes:
    """What was answered; on a busy machine a stream is kept alive between its events."""
    return reply.content.replace(HEARTBEAT, b"")


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_of_many_at_once_one_is_served(any_folder: Path, *, is_streamed: bool) -> None:
    async with full_stack(any_folder) as stack:
        replies = await repeat(stack, is_streamed=is_streamed)
        again = await to_thread.run_sync(ask_by_name, stack, "many", is_streamed)
        asked = len(stack.server.exchanges)
    served = [reply for reply in replies if reply.status_code == 200]
    assert {without_heartbeats(reply) for reply in served} == {again.content}
    assert [r.status_code for r in replies if "idempotent-replayed" not in r.headers].count(
        200
    ) == 1
    assert {refusal(r) for r in replies if r.status_code != 200} <= {(409, "in_progress")}
    assert asked == 1
    assert len(rows_in(any_folder).requests) == 1


async def test_a_stream_that_breaks_is_neither_kept_nor_told_again(any_folder: Path) -> None:
    async with full_stack(any_folder, "fault=cut:after=5:how=fin") as stack:
        for _ in range(2):
            reply = await to_thread.run_sync(ask_by_name, stack, "broken", True)  # noqa: FBT003
            assert b'"engine_lost"' in reply.content
            assert "idempotent-replayed" not in reply.headers
        assert len(stack.server.exchanges) == 2
    errors = Counter(row["error"] for row in rows_in(any_folder).requests.values())
    assert errors == {"engine_lost": 2}


async def test_a_reply_that_is_too_long_to_keep_is_already_done(tmp_path: Path) -> None:
    small = BillingSettings(kept_reply_bytes=10)
    async with full_stack(tmp_path, billing=small) as stack:
        first = await to_thread.run_sync(ask_by_name, stack, "long", False)  # noqa: FBT003
        again = await to_thread.run_sync(ask_by_name, stack, "long", False)  # noqa: FBT003
    assert first.status_code == 200
    assert refusal(again) == (409, "already_done")
    assert again.headers["x-should-retry"] == "false"


def test_pictures_are_drawn_and_charged_once(tmp_path: Path) -> None:
    prices = BillingSettings.model_validate({"prices": {"images": {"image": "0.05"}}})
    body = {"prompt": "fault=picture_steps:of=2:side=64"}
    with open_gallery(tmp_path, deadline_s=PATIENCE_S, billing=prices) as gallery:
        first, again = (
            requests.post(
                f"{gallery.url}/v1/images/generations",
                json=body,
                headers={"Idempotency-Key": "picture"},
                timeout=PATIENCE_S,
            )
            for _ in range(2)
        )
        drawn = len(gallery.engine.exchanges)
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    assert drawn == 1
    assert [row["charged"] for row in rows_in(tmp_path).requests.values()] == [50_000]
