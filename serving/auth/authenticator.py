"""Finds out who a request comes from, by its key."""

import hmac
import logging
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final

import anyio
from sqlalchemy import Connection, select, update
from sqlalchemy.exc import SQLAlchemyError

from chatbot.errors import ErrorCode, StorageUnavailable
from chatbot.ports import Clock
from serving.auth.access import limits_of
from serving.auth.caller import EVERYONE, Caller
from serving.auth.changes import read_revision
from serving.auth.credentials import read_credential
from serving.auth.key_text import KeyText
from serving.auth.keys import count_keys
from serving.auth.quotas import NO_QUOTAS, Quotas
from serving.auth.records import Account, ApiKey, Limits
from serving.auth.rows import read_accounts, read_key
from serving.auth.scopes import Scope, Scopes
from serving.auth.signing_in.rows import count_passwords, entrance_of, spent_by
from serving.auth.signing_in.tokens import PREFIX, Session, read_cookie
from serving.auth.single_flight import SingleFlight
from serving.http.errors import Refusal
from serving.settings import AuthSettings
from serving.storage import Keyring
from serving.storage.database import Database
from serving.storage.tables import ACCOUNTS, API_KEYS

_log = logging.getLogger(__name__)
_MARK_BYTES: Final = 32

MOST_KNOWN: Final = 20_000
"""Keys, and accounts with sessions, that a process keeps in memory; one more empties it."""
SESSION_SCOPES: Final[Scopes] = frozenset({Scope.CHAT, Scope.IMAGES})
"""What a session on the web opens; that of an administrator also has `admin`."""


@dataclass(kw_only=True, slots=True)
class _Known:
    """A key that was looked up: what its secret must give, and whom it then stands for.

    ``mark`` is of the last text that was right, by a key of this process.
    """

    kid: str
    digest: str
    caller: Caller
    ends_at: datetime | None
    mark: bytes = b""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Present:
    """An account whose sessions count where they are of this epoch and not spent."""

    epoch: int
    spent: frozenset[str]
    caller: Caller


