import logging
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from scripted.chats import Chat, Fields, kinds, open_chat, shown_text
from scripted.gateway import wait_until
from scripted.patience import PATIENCE_S
from scripted.theatre import WORDS, Theatre, open_theatre

from serving.settings import ChatSettings, LimitsSettings, StorageSettings

HALF = "".join(WORDS[:2])
STAGES = (
    ("milczący router", None, ["usage"]),
    ("poczekaj", "tool_call", ["route", "tool_call", "tool_result", "usage"]),
    ("bez końca", "text", ["route", "text", "usage"]),
)


def ending(message: Fields) -> tuple[object, object, object]:
    """State, finish reason and code of the error."""
    error = message["error"]
    code = error["code"] if isinstance(error, dict) else None
    return message["state"], message["finish_reason"], code


def test_a_tool_that_fails_is_a_whole_answer(chat: Chat) -> None:
    told = chat.ask("zawiedź mnie")
    assert told[2]["status"] == "failed"
    assert ending(chat.last()) == ("complete", "stop", None)
    assert shown_text(chat.last()) == "Nie udało się: wszystko."


def test_an_answer_cut_at_its_bound_is_whole_and_says_so(chat: Chat) -> None:
    chat.ask("Mów za długo")
    assert ending(chat.last()) == ("complete", "length", None)


def test_an_engine_that_is_down_is_an_error_event(chat: Chat) -> None:
    told = chat.ask("nikogo nie ma")
    assert (told[-1].name, told[-1]["code"]) == ("error", "engine_unavailable")
    assert ending(chat.last()) == ("incomplete", None, "engine_unavailable")
    assert kinds(chat.last()) == ["route", "usage"]


def test_what_a_lost_engine_has_said_stays(chat: Chat) -> None:
    told = chat.ask("przerwij")
    assert [event.name for event in told[-2:]] == ["usage", "error"]
    assert ending(chat.last()) == ("incomplete", None, "engine_lost")
    assert shown_text(chat.last()) == HALF


def test_a_failed_answer_can_be_asked_for_again(chat: Chat) -> None:
    answer = chat.begin("przerwij")
    answer.read()
    chat.ask("Jeszcze raz", parent=answer.parent)
    assert ending(chat.last()) == ("complete", "stop", None)


def test_a_bug_ends_the_answer_and_nothing_else(
    chat: Chat, theatre: Theatre, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    answer = chat.begin("usterka")
    told = answer.read()
    assert [event.name for event in told[-2:]] == ["usage", "error"]
    assert told[-1]["code"] == "internal_error"
    assert told[-1]["request_id"] == answer.reply.headers["x-request-id"]
    assert ending(chat.last()) == ("incomplete", None, "internal_error")
    assert shown_text(chat.last()) == HALF
    [failed] = [one for one in caplog.records if one.message == "answer_failed"]
    assert vars(failed)["request_id"] == told[-1]["request_id"]
    assert "Tajny" not in caplog.text
    assert chat.ask("Cześć!")[-1].name == "done"
    assert theatre.gateway.turns == 0


@pytest.mark.parametrize(("text", "until", "expected"), STAGES)
def test_stop_ends_an_answer_at_any_stage(
    chat: Chat, theatre: Theatre, text: str, until: str | None, expected: list[str]
) -> None:
    answer = chat.begin(text)
    if until is not None:
        answer.read_until(until)
    assert chat.stop(answer.message_id) == 204
    assert ending(chat.last()) == ("incomplete", "cancelled", None)
    assert kinds(chat.last()) == expected
    assert (theatre.actor.playing, theatre.gateway.turns) == (0, 0)
    told = chat.follow(answer.message_id)
    assert (told[-2].name, told[-1]["finish_reason"]) == ("usage", "cancelled")


def test_a_stopped_call_is_told_as_cancelled(chat: Chat) -> None:
    answer = chat.begin("poczekaj")
    answer.read_until("tool_call")
    chat.stop(answer.message_id)
    result = next(event for event in chat.follow(answer.message_id) if event.name == "tool_result")
    assert result["status"] == "cancelled"


def test_to_stop_what_has_ended_changes_nothing(chat: Chat) -> None:
    answer = chat.begin("Cześć!")
    answer.read()
    assert [chat.stop(answer.message_id), chat.stop("nie-ma-takiej")] == [204, 404]
    assert ending(chat.last()) == ("complete", "stop", None)


def test_after_a_stop_the_conversation_is_free(chat: Chat) -> None:
    answer = chat.begin("bez końca")
    chat.stop(answer.message_id)
    assert chat.ask("Cześć!")[-1]["finish_reason"] == "stop"


def test_an_answer_that_nobody_reads_is_stopped(tmp_path: Path) -> None:
    with open_theatre(tmp_path, chat=ChatSettings(unread_s=0.2)) as theatre:
        chat = open_chat(theatre.gateway)
        chat.begin("bez końca").read_until("text")
        wait_until(lambda: not chat.read()["busy"])
        assert ending(chat.last()) == ("incomplete", "cancelled", None)
        assert shown_text(chat.last()) == HALF
        assert figure(theatre, "abandoned_requests_total") == 1.0


def test_an_answer_that_is_read_may_take_longer(tmp_path: Path) -> None:
    with open_theatre(tmp_path, chat=ChatSettings(unread_s=0.2)) as theatre:
        chat = open_chat(theatre.gateway)
        answer = chat.begin("czekaj na znak")
        time.sleep(0.5)
        theatre.actor.gate.set()
        assert answer.read()[-1]["finish_reason"] == "stop"


def figure(theatre: Theatre, name: str) -> float:
    text = requests.get(f"{theatre.gateway.url}/metrics", timeout=PATIENCE_S).text
    (line,) = [line for line in text.splitlines() if line.startswith(f"zwrotnica_{name} ")]
    return float(line.split()[-1])


def test_answers_are_counted_like_other_turns(tmp_path: Path) -> None:
    with open_theatre(tmp_path) as theatre:
        open_chat(theatre.gateway).ask("Cześć!")
        assert figure(theatre, 'first_text_seconds_count{engine="embedded",path="default"}') == 1.0
        assert figure(theatre, 'verdict_seconds_count{decision="default"}') == 1.0
        text = requests.get(f"{theatre.gateway.url}/metrics", timeout=PATIENCE_S).text
        assert 'zwrotnica_routes_total{decision="default",reason="default_function"} 1.0' in text
        spoken = 'zwrotnica_tokens_total{engine="bielik",kind="completion",role="answer"} 5.0'
        assert spoken in text


def test_a_server_that_is_full_stores_nothing(tmp_path: Path) -> None:
    with open_theatre(tmp_path, limits=LimitsSettings(turns=1, drain_s=0.1)) as theatre:
        first, second = open_chat(theatre.gateway), open_chat(theatre.gateway)
        answer = first.begin("czekaj na znak")
        refused = second.post("Cześć!")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "queue_full")
        assert second.messages() == []
        theatre.actor.gate.set()
        answer.read()
        assert second.ask("Cześć!")[-1].name == "done"


