"""Answers that API clients send back: their stored calls are theirs again, and nobody else's."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import requests
from scripted.attributions import (
    ANSWER,
    MESSAGE_ID,
    SOURCE,
    from_assistant,
    harmless_edits,
    signed,
    signer,
)
from scripted.gateway import DEFAULT, call
from scripted.hostile_text import CANARY
from scripted.stage import Stage

from chatbot.testing import ScriptedEngine
from chatbot.types import Attribution, Entity, Message, Text, ToolCall, ToolOutcome
from serving.clock import SystemClock
from serving.gateway.rebuilt_calls import LONGEST, RebuiltCalls
from serving.settings import BillingSettings, StorageSettings
from serving.storage.calls import CallStore
from serving.storage.database import Database, open_database
from serving.storage.records import StoredPart
from serving.telemetry import Metrics

ASKED = {"role": "user", "content": f"Ile kosztuje euro? Moje hasło: {CANARY}."}
EURO = call("rate", '{"currency": "EUR"}')
PARTS: tuple[StoredPart, ...] = (
    {
        "type": "tool_call",
        "call_id": "c1",
        "name": "search_wikipedia",
        "title": "Wikipedia",
        "arguments": {"query": "Mikołaj Kopernik"},
        "raw_arguments": {"query": "Kopernika"},
        "summary": "Wikipedia · Mikołaj Kopernik",
    },
    {
        "type": "tool_result",
        "call_id": "c1",
        "status": "ok",
        "error": None,
        "ms": 120,
        "notices": [],
        "content": "**Kopernik**",
        "plain": "Kopernik",
        "state": [{"kind": "topic", "value": "Mikołaj Kopernik"}],
    },
    {"type": "attribution", "source": "Wikipedia", "title": "Mikołaj Kopernik", "call_id": "c1"},
)


def complete(url: str, *messages: dict[str, str], **more: object) -> requests.Response:
    body = {"model": "zwrotnica", "messages": messages, **more}
    reply = requests.post(f"{url}/v1/chat/completions", json=body, timeout=10)
    assert reply.status_code == 200
    return reply


def answer(url: str) -> str:
    return str(complete(url, ASKED).json()["choices"][0]["message"]["content"])


def resent(url: str, text: str) -> tuple[int, dict[str, int]]:
    """How many answers of a history with ``text`` were rebuilt, and the verdicts on its frames."""
    history = (ASKED, {"role": "assistant", "content": text}, ASKED)
    told = complete(url, *history).json()["x_zwrotnica"]
    return told["history_rebuilt"], told["history_frames"]


def keep_calls(stage: Stage, days: float) -> None:
    storage = stage.settings.storage.model_copy(update={"call_days": days, "wait_s": 0.1})
    stage.settings = stage.settings.model_copy(update={"storage": storage})


def test_an_answer_that_comes_back_unchanged_has_its_calls_again(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    assert resent(url, answer(url)) == (1, {"trusted": 1, "edited": 0, "not_ours": 0})
    figures = requests.get(f"{url}/metrics", timeout=10).text
    assert "zwrotnica_rebuilt_answers_total 1.0" in figures


def test_calls_are_kept_before_a_stream_ends(stage: Stage) -> None:
    gateway = stage.gateway(router=ScriptedEngine(script=EURO))
    client = stage.client_at(gateway)
    stream = client.chat.completions.create(
        model="zwrotnica", messages=[{"role": "user", "content": "Ile?"}], stream=True
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
    assert resent(gateway.url, text)[0] == 1


def test_what_clients_do_by_themselves_leaves_the_calls(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    text = answer(url)
    assert [name for name, other in harmless_edits(text) if resent(url, other)[0] != 1] == []


def test_an_edited_answer_stays_the_text_that_it_is(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    text = answer(url)
    edited = text.replace("4,26", "4,27")
    assert resent(url, edited) == (0, {"trusted": 0, "edited": 1, "not_ours": 0})


def test_an_answer_that_nobody_got_was_not_edited_but_made_up(stage: Stage) -> None:
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    text = answer(url)
    message_id = text.split(".")[-2]
    forged = text.replace(message_id, message_id[::-1])
    assert resent(url, forged) == (0, {"trusted": 0, "edited": 0, "not_ours": 1})
    verify = f"{url}/v1/attribution/verify"
    (frame,) = requests.post(verify, json={"text": forged}, timeout=10).json()["frames"]
    assert (frame["verdict"], frame["reason"]) == ("not_ours", "unknown_message")


def test_the_models_read_the_same_with_and_without_stored_calls(stage: Stage) -> None:
    router = ScriptedEngine(script=EURO)
    gateway = stage.gateway(router=router)
    history = (ASKED, {"role": "assistant", "content": answer(gateway.url)}, ASKED)
    seen = []
    for days in (30.0, 0.0):
        keep_calls(stage, days)
        router, engine = ScriptedEngine(script=DEFAULT), ScriptedEngine(script=["Dobrze."])
        url = stage.gateway(router=router, engine=engine).url
        rebuilt = complete(url, *history).json()["x_zwrotnica"]["history_rebuilt"]
        views = router.requests[-1].messages, engine.requests[-1].messages
        seen.append((rebuilt, *views))
    assert [one[0] for one in seen] == [1, 0]
    assert seen[0][1:] == seen[1][1:]
    assert "4,26 zł" in seen[0][2][-2].text


def test_nothing_is_kept_where_the_setting_says_never(stage: Stage) -> None:
    keep_calls(stage, 0)
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    assert resent(url, answer(url)) == (0, {"trusted": 1, "edited": 0, "not_ours": 0})
    assert rows(stage.settings.data_dir) == []


def test_no_word_of_the_user_is_kept(stage: Stage) -> None:
    answer(stage.gateway(router=ScriptedEngine(script=EURO)).url)
    ((_, owner, body_hash, parts),) = rows(stage.settings.data_dir)
    assert (owner, len(body_hash)) == ("local", 64)
    assert '"EUR"' in parts
    assert CANARY not in parts
    kept = (path.read_bytes() for path in stage.settings.data_dir.glob("*.sqlite3*"))
    assert CANARY.encode() not in b"".join(kept)


def test_an_answer_without_a_call_keeps_nothing(stage: Stage) -> None:
    answer(stage.gateway().url)
    assert rows(stage.settings.data_dir) == []


def test_without_a_ledger_a_locked_database_costs_the_calls_and_not_the_answer(
    stage: Stage,
) -> None:
    keep_calls(stage, 30)
    stage.settings = stage.settings.model_copy(update={"billing": BillingSettings(enabled=False)})
    url = stage.gateway(router=ScriptedEngine(script=EURO)).url
    with closing(sqlite3.connect(database_of(stage.settings.data_dir))) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "4,26 zł" in answer(url)
    figures = requests.get(f"{url}/metrics", timeout=10).text
    assert 'zwrotnica_call_storage_failures_total{operation="put"} 1.0' in figures


def database_of(folder: Path) -> Path:
    return folder / "zwrotnica.sqlite3"


def rows(folder: Path) -> list[tuple[str, str, str, str]]:
    asked = "SELECT message_id, owner, body_hash, parts FROM calls"
    with closing(sqlite3.connect(database_of(folder))) as connection:
        return connection.execute(asked).fetchall()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(StorageSettings(), tmp_path) as database:
        yield database


def calls_of(database: Database, owner: str = "local") -> RebuiltCalls:
    clock = SystemClock()
    return RebuiltCalls(
        CallStore(database, clock=clock, settings=StorageSettings()),
        owner=owner,
        signer=signer(owner=owner),
        clock=clock,
        metrics=Metrics(),
        is_kept=True,
    )


async def test_call_result_and_source_stand_behind_the_text_as_it_was_sent(
    database: Database,
) -> None:
    calls = calls_of(database)
    text = signed()
    await calls.keep(MESSAGE_ID, text, PARTS)
    said = Message(role="user", parts=(Text(text=text),))
    recalled = await calls.recall((said, *from_assistant(text), said))
    assert recalled.rebuilt == 1
    assert recalled.messages[::2] == (said, said)
    assert recalled.messages[1] == Message(
        role="assistant",
        message_id=MESSAGE_ID,
        parts=(
            Text(text=text),
            ToolCall(
                call_id="c1",
                name="search_wikipedia",
                arguments={"query": "Mikołaj Kopernik"},
                raw_arguments={"query": "Kopernika"},
            ),
            ToolOutcome(
                call_id="c1",
                name="search_wikipedia",
                status="ok",
                content="**Kopernik**",
                plain="Kopernik",
                state=(Entity(kind="topic", value="Mikołaj Kopernik"),),
                ms=120,
            ),
            Attribution(source="Wikipedia", title="Mikołaj Kopernik", call_id="c1"),
        ),
    )


async def test_another_accounts_calls_are_not_found(database: Database) -> None:
    text = signed(by=signer(owner="obcy"))
    await calls_of(database, "obcy").keep(MESSAGE_ID, text, PARTS)
    recalled = await calls_of(database).recall(from_assistant(text))
    assert recalled.messages == from_assistant(text)
    assert [one.reason for one in recalled.trust.frames] == ["unknown_message"]


async def test_a_signature_of_another_body_finds_no_calls(database: Database) -> None:
    calls = calls_of(database)
    await calls.keep(MESSAGE_ID, "Inna treść.", PARTS)
    recalled = await calls.recall(from_assistant(signed()))
    assert (recalled.rebuilt, recalled.trust.counts()["trusted"]) == (0, 1)


async def test_a_long_result_is_kept_in_part(database: Database) -> None:
    calls = calls_of(database)
    await calls.keep(MESSAGE_ID, signed(), ({**PARTS[1], "content": "a" * (LONGEST + 1)},))
    (message,) = (await calls.recall(from_assistant(signed()))).messages
    (outcome,) = (part for part in message.parts if isinstance(part, ToolOutcome))
    assert len(outcome.content) == LONGEST


async def test_a_history_of_many_frames_is_looked_up_once(database: Database) -> None:
    calls = calls_of(database)
    texts: list[Message] = []
    for number in range(20):
        message_id, body = f"{MESSAGE_ID}{number}", f"{ANSWER} {number}"
        text = body + signer().append_to(body, (SOURCE,), message_id=message_id)
        await calls.keep(message_id, text, PARTS)
        texts += from_assistant(text)
    recalled = await calls.recall(texts)
    assert recalled.rebuilt == len(texts)


async def test_a_damaged_database_costs_the_calls_and_not_the_answer(tmp_path: Path) -> None:
    async with open_database(StorageSettings(), tmp_path) as database:
        await calls_of(database).keep(MESSAGE_ID, signed(), PARTS)
    damage(tmp_path, "calls")
    async with open_database(StorageSettings(), tmp_path) as database:
        recalled = await calls_of(database).recall(from_assistant(signed()))
    assert (recalled.rebuilt, recalled.trust.counts()["trusted"]) == (0, 1)


def damage(folder: Path, table: str) -> None:
    """Overwrite the table's first page."""
    with closing(sqlite3.connect(database_of(folder))) as connection:
        asked = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        ((page,),) = connection.execute(asked, (table,)).fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with database_of(folder).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
