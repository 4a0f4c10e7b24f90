"""One account reaches nothing of another: every route, every place in it, every kind of id."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Final

import anyio
import pytest
import requests
from anyio.from_thread import start_blocking_portal
from pydantic import SecretStr
from scripted.belongings import SHARED, Rows, files_in, ids_in, rows_of
from scripted.engine_under_test import engine_settings
from scripted.fault_server import FaultServer
from scripted.gateway import Backstage, RunningGateway, running_gateway
from scripted.keyed import bearing, make_keys, open_keyed
from scripted.patience import PATIENCE_S
from scripted.persons import NAME, WORDS, Person, settle_in
from scripted.stored import open_store
from scripted.walls import (
    BODIES,
    WALLS,
    Ask,
    Json,
    Place,
    Wall,
    name_of,
    parts_of,
    places,
    routes_of,
)
from sqlalchemy import select

from serving.app import create_app
from serving.auth.key_text import KeyText
from serving.auth.scopes import ALL, USUAL, Scope
from serving.auth.signing_in.guesses import Guess
from serving.auth.signing_in.opening import open_sign_ins
from serving.gateway.authorization import ANY_KEY, PUBLIC
from serving.gateway.route_table import HOME, ROUTES
from serving.settings import AuthSettings, LimitsSettings, Settings
from serving.settings.oidc import OidcSettings
from serving.storage.sign_in_tables import SIGN_INS
from serving.storage.sqlite import FILE_NAME
from serving.storage.tables import API_KEYS, METADATA

ROOT_SECRET: Final = "sekret do testów, długi"
SETTING_SECRETS: Final = ("klucz-silnika-0f1e2d3c", "sekret-klienta-4b5a6978", ROOT_SECRET)
OF_CONVERSATIONS: Final = {
    "conversation_id": "conversations.conversation_id",
    "message_id": "messages.message_id",
}
CONVERSATION_ROUTES: Final = [name for name in WALLS if "{conversation_id}" in name]
UNKNOWN: Final = "0123456789abcdef-nikogo"
FEW: Final = 2
REFUSED: Final = 400
HINT: Final = re.compile(r"; e\.g\. \w+")
"""The nearest word to what was sent, of a list that everybody knows."""
OWN_HEADERS: Final = frozenset({"content-length", "date"})
"""Headers that differ where the body differs, or the time."""
STATUSES: Final = {Wall.HIDDEN: {404}, Wall.CLOSED: {403}}


@dataclass(frozen=True, kw_only=True)
class Town:
    """A gateway where Ala has something of every kind, and Ola asks."""

    gateway: RunningGateway
    settings: Settings
    ala: Person
    keys: Mapping[str, str]
    session: str
    secrets: Sequence[str]
    client: requests.Session

    def send(self, ask: Ask, *, key: str | None = "ola") -> requests.Response:
        """Ask as the owner of ``key``; forms come from Ola's own browser."""
        headers = {**ask.headers, **(bearing(self.keys[key]) if key else {})}
        if ask.form is not None:
            cookie = f"zwrotnica={self.session}"
            headers = {**ask.headers, "origin": self.gateway.url, "cookie": cookie}
        return self.client.request(
            ask.method,
            self.gateway.url + ask.path,
            params=dict(ask.query),
            headers=headers,
            json=ask.body,
            data=ask.form,
            allow_redirects=False,
            timeout=PATIENCE_S,
        )

    def rows(self) -> Rows:
        """All that is kept of Ala in the database."""

        async def read() -> Rows:
            async with open_keyed(self.settings) as keyed:
                return await keyed.database.read(
                    lambda connection: rows_of(connection, self.ala.account_id)
                )

        return anyio.run(read)

    def belongings(self) -> frozenset[tuple[str, str]]:
        """All that is kept of Ala, row by row, and every picture."""
        rows = {(name, repr(row)) for name, found in self.rows().items() for row in found}
        files = files_in(self.settings.data_dir / "images")
        return frozenset(rows | {(name, repr(content)) for name, content in files.items()})

    @cached_property
    def ids(self) -> dict[str, str]:
        """An id of each kind that Ala has."""
        return {**ids_in(self.rows()), "link": f"{self.ala.picture}.9999999999.{'a' * 26}"}

    @cached_property
    def own(self) -> dict[str, str]:
        """Ola's own objects, by the names of the parts of paths."""
        conversation = self.send(Ask(method="POST", path="/api/conversations", body={})).json()
        path = f"/api/conversations/{conversation['id']}"
        reply = self.send(Ask(method="POST", path=f"{path}/messages", body={"text": "Cześć"}))
        text = KeyText.read(self.keys["ola"])
        assert text is not None
        return {
            "conversation_id": conversation["id"],
            "message_id": reply.headers["x-message-id"],
            "key_id": text.key_id,
            "user_name": "ola",
            "group_name": "nie-ma",
            "model_id": "zwrotnica",
            "link": "x",
        }

    @cached_property
    def bodies(self) -> dict[str, Json]:
        """A body for each schema; that of an import is Ola's own export."""
        path = "/api/export"
        exported = self.send(Ask(method="GET", path=path, query={"format": "json"})).json()
        return {**BODIES, "ExportedDocument": exported}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, empty_database: bytes) -> Iterator[Town]:
    folder: Path = tmp_path_factory.mktemp("town")
    (folder / FILE_NAME).write_bytes(empty_database)
    with start_blocking_portal() as portal:
        server = FaultServer()
        with portal.wrap_async_context_manager(server):
            settings = settings_for(folder, server.url)
            ala = anyio.run(settle, folder)
            keys = make_keys(
                settings,
                **{NAME: USUAL, "ola": USUAL, "szef": ALL, "figury": frozenset({Scope.ADMIN})},
            )
            session, hashes = anyio.run(open_session, settings)
            secrets = [secret_of(key) for key in keys.values()]
            secrets += [session, *hashes, *SETTING_SECRETS]
            with running_gateway(settings, Backstage()) as gateway, requests.Session() as client:
                yield Town(
                    gateway=gateway,
                    settings=settings,
                    ala=ala,
                    keys=keys,
                    session=session,
                    secrets=secrets,
                    client=client,
                )


