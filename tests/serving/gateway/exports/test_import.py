"""Imports: what an export says comes in again, guarded; what it does not say stays out."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from scripted.exported import IMAGE_ID, answered, entries, said, weather, write
from scripted.gateway import RunningGateway
from scripted.hostile_text import IMAGES
from scripted.hostile_turns import leaks
from scripted.stage import Stage, open_stage

from serving.gateway.exports.seals import PictureSeal
from serving.storage import load_keyring

Document = dict[str, Any]  # Any: JSON
GUARDED = frozenset({"text", "summary", "title", "alt", "error", "licence"})


@pytest.fixture
def document(stage: Stage) -> Document:
    """An export of one exchange, as another server made it."""
    told = entries(said("Jaka pogoda?"), answered("21 °C", parts=weather()))
    exported: Document = json.loads(write("json", told, stage.settings.data_dir))
    return exported


def send(gateway: RunningGateway, content: object) -> requests.Response:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return requests.post(f"{gateway.url}/api/import", data=body, timeout=20)


def stored(gateway: RunningGateway) -> list[Document]:
    """Every conversation with its messages, by the Chat API."""
    url = f"{gateway.url}/api/conversations"
    listed = requests.get(url, timeout=10).json()["conversations"]
    return [requests.get(f"{url}/{one['id']}", timeout=10).json() for one in listed]


def message(document: Document, number: int) -> Document:
    told: Document = document["conversations"][0]["messages"][number]
    return told


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningGateway]:
    """One gateway for all that it must refuse."""
    with open_stage(tmp_path_factory.mktemp("import")) as stage:
        yield stage.gateway()


def refused(gateway: RunningGateway, content: object) -> str:
    """The words of the refusal; nothing may have been added."""
    reply = send(gateway, content)
    assert reply.status_code in {400, 413}
    assert stored(gateway) == []
    return str(reply.json()["error"]["message"])


def test_a_conversation_comes_in_with_its_times_branch_and_parameters(
    stage: Stage, document: Document
) -> None:
    chat = document["conversations"][0]
    chat["current"] = "a0"
    gateway = stage.gateway()
    assert send(gateway, document).json() == {
        "conversations": 1,
        "messages": 2,
        "pictures_left_out": 1,
    }
    (told,) = stored(gateway)
    question, answer = told["messages"]
    assert (told["title"], told["parameters"]) == ("Pogoda w Łodzi", {"temperature": 0.5})
    assert told["created_at"] == chat["created_at"]
    assert told["current"] == answer["id"] != "a0"
    assert answer["parent"] == question["id"]
    assert [part["type"] for part in answer["parts"]] == [
        "route",
        "tool_call",
        "tool_result",
        "attribution",
        "usage",
        "text",
    ]


def test_a_picture_needs_the_seal_of_this_account(stage: Stage, document: Document) -> None:
    gateway = stage.gateway()
    keyring = load_keyring(stage.settings, stage.settings.data_dir)
    (picture,) = (part for part in message(document, 1)["parts"] if part["type"] == "image")
    counts = []
    for owner in ("obcy", "local"):
        picture["seal"] = PictureSeal(keyring, owner=owner).sign(IMAGE_ID)
        counts.append(send(gateway, document).json()["pictures_left_out"])
    assert counts == [1, 0]


def test_what_it_brings_is_guarded(stage: Stage, document: Document) -> None:
    text = "\n\n".join(one for one in tuple(IMAGES.values())[::9] if "\0" not in one)[:3900]
    for part in message(document, 1)["parts"]:
        for field in part.keys() & GUARDED:
            part[field] = text
        if "arguments" in part:
            part["arguments"] = {text[:40]: [text]}
    gateway = stage.gateway()
    assert send(gateway, document).status_code == 200
    (told,) = stored(gateway)
    parts = told["messages"][1]["parts"]
    assert {part["type"] for part in parts if "leak.example" in json.dumps(part)} == {
        "tool_call",
        "tool_result",
        "attribution",
        "text",
    }
    assert [one for one in texts_of(parts) if leaks(one)] == []


def texts_of(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for pair in value.items() for one in pair for text in texts_of(one)]
        case list():
            return [text for one in value for text in texts_of(one)]
        case _:
            return []


def test_a_link_to_a_host_that_nobody_named_is_plain_text(stage: Stage, document: Document) -> None:
    message(document, 1)["parts"][-1]["text"] = (
        "[a](https://zly.example) i https://open-meteo.example"
    )
    gateway = stage.gateway()
    send(gateway, document)
    assert stored(gateway)[0]["messages"][1]["parts"][-1]["text"] == (
        "[a] (https:/ /zly.example) i https://open-meteo.example"
    )


def test_a_users_words_stay_as_they_were(stage: Stage, document: Document) -> None:
    text = "<b>![x](https://a.example)</b> ⟦a⟧ ```"
    message(document, 0)["parts"][0]["text"] = text
    gateway = stage.gateway()
    send(gateway, document)
    kept = stored(gateway)[0]["messages"][0]["parts"][0]["text"]
    assert kept == text.replace("⟦", "[[").replace("⟧", "]]")


def test_tools_that_are_not_here_are_left_out(stage: Stage, document: Document) -> None:
    document["conversations"][0]["parameters"] = {"tools": ["rate", "nie_ma"], "max_tokens": 10**6}
    gateway = stage.gateway()
    send(gateway, document)
    most = stage.settings.limits.max_tokens
    assert stored(gateway)[0]["parameters"] == {"tools": ["rate"], "max_tokens": most}


def test_all_or_nothing(refusing: RunningGateway, document: Document) -> None:
    broken = copy.deepcopy(document["conversations"][0])
    broken["messages"][1]["parent"] = "nikt"
    document["conversations"].append(broken)
    assert "answers" in refused(refusing, document)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "inny"}, "format must be 'zwrotnica.conversations'"),
        ({"version": 2}, "version 2 cannot be read"),
        ({"conversation": []}, "'conversation' is not supported"),
        ({"conversations": {}}, "is not an export of conversations, at byte"),
        ({"conversations": [1]}, "is not an export of conversations, at byte"),
        ({"conversations": [{"messages": [1]}]}, "conversations.0"),
    ],
)
def test_another_document_is_refused(
    refusing: RunningGateway, document: Document, change: Document, says: str
) -> None:
    assert says in refused(refusing, document | change)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"role": "system"}, "conversations.0.messages.1: role"),
        ({"parts": [{"type": "video"}]}, "conversations.0.messages.1: parts.0"),
        ({"created_at": "wczoraj"}, "conversations.0.messages.1: created_at"),
        ({"created_at": "2026-13-01T20:15:00Z"}, "time of ISO 8601 is needed, as in"),
        ({"created_at": "2026-11-21T20:15:00"}, "needs its zone"),
        ({"created_at": "0001-01-01T00:00:00+14:00"}, "between the years 1 and 9999"),
        ({"force": "n" * 65}, "force"),
        ({"first_text_ms": 2**40}, "first_text_ms"),
        ({"id": "../a"}, "id"),
        ({"autor": "ja"}, "'autor' is not supported"),
    ],
)
def test_a_field_at_fault_is_named_with_its_place(
    refusing: RunningGateway, document: Document, fields: Document, says: str
) -> None:
    message(document, 1).update(fields)
    assert says in refused(refusing, document)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"conversations": [',
        b'{"conversations": [{"messages": [{"a": "',
        b'{"conversations": [{}{}]}',
        b'{"conversations": []} x',
        b"\xef\xbb\xbf{}",
        b"\xff\xfe",
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"conversations": [{"messages": [' + b"{}," * 200_000 + b"{}]}]}",
        b'{"conversations": [' + b"[" * 100_000,
    ],
)
def test_no_document_is_a_400_and_never_a_500(refusing: RunningGateway, body: bytes) -> None:
    assert refused(refusing, body)


def test_bounds_are_settings(stage: Stage, document: Document) -> None:
    bounds = {"import_bytes": 5000, "messages": 1}
    chat = stage.settings.chat.model_copy(update=bounds)
    stage.settings = stage.settings.model_copy(update={"chat": chat})
    gateway = stage.gateway()
    assert "more than 1 messages" in refused(gateway, document)
    message(document, 0)["parts"][0]["text"] = "a" * 5000
    assert "5000 bytes" in refused(gateway, document)
