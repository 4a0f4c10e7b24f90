"""Exports as browsers and clients get them: names, headers, errors, how a broken one looks."""

import io
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote

import openpyxl
import pytest
import requests
from scripted.exported import BEGAN, answered, conversation, read_csv, said, weather
from scripted.full_stack import wait_for
from scripted.gateway import DEFAULT, RunningGateway, call
from scripted.http_client import RawClient
from scripted.stage import Stage

from chatbot.errors import EngineLost
from chatbot.testing import ScriptedEngine
from chatbot.testing.engines import Script
from chatbot.types import Delta
from serving.assembly import new_id
from serving.clock import SystemClock
from serving.settings import StorageSettings
from serving.storage.conversations import Conversations
from serving.storage.database import open_database
from serving.storage.records import StoredMessage


async def store(
    folder: Path, title: str, messages: Iterable[StoredMessage], *, hour: int = 0
) -> str:
    """Put a conversation of some hour into the database of ``folder``; returns its id."""
    async with open_database(StorageSettings(), folder) as database:
        conversations = Conversations(database, clock=SystemClock(), new_id=new_id)
        begun = replace(conversation(title), created_at=BEGAN + timedelta(hours=hour - 9))
        made = await conversations.restore("local", begun, tuple(messages))
        return made.conversation_id


def get(gateway: RunningGateway, path: str, **query: str) -> requests.Response:
    return requests.get(f"{gateway.url}/api/{path}", params=query, timeout=20)


def ask_head(gateway: RunningGateway, path: str) -> requests.Response:
    return requests.head(f"{gateway.url}/api/{path}", timeout=20)


def post(gateway: RunningGateway, path: str, body: bytes) -> dict[str, object]:
    reply = requests.post(f"{gateway.url}/api/{path}", data=body, timeout=20)
    assert reply.status_code < 300
    told: dict[str, object] = reply.json() if "json" in reply.headers["content-type"] else {}
    return told


def name_of(reply: requests.Response) -> str:
    return unquote(reply.headers["content-disposition"].partition("UTF-8''")[2])


async def test_a_conversation_is_a_file_of_its_title(stage: Stage) -> None:
    told = (said("Jaka pogoda?"), answered("21 °C", parts=weather()))
    chat = await store(stage.settings.data_dir, "Pogoda: Łódź/jutro?", told)
    gateway = stage.gateway()
    for name in ("xlsx", "csv", "json", "md"):
        reply = get(gateway, f"conversations/{chat}/export", format=name)
        assert (reply.status_code, bool(reply.content)) == (200, True)
        assert name_of(reply) == f"Pogoda Łódź jutro.{name}"
        plain = f'attachment; filename="zwrotnica.{name}"'
        assert reply.headers["content-disposition"].startswith(plain)
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["x-content-type-options"] == "nosniff"


async def test_all_conversations_are_one_file(stage: Stage) -> None:
    for title in ("Pierwsza", "Druga"):
        await store(stage.settings.data_dir, title, (said(title),))
    reply = get(stage.gateway(), "export", format="csv")
    assert {row["Tytuł"] for row in read_csv(reply.content)} == {"Pierwsza", "Druga"}
    assert name_of(reply).startswith("Rozmowy 20")


async def test_what_was_chatted_is_exported(stage: Stage) -> None:
    gateway = stage.gateway(router=ScriptedEngine(script=call("rate", '{"currency": "EUR"}')))
    chat = post(gateway, "conversations", b"{}")["id"]
    post(gateway, f"conversations/{chat}/messages", b'{"text": "Ile kosztuje euro?"}')
    export = get(gateway, f"conversations/{chat}/export")
    sheet = openpyxl.load_workbook(io.BytesIO(export.content)).worksheets[0]
    header, *rows = sheet.iter_rows(values_only=True)
    told = [dict(zip(header, row, strict=True)) for row in rows]
    assert [row["Rodzaj"] for row in told] == ["pytanie", "odpowiedź", "wywołanie narzędzia"]
    assert told[1]["Trasa"] == "narzędzie"
    assert told[2]["Argumenty"] == '{"currency": "EUR"}'
    assert isinstance(told[1]["Całość [ms]"], int)


def test_what_was_chatted_is_imported_again(stage: Stage) -> None:
    """Each kind of answer: of a tool with a source, a picture, a question, thoughts, a failure."""
    dot = call("draw", '{"description": "kropka"}')
    euro = call("rate", '{"currency": "EUR"}')
    scripts = iter((dot, euro, call("rate"), DEFAULT, DEFAULT))
    thoughtful: Script = [Delta(reasoning="hm"), "Dobrze."]
    answers = iter((thoughtful, [EngineLost("away", engine="x")]))
    gateway = stage.gateway(
        router=ScriptedEngine(script=lambda _: next(scripts)),
        engine=ScriptedEngine(script=lambda _: next(answers)),
    )
    chat = post(gateway, "conversations", b"{}")["id"]
    for _ in range(5):
        post(gateway, f"conversations/{chat}/messages", '{"text": "Zrób to."}'.encode())
    exported = get(gateway, "export", format="json")
    kinds = {
        part["type"]
        for one in exported.json()["conversations"][0]["messages"]
        for part in one["parts"]
    }
    assert kinds == {
        "text",
        "route",
        "tool_call",
        "tool_result",
        "question",
        "image",
        "attribution",
        "usage",
    }
    counts = post(gateway, "import", exported.content)
    assert counts == {"conversations": 1, "messages": 10, "pictures_left_out": 0}
    first, second = told_messages(get(gateway, "export", format="json"))
    assert first == second