class Authenticator:
    """Knows who asks, from memory where it can; `watch` sees that memory is never long out of date.

    Each change of accounts or keys, by whichever process, counts up one number in the database.
    `watch` looks at it each ``auth.poll_s`` seconds and forgets all keys when it has moved.
    """

    def __init__(
        self,
        database: Database,
        *,
        keyring: Keyring,
        clock: Clock,
        settings: AuthSettings,
        needs_keys: bool,
        quotas: Quotas = NO_QUOTAS,
    ) -> None:
        """``needs_keys``: also a server that never had a key lets nobody in without one.

        ``quotas`` are those of users who have no others.
        """
        self._quotas = quotas
        self._everyone = EVERYONE if quotas is NO_QUOTAS else _limited(quotas)
        self._database = database
        self._keyring = keyring
        self._clock = clock
        self._settings = settings
        self._needs_keys = needs_keys
        self._revision = -1
        self._has_keys = True
        self._looked_at = float("-inf")
        self._known: dict[str, _Known] = {}
        self._present: dict[str, _Present] = {}
        self._key_look_ups = SingleFlight(self._look_up)
        self._account_look_ups = SingleFlight(self._look_for)
        self._used: set[str] = set()
        self._mark_key = secrets.token_bytes(_MARK_BYTES)

    @property
    def revision(self) -> int:
        """The number of the last change of accounts and keys that was seen."""
        return self._revision

    @property
    def is_open(self) -> bool:
        """Whether everyone is let in as `EVERYONE`: there has never been a key or a password."""
        return not (self._has_keys or self._needs_keys)

    async def identify(self, headers: Iterable[tuple[bytes, bytes]], *, is_https: bool) -> Caller:
        """Whoever sends a request with these ``headers`` (of its ASGI scope).

        ``is_https``: the browser came by https, where fewer cookies count (see `read_cookie`).

        Raises:
            Refusal: a key is needed, and there is none that counts (``invalid_api_key``).
            InvalidRequest: there are two different ones.
            StorageUnavailable: the key has to be looked up, and the database cannot be read.
        """
        headers = tuple(headers)
        credential = read_credential(headers)
        if self.is_open:
            return self._everyone
        cookie = None if credential else read_cookie(headers, is_https=is_https)
        if cookie is not None or (credential or "").startswith(PREFIX):
            caller = await self._find_present(cookie or credential or "")
            return replace(caller, by_cookie=cookie is not None)
        text = KeyText.read(credential or "")
        if text is None:
            raise _refuse(is_missing=not credential)
        known = self._recall(text.key_id) or await self._key_look_ups.get(text.key_id)
        if known is None or not self._fits(text, known):
            raise _refuse(is_missing=False)
        self._used.add(text.key_id)
        return known.caller

    async def refresh(self) -> None:
        """See whether anything has changed.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        asked_at = self._clock.monotonic()
        revision, has_keys = await self._database.read(_read_state)
        self._advance(revision)
        self._has_keys = has_keys
        self._looked_at = asked_at

    async def watch(self) -> None:
        """Keep up with changes, and write down when keys were used last; until cancelled."""
        saved_at = self._clock.monotonic()
        is_failing = False
        while True:
            await anyio.sleep(self._settings.poll_s)
            try:
                await self.refresh()
                if self._clock.monotonic() >= saved_at + self._settings.used_s:
                    await self.save_uses()
                    saved_at = self._clock.monotonic()
            except (StorageUnavailable, SQLAlchemyError) as error:  # nothing may end the watch
                if not is_failing:
                    _log.warning("keys_not_refreshed", extra={"reason": _reason(error)})
                is_failing = True
            else:
                is_failing = False

    async def save_uses(self) -> None:
        """Write down the minute in which keys were used last.

        Raises:
            StorageUnavailable: the database cannot be written; it is tried again next time.
        """
        if self._used:
            used, now = tuple(self._used), self._clock.now().replace(second=0, microsecond=0)
            await self._database.write(partial(_save_uses, key_ids=used, now=now))
            self._used.difference_update(used)

    async def _find_present(self, text: str) -> Caller:
        """Whose session ``text`` stands for.

        Raises:
            Refusal: it is none of ours, or does not count any more (``invalid_api_key``).
        """
        session = Session.read(text, self._keyring)
        if session is None or session.ends_at <= self._clock.now():
            raise _refuse_session()
        found = None if self._is_stale() else self._present.get(session.account_id)
        if found is None:
            found = await self._account_look_ups.get(session.account_id)
        if found is None or found.epoch != session.epoch or session.session_id in found.spent:
            raise _refuse_session()
        return replace(found.caller, session_id=session.session_id)

    async def _look_for(self, account_id: str) -> _Present | None:
        """An account with sessions as it stands in the database now."""
        admins = frozenset(self._settings.admin_groups)
        read = partial(_read_present, account_id=account_id, admins=admins, quotas=self._quotas)
        revision, found = await self._database.read(read)
        if revision > self._revision:
            self._advance(revision)
        if found is not None and revision == self._revision:
            if len(self._present) >= MOST_KNOWN:
                self._present.clear()
            self._present[account_id] = found
        return found

    def _is_stale(self) -> bool:
        return self._clock.monotonic() > self._looked_at + self._settings.stale_s

    def _recall(self, key_id: str) -> _Known | None:
        return None if self._is_stale() else self._known.get(key_id)

    async def _look_up(self, key_id: str) -> _Known | None:
        """The key as it stands in the database now; kept where that is no older than the rest."""
        revision, known = await self._database.read(
            partial(_read_known, key_id=key_id, quotas=self._quotas)
        )
        if revision > self._revision:
            self._advance(revision)
        if known is not None and revision == self._revision:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key_id] = known
        return known

    def _advance(self, revision: int) -> None:
        if revision != self._revision:
            self._known.clear()
            self._present.clear()
            self._key_look_ups.part()
            self._account_look_ups.part()
            self._revision = revision

    def _fits(self, text: KeyText, known: _Known) -> bool:
        """Whether the secret is the right one, in constant time, and the key still counts."""
        mark = blake2b(text.secret.encode(), key=self._mark_key, digest_size=_MARK_BYTES).digest()
        if not hmac.compare_digest(mark, known.mark):  # OpenSSL's HMAC takes four times as long
            digest = text.digest(self._keyring, known.kid)
            if digest is None or not hmac.compare_digest(digest, known.digest):
                return False
            known.mark = mark
        return known.ends_at is None or self._clock.now() < known.ends_at


def _limited(quotas: Quotas) -> Caller:
    return replace(EVERYONE, limits=Limits(quotas=quotas))


def _refuse(*, is_missing: bool) -> Refusal:
    """One answer for every key that does not count: nobody learns why."""
    reason = "a key is needed" if is_missing else "the key is unknown, has expired or was revoked"
    return Refusal(
        f"{reason}; send one as 'Authorization: Bearer zw_…' or 'x-api-key: zw_…'",
        code=ErrorCode.INVALID_API_KEY,
    )


def _refuse_session() -> Refusal:
    return Refusal("you are not signed in any more: sign in", code=ErrorCode.INVALID_API_KEY)


def _reason(error: StorageUnavailable | SQLAlchemyError) -> str:
    """What the log may hold of it: a statement's own error may quote values."""
    return error.message if isinstance(error, StorageUnavailable) else type(error).__name__


