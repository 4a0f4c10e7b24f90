"""`GET /api/me/data`: everything that is kept of a person, and nothing of another."""

import csv
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import requests
from anyio import CapacityLimiter
from scripted.gateway import Backstage, call, running_gateway
from scripted.keyed import bearing, make_keys
from scripted.patience import PATIENCE_S
from scripted.persons import NAME, WORDS, Person, accounts_of, keys_of, settle_in
from scripted.stored import START, Store, open_store

from chatbot.testing import ScriptedEngine
from serving.auth.scopes import USUAL, Scope
from serving.gateway.personal import holdings as module
from serving.gateway.personal.archive import Archive, Chunk
from serving.gateway.personal.holdings import GUIDE, Holdings
from serving.settings import Settings
from serving.storage import Keyring
from serving.storage.secret import RootSecret
from serving.storage.sqlite import FILE_NAME

OTHER = "Zdanie-Oli"


@pytest.fixture
async def store(any_folder: Path) -> AsyncIterator[Store]:
    async with open_store(any_folder) as opened:
        yield opened


def holdings_of(store: Store) -> Holdings:
    return Holdings(
        store.database,
        conversations=store.conversations,
        keys=keys_of(store),
        images=store.images,
        keyring=Keyring([RootSecret.from_text("sekret do testów, długi")]),
        lane=CapacityLimiter(1),
        now=store.clock.now(),
    )


async def export(store: Store, account_id: str) -> ZipFile:
    archive = Archive(made_at=store.clock.now())
    written = bytearray()
    async for chunks in holdings_of(store).chunks(account_id):
        written += archive.add(chunks)
    written += b"".join(archive.finish())
    opened = ZipFile(io.BytesIO(written))
    assert opened.testzip() is None
    return opened


def table(archive: ZipFile, name: str) -> list[dict[str, str]]:
    text = archive.read(name).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))


def loaded(archive: ZipFile, name: str) -> Any:  # noqa: ANN401 (JSON)
    return json.loads(archive.read(name))


async def both(store: Store) -> tuple[Person, ZipFile]:
    """What is exported of Ala where Ola has as much."""
    await settle_in(store, "ola")
    person = await settle_in(store)
    return person, await export(store, person.account_id)


async def test_everything_of_a_person_is_there(store: Store) -> None:
    person, archive = await both(store)
    assert loaded(archive, "konto.json")["name"] == NAME
    (identity,) = loaded(archive, "konto.json")["identities"]
    assert identity["subject"] == WORDS
    assert [key["id"] for key in loaded(archive, "klucze.json")] == [person.key_id]
    actions = {entry["action"] for entry in loaded(archive, "dziennik.json")}
    assert {"user_added", "member_added", "key_created"} <= actions
    (conversation,) = loaded(archive, "rozmowy/rozmowy-1.json")["conversations"]
    assert [part["text"] for one in conversation["messages"] for part in one["parts"][:1]] == [
        WORDS,
        f"{WORDS}: odpowiedź",
        WORDS,
        WORDS,
    ]
    assert WORDS in archive.read("rozmowy-do-czytania/rozmowy-1.md").decode()
    assert [row["komentarz"] for row in table(archive, "oceny.csv")] == [WORDS]
    picture = archive.read(f"obrazy/{person.picture}.png")
    assert picture.startswith(b"\x89PNG")
    assert WORDS.encode() in archive.read(f"obrazy/{person.drawn}.png")
    assert sum(name.startswith("obrazy/") for name in archive.namelist()) == 2
    assert WORDS in archive.read("wywolania.jsonl").decode()
    (reply,) = [name for name in archive.namelist() if name.startswith("zachowane-")]
    assert archive.read(reply) == WORDS.encode()
    usage = table(archive, "zuzycie.csv")
    assert {row["stan"]: row["tokeny wejścia"] for row in usage} == {"settled": "1", "reserved": ""}