def test_a_server_that_shuts_down_says_so_and_keeps_what_was_said(tmp_path: Path) -> None:
    with open_theatre(tmp_path) as theatre:
        chat, other = open_chat(theatre.gateway), open_chat(theatre.gateway)
        answer = chat.begin("bez końca")
        wait_until(lambda: theatre.actor.playing == 1)
        theatre.gateway.server.handle_exit(signal.SIGTERM, None)
        wait_until(lambda: not is_ready(theatre))
        refused = other.post("Cześć!")
        told = answer.read()
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "server_draining")
    assert (told[-1].name, told[-1]["code"]) == ("error", "server_draining")
    with open_theatre(tmp_path) as later:
        kept = Chat(url=later.gateway.url, id=chat.id).last()
        assert ending(kept) == ("incomplete", None, "server_draining")
        assert shown_text(kept) == HALF


def is_ready(theatre: Theatre) -> bool:
    return requests.get(f"{theatre.gateway.url}/readyz", timeout=PATIENCE_S).ok


def test_a_server_that_is_closed_at_once_keeps_what_was_said(tmp_path: Path) -> None:
    with open_theatre(tmp_path) as theatre:
        chat = open_chat(theatre.gateway)
        answer = chat.begin("bez końca")
        answer.read_until("text")
    with open_theatre(tmp_path) as later:
        kept = Chat(url=later.gateway.url, id=chat.id)
        assert ending(kept.last()) == ("incomplete", None, "server_draining")
        assert kept.follow(answer.message_id)[-1]["code"] == "server_draining"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Another process holds the database."""
    with sqlite3.connect(folder / "zwrotnica.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")
    other.close()


def test_where_nothing_can_be_stored_nothing_is_begun(tmp_path: Path) -> None:
    with open_theatre(tmp_path, storage=StorageSettings(wait_s=0.2)) as theatre:
        chat = open_chat(theatre.gateway)
        with locked(tmp_path):
            refused = chat.post("Cześć!")
        error = refused.json()["error"]
        assert (refused.status_code, error["code"]) == (503, "storage_unavailable")
        assert int(refused.headers["retry-after"]) >= 1
        assert chat.messages() == []
        assert theatre.actor.requests == []
        assert chat.ask("Cześć!")[-1].name == "done"


def test_a_short_lock_in_mid_answer_is_not_noticed(tmp_path: Path) -> None:
    storage = StorageSettings(wait_s=0.1, keep_s=PATIENCE_S)
    with open_theatre(tmp_path, storage=storage) as theatre:
        chat = open_chat(theatre.gateway)
        answer = chat.begin("czekaj na znak")
        wait_until(lambda: theatre.actor.playing == 1)
        with locked(tmp_path):
            theatre.actor.gate.set()
            time.sleep(0.5)
        assert answer.read()[-1]["finish_reason"] == "stop"
        assert ending(chat.last()) == ("complete", "stop", None)
        assert shown_text(chat.last()) == "".join(WORDS)


def test_an_answer_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    with open_theatre(tmp_path, storage=StorageSettings(wait_s=0.1, keep_s=0.3)) as theatre:
        chat = open_chat(theatre.gateway)
        answer = chat.begin("czekaj na znak")
        wait_until(lambda: theatre.actor.playing == 1)
        with locked(tmp_path):
            theatre.actor.gate.set()
            told = answer.read()
        assert (told[-1].name, told[-1]["code"]) == ("error", "storage_unavailable")
        assert chat.last()["state"] == "incomplete"
        assert chat.ask("Cześć!")[-1].name == "done"