def _read_state(connection: Connection) -> tuple[int, bool]:
    return read_revision(connection), is_closed(connection)


def is_closed(connection: Connection) -> bool:
    """Whether there has ever been a key or a password, so that nobody comes in without one."""
    return count_keys(connection) > 0 or count_passwords(connection) > 0


def _read_present(
    connection: Connection, account_id: str, admins: frozenset[str], quotas: Quotas
) -> tuple[int, _Present | None]:
    revision = read_revision(connection)
    entrance = entrance_of(connection, account_id)
    if entrance is None or not entrance.is_open:
        return revision, None
    account = entrance.account
    is_admin = any(group.name in admins for group in account.groups)
    caller = Caller(
        account=account.account_id,
        name=account.name,
        scopes=SESSION_SCOPES | {Scope.ADMIN} if is_admin else SESSION_SCOPES,
        has_password=entrance.password is not None,
        limits=limits_of(account, quotas),
        groups=account.groups,
    )
    spent = spent_by(connection, account_id)
    return revision, _Present(epoch=entrance.epoch, spent=spent, caller=caller)


def _read_known(connection: Connection, key_id: str, quotas: Quotas) -> tuple[int, _Known | None]:
    revision = read_revision(connection)
    row = connection.execute(select(API_KEYS).where(API_KEYS.c.key_id == key_id)).mappings().first()
    if row is None:
        return revision, None
    key = read_key(row)
    account = read_accounts(connection, ACCOUNTS.c.account_id == key.account_id)[0]
    if account.disabled_at is not None:
        return revision, None
    known = _Known(
        kid=row["kid"],
        digest=row["digest"],
        caller=_caller(account, key, quotas),
        ends_at=key.ends_at,
    )
    return revision, known


def _caller(account: Account, key: ApiKey, quotas: Quotas) -> Caller:
    return Caller(
        account=account.account_id,
        name=account.name,
        scopes=key.scopes,
        key_id=key.key_id,
        ends_at=key.ends_at,
        limits=limits_of(account, quotas),
        groups=account.groups,
    )


def _save_uses(connection: Connection, key_ids: tuple[str, ...], now: datetime) -> None:
    used = update(API_KEYS).where(API_KEYS.c.key_id.in_(key_ids))
    connection.execute(used.values(last_used_at=now))