async def test_nothing_of_another_person_is_there(store: Store) -> None:
    other = await settle_in(store, "ola")
    person = await settle_in(store)
    archive = await export(store, person.account_id)
    for name in archive.namelist():
        content = archive.read(name).decode("latin-1")
        for trace in (other.account_id, other.key_id, '"ola"'):
            assert trace not in content, name


async def test_the_guide_names_each_file(store: Store) -> None:
    _, archive = await both(store)
    guide = archive.read(GUIDE).decode()
    assert archive.namelist()[0] == GUIDE
    for name in archive.namelist():
        top = name.partition("/")[0]
        assert top in guide, name


async def test_no_secret_is_exported(store: Store) -> None:
    _, archive = await both(store)
    for secret in (b"digest", b"argon2"):
        assert not [name for name in archive.namelist() if secret in archive.read(name)]


async def test_conversations_are_cut_into_files_that_an_import_takes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PART_BYTES", 100)
    owner = (await accounts_of(store).add("ala", actor="test")).account_id
    for number in range(4):
        await store.converse(f"pytanie {number}", "odpowiedź", owner=owner)
    archive = await export(store, owner)
    parts = [name for name in archive.namelist() if name.startswith("rozmowy/")]
    assert len(parts) > 1
    titles = [
        message["parts"][0]["text"]
        for name in parts
        for one in loaded(archive, name)["conversations"]
        for message in one["messages"][:1]
    ]
    assert sorted(titles) == [f"pytanie {number}" for number in range(4)]


async def test_pages_neither_lose_nor_double_rows(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = await settle_in(store)
    monkeypatch.setattr("serving.auth.holdings.PAGE", 1)
    monkeypatch.setattr("serving.auth.holdings._FEW", 1)
    archive = await export(store, person.account_id)
    usage = table(archive, "zuzycie.csv")
    assert sorted(row["stan"] for row in usage) == ["reserved", "settled"]
    assert len(archive.namelist()) == len(set(archive.namelist()))


async def test_an_account_without_anything_has_an_archive(store: Store) -> None:
    archive = await export(store, "local")
    described: dict[str, object] = {
        "account": "local",
        "sign_in_changed_at": None,
        "identities": [],
    }
    assert loaded(archive, "konto.json") == described
    assert loaded(archive, "rozmowy/rozmowy-1.json")["conversations"] == []


def test_what_is_written_is_handed_on_at_once() -> None:
    archive = Archive(made_at=START)
    content = bytes(range(256)) * 4096
    sent = [len(archive.add([Chunk(file="obraz.png", content=content)])) for _ in range(8)]
    assert min(sent) >= len(content)
    assert max(sent) < len(content) + 1024
    assert len(b"".join(archive.finish())) < 1024


def test_the_route_sends_a_whole_archive(tmp_path: Path, empty_database: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    settings = Settings(data_dir=tmp_path)
    keys = make_keys(settings, ala=USUAL, maszyna=frozenset({Scope.ENGINES}))
    draws = ScriptedEngine(script=call("draw", '{"description": "kot"}'))
    with running_gateway(settings, Backstage(router=draws)) as gateway:

        def ask(user: str, method: str, path: str, body: object = None) -> requests.Response:
            url, headers = gateway.url + path, bearing(keys[user])
            return requests.request(method, url, json=body, headers=headers, timeout=PATIENCE_S)

        made = ask("ala", "POST", "/api/conversations", {}).json()["id"]
        ask("ala", "POST", f"/api/conversations/{made}/messages", {"text": "Narysuj kota"})
        reply = ask("ala", "GET", "/api/me/data")
        assert ask("maszyna", "GET", "/api/me/data").status_code == 403
    archive = ZipFile(io.BytesIO(reply.content))
    assert archive.testzip() is None
    assert reply.headers["content-type"] == "application/zip"
    assert "moje%20dane" in reply.headers["content-disposition"]
    assert reply.headers["cache-control"] == "no-store"
    assert [name for name in archive.namelist() if name.startswith("obrazy/")]
    assert loaded(archive, "konto.json")["name"] == "ala"
