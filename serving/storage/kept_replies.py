"""Deletes replies that were kept for requests with an idempotency key, when the key is old."""

from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sqlalchemy import Connection, delete, select

from serving.storage.database import Database
from serving.storage.ledger_tables import KEPT_REPLIES

PIECE: Final = 20
"""Replies deleted in one transaction: whoever writes besides waits no longer than for these."""


class KeptReplies:
    """What the ledger's writer has kept; it reads and writes, this only deletes."""

    def __init__(self, database: Database, *, life: timedelta) -> None:
        """``life`` is how long a key stands for its request."""
        self._database = database
        self._life = life

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


def _sweep(connection: Connection, oldest: datetime) -> int:
    row = KEPT_REPLIES.c
    too_old = (
        select(row.entry_id).where(row.created_at < oldest).order_by(row.created_at).limit(PIECE)
    )
    return connection.execute(delete(KEPT_REPLIES).where(row.entry_id.in_(too_old))).rowcount
