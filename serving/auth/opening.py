"""Opens what tells who asks, with the first key where the operator gives it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio
from pydantic import SecretStr
from sqlalchemy import Connection, inspect

from chatbot.errors import StorageUnavailable
from chatbot.ports import Clock
from serving.auth.accounts import Accounts
from serving.auth.authenticator import Authenticator
from serving.auth.key_text import KeyText
from serving.auth.keys import Keys, Wish, count_keys
from serving.auth.quotas import default_quotas
from serving.auth.scopes import ALL
from serving.auth.signing_in.rows import count_passwords
from serving.settings import Settings, SettingsError, is_loopback
from serving.storage import Keyring
from serving.storage.backends import backend_of, find_url
from serving.storage.database import Database, connect
from serving.storage.sign_in_tables import SIGN_INS
from serving.storage.tables import API_KEYS

ACTOR: Final = "settings"
"""Who makes the first key, as the log of changes tells it."""


@asynccontextmanager
async def open_authenticator(
    settings: Settings,
    database: Database,
    *,
    keyring: Keyring,
    clock: Clock,
    accounts: Accounts,
) -> AsyncIterator[Authenticator]:
    """The authenticator of a server with these settings, kept up to date meanwhile.

    Raises:
        SettingsError: ``auth.bootstrap_key`` is no key.
        StorageUnavailable: the database cannot be used.
    """
    if settings.auth.bootstrap_key is not None:
        keys = Keys(database, keyring=keyring, clock=clock)
        await _make_first_key(settings.auth.bootstrap_key, keys, accounts)
    authenticator = Authenticator(
        database,
        keyring=keyring,
        clock=clock,
        settings=settings.auth,
        quotas=default_quotas(settings.quotas),
        needs_keys=settings.auth.required
        or settings.auth.oidc.issuer is not None
        or not is_loopback(settings.host),
    )
    await authenticator.refresh()
    async with anyio.create_task_group() as group:
        group.start_soon(authenticator.watch)
        yield authenticator
        group.cancel_scope.cancel()
    try:
        await authenticator.save_uses()
    except StorageUnavailable:
        return  # who used a key in the last minute is not worth a failed end


def read_bootstrap_key(secret: SecretStr) -> KeyText:
    """The key in ``auth.bootstrap_key``.

    Raises:
        SettingsError: it has not the form of a key.
    """
    text = KeyText.read(secret.get_secret_value())
    if text is None:
        raise SettingsError(
            "auth.bootstrap_key must be zw_, 16 hexadecimal digits, _ and 40 to 64 more: "
            'echo "zw_$(openssl rand -hex 8)_$(openssl rand -hex 24)"'
        )
    return text


async def has_keys(settings: Settings) -> bool:
    """Whether anything lets people in: a key, a password, a provider; nothing is changed.

    Raises:
        SettingsError: ``auth.bootstrap_key`` is no key.
        StorageUnavailable: the database cannot be read.
    """
    if settings.auth.bootstrap_key is not None:
        read_bootstrap_key(settings.auth.bootstrap_key)
        return True
    if settings.auth.oidc.issuer is not None:
        return True
    url = find_url(settings.storage, settings.data_dir.expanduser().absolute())
    if not backend_of(url).has_database(url):
        return False
    async with connect(url, settings.storage) as database:
        return await database.read(_has_keys)


def _has_keys(connection: Connection) -> bool:
    counts = {API_KEYS.name: count_keys, SIGN_INS.name: count_passwords}
    tables = counts.keys() & inspect(connection).get_table_names()
    return any(counts[name](connection) for name in tables)


async def _make_first_key(secret: SecretStr, keys: Keys, accounts: Accounts) -> None:
    text = read_bootstrap_key(secret)
    if await keys.count():
        return
    local = await accounts.find_or_add_local(actor=ACTOR)
    wish = Wish(account_id=local.account_id, name="bootstrap", scopes=ALL, text=text)
    await keys.create_first(wish, actor=ACTOR)
