import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from anyio import CancelScope
from scripted.chats import Chat, open_chat, text_of
from scripted.gateway import wait_until
from scripted.http_client import post
from scripted.patience import PATIENCE_S
from scripted.theatre import FLOOD, WORDS, Actor, Theatre, open_theatre

from serving.gateway.conversations.answer import BATCH_BYTES, LiveAnswer
from serving.gateway.conversations.encoding import Encoded
from serving.settings import ChatSettings, LimitsSettings

UNREAD_S = 2.0
"""Enough for a reader that shares a busy machine with its gateway."""


def test_the_rest_after_every_event_makes_the_whole(chat: Chat) -> None:
    answer = chat.begin("Ile kosztuje euro?")
    whole = answer.read()
    for number in range(len(whole)):
        rest = chat.follow(answer.message_id, after=number)
        assert whole[: number + 1] + rest == whole


def test_without_a_number_the_whole_is_told_again(chat: Chat) -> None:
    answer = chat.begin("Ile kosztuje euro?")
    assert chat.follow(answer.message_id) == answer.read()


def test_an_answer_goes_on_when_its_reader_leaves_and_is_read_on(chat: Chat, actor: Actor) -> None:
    answer = chat.begin("czekaj na znak")
    begun = answer.read_until("text")
    reply = chat.events(answer.message_id, after=begun[-1].id)
    actor.gate.set()
    rest = reply.content.decode().count("event: text")
    assert 1 + rest == len(WORDS)
    assert chat.last()["state"] == "complete"


def test_readers_that_come_anywhere_lose_and_double_nothing(chat: Chat, actor: Actor) -> None:
    answer = chat.begin("czekaj na znak")
    with ThreadPoolExecutor(6) as pool:
        numbers = [None, 0, 1, 2, 3]
        readers = [
            pool.submit(
                chat.follow, answer.message_id, **({} if number is None else {"after": number})
            )
            for number in numbers
        ]
        time.sleep(0.05)
        actor.gate.set()
        whole = answer.read()
        told = [reader.result() for reader in readers]
    assert text_of(whole) == "".join(WORDS)
    assert told == [whole, *(whole[number + 1 :] for number in range(4))]


def test_the_reply_begins_before_the_router_has_decided(chat: Chat) -> None:
    answer = chat.begin("milczący router")
    assert answer.message_id == chat.last()["id"]
    assert chat.last()["running"]
    assert chat.stop(answer.message_id) == 204
    assert [event.name for event in answer.read()] == ["usage", "done"]


@pytest.mark.parametrize("after", ["-1", "x", "", "1.5", "9" * 30])
def test_a_number_that_is_none_is_a_400(chat: Chat, after: str) -> None:
    answer = chat.begin("Cześć!")
    answer.read()
    error = chat.events(answer.message_id, after=after).json()["error"]
    assert (error["code"], error["param"]) == ("invalid_request", "after")


def test_a_users_message_has_no_events(chat: Chat) -> None:
    answer = chat.begin("Cześć!")
    answer.read()
    assert chat.events(answer.parent).status_code == 404


def test_an_answer_of_long_ago_is_told_from_what_was_stored(tmp_path: Path) -> None:
    with open_theatre(tmp_path, chat=ChatSettings(replay_s=0.0)) as theatre:
        chat = open_chat(theatre.gateway)
        answer = chat.begin("narysuj psa")
        whole = answer.read()
        late = chat.events(answer.message_id, after=2)
        again = chat.follow(answer.message_id)
        assert (late.status_code, late.json()["error"]["code"]) == (404, "not_found")
        assert [event.name for event in again] == [event.name for event in whole]
        assert [event.id for event in again] == list(range(len(again)))
        assert text_of(again) == text_of(whole)
        assert again[-1]["finish_reason"] == "stop"


def test_a_link_to_a_picture_is_fresh_each_time(tmp_path: Path) -> None:
    with open_theatre(tmp_path, chat=ChatSettings(replay_s=0.0)) as theatre:
        chat = open_chat(theatre.gateway)
        answer = chat.begin("narysuj psa")
        answer.read()
        told = [expiry(chat), expiry(chat)]
        assert datetime.now(UTC) < told[0] < told[1]


def expiry(chat: Chat) -> datetime:
    parts = chat.last()["parts"]
    assert isinstance(parts, list)
    (image,) = [part for part in parts if part["type"] == "image"]
    assert image["url"].startswith(f"/images/{image['image_id']}.")
    time.sleep(0.01)
    return datetime.fromisoformat(image["expires_at"])


def test_the_events_of_an_answer_are_forgotten_in_time(tmp_path: Path) -> None:
    with open_theatre(tmp_path, chat=ChatSettings(replay_s=0.2)) as theatre:
        chat = open_chat(theatre.gateway)
        answer = chat.begin("Cześć!")
        answer.read()
        assert chat.events(answer.message_id, after=0).status_code == 200
        wait_until(lambda: chat.events(answer.message_id, after=0).status_code == 404)


def test_who_does_not_read_holds_up_nobody_and_is_left(tmp_path: Path) -> None:
    limits = LimitsSettings(heartbeat_s=0.1, write_s=UNREAD_S, drain_s=0.5)
    with open_theatre(tmp_path, limits=limits) as theatre:
        chat = open_chat(theatre.gateway)
        with stuck_reader(theatre, chat) as stuck:
            wait_until(lambda: len(chat.messages()) == 2)
            whole = chat.follow(str(chat.last()["id"]))
            assert whole[-1].name == "done"
            assert text_of(whole) == "".join(FLOOD)
            assert b"event: done" not in read_late(stuck)


def stuck_reader(theatre: Theatre, chat: Chat) -> socket.socket:
    """A client that asks for much, with a small buffer, and does not read."""
    stuck = socket.socket()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stuck.settimeout(PATIENCE_S)
    stuck.connect(("127.0.0.1", theatre.gateway.port))
    path = chat.path.removeprefix(theatre.gateway.url)
    stuck.sendall(post(f"{path}/messages", '{"text": "lej wodę"}'.encode()))
    return stuck


def read_late(stuck: socket.socket) -> bytes:
    """The end of what still arrives once the gateway has waited long enough."""
    time.sleep(1.5 * UNREAD_S)
    last = b""
    try:
        while piece := stuck.recv(1_000_000):
            last = (last + piece)[-200:]
    except ConnectionResetError:
        pass
    return last


def live_answer() -> LiveAnswer:
    return LiveAnswer(
        owner="local", conversation_id="c", message_id="m", parent="u", scope=CancelScope()
    )


async def test_readers_share_one_list_and_take_little_at_once() -> None:
    live = live_answer()
    events = [Encoded(seq, b"x" * 1024) for seq in range(100)]
    for event in events:
        live.tell(event)
    first, second = await live.read(-1), await live.read(31)
    assert sum(len(event.sent) for event in first) == BATCH_BYTES
    assert all(read is told for read, told in zip(first + second, events, strict=False))


async def test_an_answer_that_has_ended_has_no_more_to_read() -> None:
    live = live_answer()
    live.tell(Encoded(0, b"a"))
    live.end(Encoded(1, b"b"))
    assert [event.seq for event in await live.read(0)] == [1]
    assert await live.read(1) == []