def settings_for(folder: Path, engine: str) -> Settings:
    url = "https://id.example"
    bielik = engine_settings(engine, model="fault=none")
    return Settings(
        data_dir=folder,
        secret=SecretStr(ROOT_SECRET),
        engines={
            "bielik": bielik.model_copy(update={"api_key": SecretStr(SETTING_SECRETS[0])}),
        },
        limits=LimitsSettings(heartbeat_s=0.2, drain_s=0.5),
        auth=AuthSettings(
            password_mib=1,
            guesses=100_000,
            keys=100_000,
            oidc=OidcSettings(
                issuer=url, client_id="czat", client_secret=SecretStr(SETTING_SECRETS[1])
            ),
        ),
    )


async def settle(folder: Path) -> Person:
    async with open_store(folder) as store:
        store.clock.time = datetime.now(UTC)
        return await settle_in(store)


async def open_session(settings: Settings) -> tuple[str, list[str]]:
    """A session of Ola's, and what is stored of everybody's keys and passwords."""
    async with open_keyed(settings) as keyed:
        made = open_sign_ins(
            settings.auth, keyed.database, keyed.keyring, keyed.clock, new_id=lambda: "ola-1"
        )
        ola = await keyed.accounts.find("ola")
        await made.new_passwords.set(ola, "hasło Oli, długie", actor="test")
        guess = Guess(name="ola", address="192.0.2.2")
        session = await made.sign_ins.sign_in(guess, "hasło Oli, długie")
        read = keyed.database.read
        digests = await read(lambda asked: asked.execute(select(API_KEYS.c.digest)).scalars().all())
        hashes = await read(
            lambda asked: asked.execute(select(SIGN_INS.c.password)).scalars().all()
        )
        return session.text, [*digests, *hashes]


def secret_of(key: str) -> str:
    text = KeyText.read(key)
    assert text is not None
    return text.secret


def told(reply: requests.Response, sent: str) -> str:
    """All that a client sees but for what it sent itself and the request's own id."""
    headers = "\n".join(
        f"{name}: {value}"
        for name, value in sorted(reply.headers.items())
        if name.lower() not in OWN_HEADERS
    )
    text = f"{headers}\n{reply.text}".replace(reply.headers["x-request-id"], "")
    return HINT.sub("", text.replace(sent, "•"))


def test_every_route_is_written_down(tmp_path: Path) -> None:
    found = routes_of(create_app(Settings(data_dir=tmp_path)))
    assert sorted(found - WALLS.keys()) == [], "say in scripted/walls.py what these may reach"
    assert sorted(WALLS.keys() - found) == [], "scripted/walls.py names routes that are gone"
    hidden = [route for route in (*ROUTES, HOME) if WALLS[name_of(route)] is Wall.HIDDEN]
    assert all(parts_of(route) for route in hidden)
    closed = {name_of(one) for one in ROUTES if one.scopes == frozenset({Scope.ADMIN})}
    assert closed == {name for name, wall in WALLS.items() if wall is Wall.CLOSED}


def test_ala_has_something_of_every_kind(town: Town) -> None:
    empty = [name for name, rows in town.rows().items() if not rows]
    assert empty == [], "scripted/persons.py leaves no row in these tables"
    assert {table.name for table in METADATA.sorted_tables} >= SHARED
    assert len(town.ids) >= 15


def test_no_id_of_anothers_opens_tells_or_changes_anything(
    town: Town, caplog: pytest.LogCaptureFixture
) -> None:
    """In queries, bodies and forms, where there are most places, each takes a few in turn."""
    walk(town, caplog, few=FEW)


