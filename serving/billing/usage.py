"""Reads the ledger: what was used and charged, by day, month, engine, role, user or group."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    distinct,
    func,
    literal,
    select,
)

from serving.storage.database import Database
from serving.storage.ledger_tables import LEGS, REQUESTS

By: TypeAlias = Literal["day", "month", "engine", "role", "user", "group"]
Order: TypeAlias = Literal["key", "most"]
_KEYS: Final[Mapping[By, ColumnElement[str]]] = MappingProxyType({
    "day": REQUESTS.c.day,
    "month": func.substr(REQUESTS.c.day, 1, 7),
    "engine": func.coalesce(LEGS.c.engine, ""),
    "role": func.coalesce(LEGS.c.role, ""),
    "user": REQUESTS.c.owner,
    "group": REQUESTS.c.group_ids,
})
GROUPINGS: Final = tuple(_KEYS)
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
_COUNTS: Final = (
    "requests",
    "prompt_tokens",
    "completion_tokens",
    "images",
    "charged",
    "house",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageQuery:
    """Which part of the ledger: days from ``first`` to ``last``, both counted.

    ``owner`` is one account, ``None`` all of them; ``group`` is one group, whose members' requests
    are read alone. Rows come behind the key ``after``, in the order of their keys; or, by ``most``,
    those first that were charged the most, then those with the most tokens.
    """

    by: By
    first: date
    last: date
    owner: str | None
    group: str | None = None
    order: Order = "key"
    after: str | None = None
    limit: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageRow:
    """What was used under one key; amounts in micro-units, ``house`` is what users do not pay.

    By engine or role, requests without an engine call have the empty key; by group, those of users
    who were in none. ``name`` is what people call the user or group whose id is ``key``.
    """

    key: str
    requests: int
    prompt_tokens: int
    completion_tokens: int
    images: int
    charged: int
    house: int
    name: str | None = None


async def read_usage(database: Database, query: UsageQuery) -> list[UsageRow]:
    """The rows of settled requests. A user of several groups counts in each of them.

    Raises:
        StorageUnavailable: the database cannot be read now.
    """
    if query.by == "group":
        return await database.read(partial(_read_groups, query=query))
    return await database.read(partial(_read, query=query))


def _read(connection: Connection, *, query: UsageQuery) -> list[UsageRow]:
    asked = _sums(query)
    if query.after is not None:
        asked = asked.where(_KEYS[query.by] > query.after)
    if query.order == "most":
        tokens = asked.selected_columns.prompt_tokens + asked.selected_columns.completion_tokens
        asked = asked.order_by(asked.selected_columns.charged.desc(), tokens.desc())
    asked = asked.order_by("key").limit(query.limit)
    return [_row(dict(row)) for row in connection.execute(asked).mappings()]


def _read_groups(connection: Connection, *, query: UsageQuery) -> list[UsageRow]:
    """Rows name all groups of a user together, and few of such sets differ."""
    sets = (_row(dict(row)) for row in connection.execute(_sums(query)).mappings())
    rows = sorted(_take_apart(sets), key=lambda row: row.key)
    if query.order == "most":
        rows.sort(key=lambda row: (row.charged, row.prompt_tokens + row.completion_tokens))
        rows.reverse()
    return [row for row in rows if query.after is None or row.key > query.after][: query.limit]


def _take_apart(sets: Iterable[UsageRow]) -> Iterable[UsageRow]:
    found: dict[str, UsageRow] = {}
    for row in sets:
        for group in row.key.split() or [""]:
            known = found.get(group)
            found[group] = replace(row, key=group) if known is None else _add(known, row)
    return found.values()


def _add(one: UsageRow, other: UsageRow) -> UsageRow:
    return replace(one, **{name: getattr(one, name) + getattr(other, name) for name in _COUNTS})


def _sums(query: UsageQuery) -> Select[str, int, int, int, int, int, int]:
    return (
        select(
            _KEYS[query.by].label("key"),
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
    )


def _conditions(query: UsageQuery) -> list[ColumnElement[bool]]:
    conditions = [
        REQUESTS.c.day >= query.first.isoformat(),
        REQUESTS.c.day <= query.last.isoformat(),
        REQUESTS.c.state == "settled",
    ]
    if query.owner is not None:
        conditions.append(REQUESTS.c.owner == query.owner)
    if query.group is not None:
        named = literal(" ") + REQUESTS.c.group_ids + literal(" ")
        conditions.append(named.contains(f" {query.group} ", autoescape=True))
    return conditions


def _total(column: ColumnElement[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)


def _row(row: Mapping[str, Any]) -> UsageRow:  # Any: of the columns' types
    counts = {name: int(row[name]) for name in _COUNTS}
    return UsageRow(key=str(row["key"]), name=None, **counts)
