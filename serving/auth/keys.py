"""Keys of accounts: made, listed, revoked, replaced; each change goes to the log."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.ports import Clock
from serving.auth.accounts import check_stays
from serving.auth.changes import record
from serving.auth.key_text import KeyText
from serving.auth.records import DELETED, ApiKey, AuditEntry
from serving.auth.rows import read_key
from serving.auth.scopes import Scopes, list_scopes
from serving.storage import Keyring
from serving.storage.database import Database
from serving.storage.tables import API_KEYS

NO_KEY = "there is no such key"


@dataclass(frozen=True, kw_only=True, slots=True)
class NewKey:
    """A key that was made just now; nobody can read its ``text`` again."""

    key: ApiKey
    text: KeyText


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What a new key shall be like; ``text`` is given where its owner has made it already."""

    account_id: str
    name: str
    scopes: Scopes
    expires_at: datetime | None = None
    text: KeyText | None = None


class Keys:
    """The stored keys; every method raises `StorageUnavailable` where that cannot be used.

    ``actor`` is who makes the change: an account's id, or where it came from.
    """

    def __init__(self, database: Database, *, keyring: Keyring, clock: Clock) -> None:
        """Keys are signed with the current root secret of ``keyring``."""
        self._database = database
        self._keyring = keyring
        self._clock = clock

    async def create(self, wish: Wish, *, actor: str, most: int | None = None) -> NewKey:
        """A new key.

        Raises:
            InvalidRequest: the account would have more than ``most`` keys that count, or has been
                deleted (``not_found``).
        """
        made = self._make(wish)

        def work(connection: Connection) -> NewKey:
            self._insert(connection, made=made, actor=actor)
            _check_number(connection, made.key, most)
            return made

        return await self._database.write(work)

    async def create_first(self, wish: Wish, *, actor: str) -> NewKey | None:
        """A new key where there has never been one, else nothing; asked by many, one makes it.

        Raises:
            InvalidRequest: the account has been deleted (``not_found``).
        """
        made = self._make(wish)

        def work(connection: Connection) -> NewKey | None:
            if count_keys(connection):
                return None
            self._insert(connection, made=made, actor=actor)
            return made

        return await self._database.write(work)

    async def count(self) -> int:
        """How many keys there have ever been."""
        return await self._database.read(count_keys)

    async def list(self, account_id: str | None = None) -> tuple[ApiKey, ...]:
        """The keys of an account, or all, in the order of their making."""
        where = () if account_id is None else (API_KEYS.c.account_id == account_id,)
        return await self._database.read(partial(_list, where=where))

    async def revoke(self, key_id: str, *, actor: str, owner: str | None = None) -> ApiKey:
        """End a key now; one that has ended already stays as it is.

        ``owner``: only a key of this account's; another's does not exist.

        Raises:
            InvalidRequest: there is no such key (``not_found``).
        """

        def work(connection: Connection) -> ApiKey:
            now = self._clock.now()
            key = _find(connection, key_id, owner)
            if not key.counts(now):
                return key
            _change(connection, key_id, revoked_at=now)
            record(connection, _told(now, actor, "key_revoked", key))
            return replace(key, revoked_at=now)

        return await self._database.write(work)

    async def rotate(
        self,
        key_id: str,
        *,
        overlap: timedelta,
        actor: str,
        ends_by: datetime | None = None,
        most: int | None = None,
    ) -> NewKey:
        """A new key like ``key_id``, which itself counts for ``overlap`` longer.

        The new one ends at ``ends_by`` at the latest, where that is given.

        Raises:
            InvalidRequest: there is no such key or its account has been deleted (``not_found``),
                the key does not count any more, or its account would have more than ``most`` that
                do; the old one is among them until its overlap ends.
        """

        def work(connection: Connection) -> NewKey:
            now = self._clock.now()
            old = _find(connection, key_id, None)
            if not old.counts(now) or old.replaced_by is not None:
                raise InvalidRequest(
                    f"the key {key_id!r} has been revoked, has expired or was replaced: "
                    "make a new one"
                )
            wish = Wish(
                account_id=old.account_id,
                name=old.name,
                scopes=old.scopes,
                expires_at=_earlier(_renew(old, now), ends_by),
            )
            made = self._make(wish)
            self._insert(connection, made=made, actor=actor)
            _change(connection, key_id, replaced_by=made.key.key_id, overlap_ends_at=now + overlap)
            record(connection, _told(now, actor, "key_replaced", old, by=made.key.key_id))
            _check_number(connection, made.key, most)
            return made

        return await self._database.write(work)

    def _make(self, wish: Wish) -> NewKey:
        text = wish.text or KeyText.make()
        key = ApiKey(
            key_id=text.key_id,
            account_id=wish.account_id,
            name=wish.name,
            scopes=wish.scopes,
            created_at=self._clock.now(),
            expires_at=wish.expires_at,
        )
        return NewKey(key=key, text=text)

    def _insert(self, connection: Connection, *, made: NewKey, actor: str) -> None:
        key = made.key
        check_stays(connection, key.account_id)  # it may have gone since the caller was let in
        kid, scopes = self._keyring.kid, list_scopes(key.scopes)
        row = {
            "key_id": key.key_id,
            "account_id": key.account_id,
            "name": key.name,
            "scopes": scopes,
            "kid": kid,
            "digest": made.text.digest(self._keyring, kid),
            "created_at": key.created_at,
            "expires_at": key.expires_at,
        }
        connection.execute(insert(API_KEYS).values(row))
        told = _told(key.created_at, actor, "key_created", key, scopes=",".join(scopes))
        record(connection, told)