@pytest.mark.parts
@pytest.mark.timeout(120)
def test_no_id_of_any_kind_does_in_any_place(town: Town, caplog: pytest.LogCaptureFixture) -> None:
    walk(town, caplog, few=len(town.ids))


def test_without_a_fitting_key_ids_that_exist_are_answered_as_others(town: Town) -> None:
    wrong: list[str] = []
    for place in places():
        if place.kind != "path" or place.route.scopes == PUBLIC:
            continue
        lacking = "ola" if place.route.scopes == frozenset({Scope.ADMIN}) else "figury"
        is_any = place.route.scopes == ANY_KEY
        for key, status in ((None, 401), *(() if is_any else ((lacking, 403),))):
            nobodys = town.send(place.ask(UNKNOWN, own=town.own, bodies=town.bodies), key=key)
            for value in town.ids.values():
                reply = town.send(place.ask(value, own=town.own, bodies=town.bodies), key=key)
                is_right = reply.status_code == status and told(reply, value) == told(
                    nobodys, UNKNOWN
                )
                wrong += [] if is_right else [f"{place} {value!r}: {reply.status_code}"]
    assert wrong == []


def test_an_administrator_reads_nobodys_conversations(town: Town) -> None:
    before = town.belongings()
    found = [
        one for one in places() if one.kind == "path" and "{conversation_id}" in one.route.path
    ]
    assert len(found) >= len(CONVERSATION_ROUTES)
    for place in found:
        own = {**town.own, **{name: town.ids[kind] for name, kind in OF_CONVERSATIONS.items()}}
        asked = place.ask(own[str(place.steps[0])], own=own, bodies=town.bodies)
        assert town.send(asked, key="szef").status_code == 404, str(place)
    assert sorted(before ^ town.belongings()) == []


def walk(town: Town, caplog: pytest.LogCaptureFixture, *, few: int) -> None:
    """Ask with Ala's ids as Ola, in every place; ``few`` kinds where there are many places."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, logger="urllib3")  # the asking side's own words
    own, bodies = town.own, town.bodies
    before = town.belongings()
    wrong: list[str] = []
    heard: list[str] = []
    for number, place in enumerate(places()):
        unknown = town.send(place.ask(UNKNOWN, own=own, bodies=bodies))
        for kind, value in choose(town.ids, place, number, few):
            reply = town.send(place.ask(value, own=own, bodies=bodies))
            heard.append(f"{reply.headers}{reply.text}")
            faults = faults_of(place, reply, unknown, (value, UNKNOWN))
            if faults:  # the form of the text may be what is told apart
                twin = twin_of(value)
                twins = town.send(place.ask(twin, own=own, bodies=bodies))
                faults = faults_of(place, reply, twins, (value, twin))
            wrong += [f"{place}, {kind} = {value!r}: {fault}" for fault in faults]
    assert not wrong, "\n".join(wrong[:40])
    after = town.belongings()
    assert sorted(before - after) == []
    assert [new for new in after - before if "'sign_in_failed'" not in new[1]] == []
    leaks = [text for text in (*heard, *log_of(caplog)) if any(s in text for s in town.secrets)]
    assert leaks == []


def choose(ids: Mapping[str, str], place: Place, number: int, few: int) -> list[tuple[str, str]]:
    """The kinds of ids for a place.

    In what is written there are none of Ala's words, which in a reply tell that it is hers.
    """
    if place.kind in {"path", "header"}:
        return list(ids.items())
    is_kept = place.kind in {"body", "form"}
    kinds = [(kind, value) for kind, value in ids.items() if not (is_kept and WORDS in value)]
    start = number * few % len(kinds)
    return (kinds + kinds)[start : start + min(few, len(kinds))]


def faults_of(
    place: Place, reply: requests.Response, nobodys: requests.Response, sent: tuple[str, str]
) -> list[str]:
    """What is wrong with the reply to another's id, beside that to an id of nothing."""
    faults: list[str] = []
    status, expected = reply.status_code, STATUSES.get(WALLS[name_of(place.route)], set())
    text, other = told(reply, sent[0]), told(nobodys, sent[1])
    if place.kind == "path" and status not in expected:
        faults.append(f"{status} in place of {expected}")
    if status != nobodys.status_code:
        faults.append(f"{status}, but {nobodys.status_code} for what does not exist")
    elif status >= REFUSED and text != other:
        faults.append(f"{text!r} differs from {other!r}")
    if WORDS in text or NAME in text:
        faults.append(f"it tells of Ala: {text!r}")
    return faults


def twin_of(text: str) -> str:
    """A text of the same form that names nothing: digits stay digits, a to f such letters."""
    return text.translate(str.maketrans("0123456789abcdefgl", "1234567890bcdefalg"))


def log_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [caplog.text, *(repr((record.__dict__, record.args)) for record in caplog.records)]
