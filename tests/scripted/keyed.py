"""Accounts and keys in the data folder of a gateway that is not started yet, or runs already."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio
from scripted.stored import new_id

from chatbot.ports import Clock
from serving.auth.accounts import Accounts
from serving.auth.authenticator import Authenticator
from serving.auth.keys import Keys, NewKey, Wish
from serving.auth.scopes import ALL, Scopes
from serving.clock import SystemClock
from serving.settings import AuthSettings, Settings
from serving.storage import Keyring, load_keyring
from serving.storage.database import Database, open_database

ACTOR = "test"


@dataclass(frozen=True, kw_only=True, slots=True)
class Keyed:
    """The opened accounts and keys of one data folder."""

    accounts: Accounts
    keys: Keys
    database: Database
    keyring: Keyring
    clock: Clock

    async def key(self, user: str, scopes: Scopes = ALL, **wish: object) -> NewKey:
        """A key of ``user``, who is added where there is none of that name."""
        if user not in {account.name for account in await self.accounts.list()}:
            await self.accounts.add(user, actor=ACTOR)
        account = await self.accounts.find(user)
        wished = Wish(account_id=account.account_id, name="", scopes=scopes)
        return await self.keys.create(replace(wished, **wish), actor=ACTOR)  # type: ignore[arg-type]  # a test's own choice of fields

    def authenticator(self, *, needs_keys: bool = False, **settings: float) -> Authenticator:
        """One of a process that looks at this database."""
        return Authenticator(
            self.database,
            keyring=self.keyring,
            clock=self.clock,
            settings=AuthSettings.model_validate(settings),
            needs_keys=needs_keys,
        )


@asynccontextmanager
async def open_keyed(settings: Settings, *, clock: Clock | None = None) -> AsyncIterator[Keyed]:
    """Open the accounts and keys of these settings."""
    clock = clock or SystemClock()
    keyring = load_keyring(settings, settings.data_dir)
    async with open_database(settings.storage, settings.data_dir) as database:
        yield Keyed(
            accounts=Accounts(database, clock=clock, new_id=new_id),
            keys=Keys(database, keyring=keyring, clock=clock),
            database=database,
            keyring=keyring,
            clock=clock,
        )


def make_keys(settings: Settings, **users: Scopes) -> dict[str, str]:
    """The whole text of a new key for each of ``users``, by name, with these scopes."""

    async def make() -> dict[str, str]:
        async with open_keyed(settings) as keyed:
            return {
                user: (await keyed.key(user, scopes)).text.whole for user, scopes in users.items()
            }

    return anyio.run(make)


def bearing(key: str) -> dict[str, str]:
    """The header that carries ``key``."""
    return {"authorization": f"Bearer {key}"}