def count_keys(connection: Connection) -> int:
    """How many keys there have ever been; those that have ended count, too."""
    return connection.execute(select(func.count()).select_from(API_KEYS)).scalar_one()


def _list(connection: Connection, where: tuple[ColumnElement[bool], ...]) -> tuple[ApiKey, ...]:
    columns = API_KEYS.c
    asked = select(API_KEYS).where(columns.account_id != DELETED, *where)
    asked = asked.order_by(columns.created_at, columns.key_id)
    return tuple(map(read_key, connection.execute(asked).mappings()))


def _check_number(connection: Connection, made: ApiKey, most: int | None) -> None:
    """Go on where the account of a key that was just made has no more than ``most`` that count.

    Raises:
        InvalidRequest: it has; the transaction that made the key has to end with this.
    """
    own = _list(connection, (API_KEYS.c.account_id == made.account_id,))
    if most is not None and sum(key.counts(made.created_at) for key in own) > most:
        raise InvalidRequest(f"an account has at most {most} keys: revoke some first")


def _find(connection: Connection, key_id: str, owner: str | None) -> ApiKey:
    asked = select(API_KEYS).where(API_KEYS.c.key_id == key_id)
    if owner is not None:
        asked = asked.where(API_KEYS.c.account_id == owner)
    row = connection.execute(asked).mappings().first()
    if row is None:
        raise InvalidRequest(NO_KEY, code=ErrorCode.NOT_FOUND)
    return read_key(row)


def _change(connection: Connection, key_id: str, **values: object) -> None:
    connection.execute(update(API_KEYS).where(API_KEYS.c.key_id == key_id).values(values))


def _earlier(*ends: datetime | None) -> datetime | None:
    return min((end for end in ends if end is not None), default=None)


def _renew(old: ApiKey, now: datetime) -> datetime | None:
    """A key that was to last so many days is followed by one that lasts as many."""
    return None if old.expires_at is None else now + (old.expires_at - old.created_at)


def _told(now: datetime, actor: str, action: str, key: ApiKey, **more: str) -> AuditEntry:
    details = {"account": key.account_id, "name": key.name, **more}
    return AuditEntry(at=now, actor=actor, action=action, subject=key.key_id, details=details)
