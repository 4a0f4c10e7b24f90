"""Reads the ledger: what was used and charged in a time, by day, month, engine, role or user."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, case, distinct, func, select

from serving.storage.database import Database
from serving.storage.ledger_tables import LEGS, REQUESTS

By: TypeAlias = Literal["day", "month", "engine", "role", "user"]
_KEYS: Final[Mapping[By, ColumnElement[str]]] = MappingProxyType({
    "day": REQUESTS.c.day,
    "month": func.substr(REQUESTS.c.day, 1, 7),
    "engine": func.coalesce(LEGS.c.engine, ""),
    "role": func.coalesce(LEGS.c.role, ""),
    "user": REQUESTS.c.owner,
})
GROUPINGS: Final = tuple(_KEYS)


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageQuery:
    """Which part of the ledger: days from ``first`` to ``last``, both counted.

    ``owner`` is one account, ``None`` all of them; rows come behind the key ``after``.
    """

    by: By
    first: date
    last: date
    owner: str | None
    after: str | None = None
    limit: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageRow:
    """What was used under one key; amounts in micro-units, ``house`` is what users do not pay.

    By engine or role, requests without an engine call have the empty key.
    """

    key: str
    requests: int
    prompt_tokens: int
    completion_tokens: int
    images: int
    charged: int
    house: int


async def read_usage(database: Database, query: UsageQuery) -> list[UsageRow]:
    """The rows of settled requests, in the order of their keys.

    Raises:
        StorageUnavailable: the database cannot be read now.
    """
    return await database.read(partial(_read, query=query))


def _read(connection: Connection, *, query: UsageQuery) -> list[UsageRow]:
    key = _KEYS[query.by]
    asked = (
        select(
            key.label("key"),
            func.count(distinct(REQUESTS.c.entry_id)).label("requests"),
            _total(LEGS.c.prompt_tokens).label("prompt_tokens"),
            _total(LEGS.c.completion_tokens).label("completion_tokens"),
            _total(LEGS.c.images).label("images"),
            _total(case((LEGS.c.payer == "user", LEGS.c.amount), else_=0)).label("charged"),
            _total(case((LEGS.c.payer == "house", LEGS.c.amount), else_=0)).label("house"),
        )
        .select_from(REQUESTS.outerjoin(LEGS, LEGS.c.entry_id == REQUESTS.c.entry_id))
        .where(and_(*_conditions(query)))
        .group_by("key")
        .order_by("key")
        .limit(query.limit)
    )
    return [_row(dict(row)) for row in connection.execute(asked).mappings()]


def _conditions(query: UsageQuery) -> list[ColumnElement[bool]]:
    conditions = [
        REQUESTS.c.day >= query.first.isoformat(),
        REQUESTS.c.day <= query.last.isoformat(),
        REQUESTS.c.state == "settled",
    ]
    if query.owner is not None:
        conditions.append(REQUESTS.c.owner == query.owner)
    if query.after is not None:
        conditions.append(_KEYS[query.by] > query.after)
    return conditions


def _total(column: ColumnElement[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)


def _row(row: Mapping[str, Any]) -> UsageRow:  # Any: of the columns' types
    counts = {name: int(value) for name, value in row.items() if name != "key"}
    return UsageRow(key=str(row["key"]), **counts)
