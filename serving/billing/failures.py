"""Reads from the ledger which requests failed lately."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection, select

from serving.storage.database import Database
from serving.storage.ledger_tables import REQUESTS


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """A request that failed; ``error`` is the code of its error, ``path`` what was asked."""

    at: datetime
    request_id: str
    owner: str
    model: str
    path: str
    error: str


async def read_failures(database: Database, *, since: date, limit: int) -> list[Failure]:
    """The last ``limit`` failed requests of the days from ``since`` on, the newest first.

    Raises:
        StorageUnavailable: the database cannot be read now.
    """
    columns = REQUESTS.c

    def work(connection: Connection) -> list[Failure]:
        asked = (
            select(
                columns.created_at.label("at"),
                columns.request_id,
                columns.owner,
                columns.model,
                columns.path,
                columns.error,
            )
            .where(columns.day >= since.isoformat(), columns.error.is_not(None))
            .order_by(columns.created_at.desc(), columns.entry_id)
            .limit(limit)
        )
        return [Failure(**row) for row in connection.execute(asked).mappings()]

    return await database.read(work)