async def test_the_shown_branch_is_marked_in_long_conversations_too(stage: Stage) -> None:
    told = [said("0")]
    for number in range(100):
        told.append(answered("stara", number=number))
        told.append(answered("nowa", number=number, message_id=f"b{number}"))
        told.append(said("dalej", number=number + 1, parent=f"b{number}"))
    chat = await store(stage.settings.data_dir, "Długa", told)
    reply = get(stage.gateway(), f"conversations/{chat}/export", format="csv")
    shown = {(row["Treść"], row["Pokazana"]) for row in read_csv(reply.content)}
    assert shown == {("0", "tak"), ("stara", "nie"), ("nowa", "tak"), ("dalej", "tak")}


def test_an_account_without_conversations_gets_a_file_too(stage: Stage) -> None:
    gateway = stage.gateway()
    assert read_csv(get(gateway, "export", format="csv").content) == []
    assert get(gateway, "export", format="json").json()["conversations"] == []
    assert get(gateway, "export", format="md").content == b""


def test_an_unknown_conversation_is_a_404(stage: Stage) -> None:
    reply = get(stage.gateway(), "conversations/nic/export")
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "not_found")


def test_an_unknown_format_names_the_nearest(stage: Stage) -> None:
    reply = get(stage.gateway(), "export", format="xls")
    assert reply.status_code == 400
    assert "did you mean 'xlsx'?" in reply.json()["error"]["message"]
    assert reply.json()["error"]["param"] == "format"


async def test_head_tells_what_get_would_give(stage: Stage) -> None:
    await store(stage.settings.data_dir, "Rozmowa", (said("a"),))
    gateway = stage.gateway()
    head, reply = ask_head(gateway, "export"), get(gateway, "export")
    own = {"date", "x-request-id", "transfer-encoding"}
    assert (head.status_code, head.content) == (200, b"")
    for name in reply.headers.keys() - own:
        assert head.headers[name] == reply.headers[name]


def break_conversation(folder: Path, chat: str) -> None:
    """Make its messages unreadable, as a broken disk would."""
    with closing(sqlite3.connect(folder / "zwrotnica.sqlite3")) as connection, connection:
        changed = "UPDATE messages SET parts = '[' WHERE conversation_id = ?"
        connection.execute(changed, (chat,))


async def test_a_failure_in_the_middle_breaks_the_transfer(stage: Stage) -> None:
    folder = stage.settings.data_dir
    await store(folder, "Cała", (said("a", number=number) for number in range(150)))
    break_conversation(folder, await store(folder, "Zepsuta", (said("a"),), hour=1))
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        get(stage.gateway(), "export", format="csv")


async def test_a_failure_before_the_first_byte_is_a_status(stage: Stage) -> None:
    chat = await store(stage.settings.data_dir, "Rozmowa", (said("a"),))
    break_conversation(stage.settings.data_dir, chat)
    reply = get(stage.gateway(), f"conversations/{chat}/export", format="csv")
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "storage_unavailable")


async def test_a_reader_that_stops_is_cut(stage: Stage) -> None:
    told = [said("a" * 100_000, number=number) for number in range(50)]
    await store(stage.settings.data_dir, "Duża", told)
    stage.limit(write_s=0.1)
    gateway = stage.gateway()
    async with RawClient(gateway.port) as client:
        await client.send(b"GET /api/export?format=csv HTTP/1.1\r\nhost: a\r\n\r\n")
        assert (await client.read_some(12)) == b"HTTP/1.1 200"
        await wait_for(lambda: not gateway.server.server_state.tasks)
        rest = await client.read_some(10**8)
    assert not rest.endswith(b"\r\n0\r\n\r\n")


async def test_json_of_an_export_is_imported_again(stage: Stage) -> None:
    told = (said("Jaka pogoda?"), answered("21 °C", parts=weather()))
    await store(stage.settings.data_dir, "Pogoda", told)
    gateway = stage.gateway()
    counts = post(gateway, "import", get(gateway, "export", format="json").content)
    assert counts == {"conversations": 1, "messages": 2, "pictures_left_out": 0}
    first, second = told_messages(get(gateway, "export", format="json"))
    assert first == second


def told_messages(reply: requests.Response) -> list[list[dict[str, object]]]:
    """The messages of each conversation in a JSON export."""
    chats = reply.json()["conversations"]
    return [[without_ids(one) for one in chat["messages"]] for chat in chats]


def without_ids(message: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in message.items() if name not in {"id", "parent"}}
