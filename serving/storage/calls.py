"""Calls and results of answers to API clients, which hold the history themselves."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection, RowMapping, delete, func, insert, select

from chatbot.ports import Clock
from serving.settings import StorageSettings
from serving.storage.database import Database
from serving.storage.records import StoredCalls
from serving.storage.tables import CALLS

MOST_FOUND: Final = 500
_TOGETHER: Final = 1000


class CallStore:
    """Keeps them for ``storage.call_days``; nothing at all where that is 0."""

    def __init__(self, database: Database, *, clock: Clock, settings: StorageSettings) -> None:
        """Nothing is read or written before the first use."""
        self._database = database
        self._clock = clock
        self._settings = settings

    async def put(self, calls: StoredCalls) -> None:
        """Keep the calls of one answer.

        Raises:
            StorageUnavailable: the database cannot be written.
        """
        if self._settings.call_days and calls.parts:
            await self._database.write(partial(_put, calls=calls))

    async def find(self, owner: str, message_ids: Iterable[str]) -> Mapping[str, StoredCalls]:
        """What is kept of these answers of the owner's, by message id; of the first 500 ids.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        ids = tuple(dict.fromkeys(message_ids))[:MOST_FOUND]
        if not ids or not self._settings.call_days:
            return {}
        oldest = self._oldest(self._clock.now())
        found = await self._database.read(partial(_find, owner=owner, ids=ids, oldest=oldest))
        return {calls.message_id: calls for calls in found}

    async def sweep(self, now: datetime) -> int:
        """Delete what is too old; gives their number.

        Raises:
            StorageUnavailable: the database cannot be written.
        """
        count = 0
        while deleted := await self._database.write(partial(_sweep, oldest=self._oldest(now))):
            count += deleted
        if count or self._database.has_to_forget:
            await self._database.forget()
        return count

    async def count_due(self, now: datetime) -> int:
        """How many `sweep` would delete now.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        counted = select(func.count()).where(CALLS.c.created_at < self._oldest(now))
        return await self._database.read(lambda one: one.execute(counted).scalar_one())

    def _oldest(self, now: datetime) -> datetime:
        return now - timedelta(days=self._settings.call_days)


def _put(connection: Connection, calls: StoredCalls) -> None:
    row = {
        "message_id": calls.message_id,
        "owner": calls.owner,
        "body_hash": calls.body_hash,
        "parts": calls.parts,
        "created_at": calls.created_at,
    }
    connection.execute(insert(CALLS), row)


def _find(
    connection: Connection, owner: str, ids: tuple[str, ...], oldest: datetime
) -> tuple[StoredCalls, ...]:
    columns = CALLS.c
    asked = select(CALLS).where(
        columns.message_id.in_(ids), columns.owner == owner, columns.created_at >= oldest
    )
    return tuple(_read(row) for row in connection.execute(asked).mappings())


def _read(row: RowMapping) -> StoredCalls:
    return StoredCalls(**{**row, "parts": tuple(row["parts"])})


def _sweep(connection: Connection, oldest: datetime) -> int:
    column = CALLS.c.message_id
    old = select(column).where(CALLS.c.created_at < oldest).limit(_TOGETHER)
    return connection.execute(delete(CALLS).where(column.in_(old))).rowcount
