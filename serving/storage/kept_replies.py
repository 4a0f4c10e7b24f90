"""Deletes replies that were kept for requests with an idempotency key, when the key is old."""

from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from serving.storage.database import Database
from serving.storage.ledger_tables import KEPT_REPLIES, REQUESTS

PIECE: Final = 20
"""Replies deleted in one transaction: whoever writes besides waits no longer than for these."""
_KEYS: Final = 200
_OVERLAP: Final = timedelta(days=2)
"""Days begin in the institution's zone, and a clock may be set back a little."""


class KeptReplies:
    """What the ledger's writer has kept; it reads and writes, this only deletes."""

    def __init__(self, database: Database, *, life: timedelta) -> None:
        """``life`` is how long a key stands for its request."""
        self._database = database
        self._life = life
        self._looked_from: str | None = None

    async def sweep(self, now: datetime) -> int:
        """Delete what is too old; gives their number.

        Raises:
            StorageUnavailable: the database cannot be written.
        """
        count, gone = 0, PIECE
        while gone == PIECE:
            gone = await self._database.write(partial(_sweep, oldest=now - self._life))
            count += gone
        if count or self._database.has_to_forget:
            await self._database.forget()
        return count

    async def sweep_keys(self, now: datetime) -> int:
        """Take keys that stand for nothing any more out of their requests; gives their number.

        They are looked for without a lock; after the first time only among those of the last days.

        Raises:
            StorageUnavailable: the database cannot be used.
        """
        count = 0
        while found := await self._database.read(partial(self._find_keys, now=now)):
            count += await self._database.write(partial(_free, entry_ids=found))
        self._looked_from = (now - self._life - _OVERLAP).date().isoformat()
        return count

    async def count_due(self, now: datetime) -> int:
        """How many replies `sweep` would delete now.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        counted = select(func.count()).where(KEPT_REPLIES.c.created_at < now - self._life)
        return await self._database.read(lambda one: one.execute(counted).scalar_one())

    def _find_keys(self, connection: Connection, now: datetime) -> tuple[str, ...]:
        row = REQUESTS.c
        which: list[ColumnElement[bool]] = [
            row.idempotency_key.is_not(None),
            row.state != "reserved",
            row.created_at < now - self._life,
        ]
        if self._looked_from is not None:
            which.append(row.day >= self._looked_from)
        return tuple(connection.execute(select(row.entry_id).where(*which).limit(_KEYS)).scalars())


def _sweep(connection: Connection, oldest: datetime) -> int:
    row = KEPT_REPLIES.c
    too_old = (
        select(row.entry_id).where(row.created_at < oldest).order_by(row.created_at).limit(PIECE)
    )
    return connection.execute(delete(KEPT_REPLIES).where(row.entry_id.in_(too_old))).rowcount


def _free(connection: Connection, entry_ids: tuple[str, ...]) -> int:
    freed = update(REQUESTS).where(REQUESTS.c.entry_id.in_(entry_ids))
    values = {"idempotency_key": None, "payload_hash": None}
    return connection.execute(freed.values(values)).rowcount
