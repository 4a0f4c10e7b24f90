"""Deletes replies that were kept for requests with an idempotency key, when the key is old."""

from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection, delete

from serving.storage.database import Database
from serving.storage.ledger_tables import KEPT_REPLIES


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
        count = await self._database.write(partial(_sweep, oldest=now - self._life))
        if count or self._database.has_to_forget:
            await self._database.forget()
        return count


def _sweep(connection: Connection, oldest: datetime) -> int:
    too_old = KEPT_REPLIES.c.created_at < oldest
    return connection.execute(delete(KEPT_REPLIES).where(too_old)).rowcount
