"""A gateway where somebody has something of every kind, and somebody else asks for it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Final

import anyio
import requests
from anyio.from_thread import start_blocking_portal
from pydantic import SecretStr
from scripted.belongings import Rows, files_in, ids_in, rows_of
from scripted.engine_under_test import engine_settings
from scripted.fault_server import FaultServer
from scripted.gateway import Backstage, RunningGateway, running_gateway, wait_until
from scripted.keyed import bearing, make_keys, open_keyed
from scripted.patience import PATIENCE_S
from scripted.persons import NAME, Person, settle_in
from scripted.stored import open_store
from scripted.walls import BODIES, Ask, Json
from sqlalchemy import select

from serving.auth.key_text import KeyText
from serving.auth.scopes import ALL, USUAL, Scope
from serving.auth.signing_in.guesses import Guess
from serving.auth.signing_in.opening import open_sign_ins
from serving.settings import AuthSettings, LimitsSettings, Settings
from serving.settings.oidc import OidcSettings
from serving.storage.sign_in_tables import SIGN_INS
from serving.storage.sqlite import FILE_NAME
from serving.storage.tables import API_KEYS

ROOT_SECRET: Final = "sekret do testów, długi"
SETTING_SECRETS: Final = ("klucz-silnika-0f1e2d3c", "sekret-klienta-4b5a6978", ROOT_SECRET)


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


def twin_of(text: str) -> str:
    """A text of the same form that names nothing: digits stay digits, a to f such letters."""
    return text.translate(str.maketrans("0123456789abcdefgl", "1234567890bcdefalg"))


@contextmanager
def open_town(folder: Path, empty_database: bytes) -> Iterator[Town]:
    """Serve it in ``folder``, on a copy of a database with all tables.

    The gateway ends what Ala's last process left reserved, a moment after it has started: no row of
    hers changes by itself once that is done.
    """
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
                town = Town(
                    gateway=gateway,
                    settings=settings,
                    ala=ala,
                    keys=keys,
                    session=session,
                    secrets=secrets,
                    client=client,
                )
                wait_until(lambda: all("reserved" not in one for one in town.rows()["requests"]))
                yield town


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
