"""Deletes rows of one table when they are old, some at a time."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, TypeAlias

from sqlalchemy import Column, ColumnElement, Connection, delete, func, select, tuple_

from serving.settings import StorageSettings
from serving.storage.database import Database
from serving.storage.ledger_tables import REQUESTS, SPENDINGS
from serving.storage.tables import AUDIT_LOG

PIECE: Final = 200
"""Rows deleted in one transaction: whoever writes besides waits no longer than for these."""
OlderThan: TypeAlias = Callable[[datetime], ColumnElement[bool]]


class AgeingRows:
    """The rows of a table, which stay for some days, or always."""

    def __init__(
        self,
        database: Database,
        *,
        key: tuple[Column[Any], ...],  # Any: of the table's own types
        is_older_than: OlderThan,
        days: float,
    ) -> None:
        """``key``: the columns of the table's primary key; 0 ``days``: nothing is ever deleted."""
        self._database = database
        self._key = key
        self._is_older_than = is_older_than
        self._days = days

    async def sweep(self, now: datetime) -> int:
        """Delete what is too old; gives its number.

        Raises:
            StorageUnavailable: the database cannot be written.
        """
        if not self._days:
            return 0
        count, gone = 0, PIECE
        while gone == PIECE:
            gone = await self._database.write(partial(self._delete, now=now))
            count += gone
        if count:
            await self._database.forget()
        return count

    async def count_due(self, now: datetime) -> int:
        """How many rows `sweep` would delete now.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        if not self._days:
            return 0
        counted = select(func.count(self._key[0])).where(self._is_due(now))
        return await self._database.read(lambda one: one.execute(counted).scalar_one())

    def _is_due(self, now: datetime) -> ColumnElement[bool]:
        return self._is_older_than(now - timedelta(days=self._days))

    def _delete(self, connection: Connection, now: datetime) -> int:
        some = select(*self._key).where(self._is_due(now)).limit(PIECE)
        table = self._key[0].table
        return connection.execute(delete(table).where(tuple_(*self._key).in_(some))).rowcount


def open_log(database: Database, settings: StorageSettings) -> AgeingRows:
    """The log of changes of accounts and keys."""
    return AgeingRows(
        database,
        key=(AUDIT_LOG.c.entry_id,),
        is_older_than=lambda moment: AUDIT_LOG.c.at < moment,
        days=settings.audit_days,
    )


def open_requests(database: Database, settings: StorageSettings) -> AgeingRows:
    """The ledger, whole days of it; what still runs stays."""
    columns = REQUESTS.c
    return AgeingRows(
        database,
        key=(columns.entry_id,),
        is_older_than=lambda moment: (
            (columns.day < moment.date().isoformat()) & (columns.state != "reserved")
        ),
        days=settings.ledger_days,
    )


def open_spendings(database: Database, settings: StorageSettings) -> AgeingRows:
    """What was counted for budgets of days and months: as long as the requests, whole months."""
    columns = SPENDINGS.c
    return AgeingRows(
        database,
        key=(columns.subject, columns.period),
        is_older_than=lambda moment: columns.period < f"{moment:%Y-%m}",  # days of earlier months
        days=settings.ledger_days,
    )
