"""Whatever rows and files belong to one account, with every id that stands in them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import Connection, String, Table, select

from serving.storage.tables import METADATA

_BY: Final = frozenset({
    "account_id",
    "actor",
    "conversation_id",
    "entry_id",
    "group_id",
    "key_id",
    "owner",
    "subject",
})
"""Columns by which a row belongs to an account, or to what belongs to it."""
_LEADING: Final = frozenset({"conversation_id", "entry_id", "group_id", "key_id"})
_IDS: Final = frozenset({"current", "idempotency_key", "name", "owner", "parent", "subject"})
SHARED: Final = frozenset({"auth_revisions", "guesses", "price_lists", "probes"})
"""Tables whose rows belong to nobody."""

Rows: TypeAlias = Mapping[str, tuple[tuple[object, ...], ...]]


def rows_of(connection: Connection, account_id: str) -> Rows:
    """Every row of the account, by table."""
    known: frozenset[object] = frozenset({account_id})
    while True:
        found = {
            table.name: tuple(_owned(connection, table, known))
            for table in METADATA.sorted_tables
            if table.name not in SHARED
        }
        wider = known | frozenset(_leads(found))
        if wider == known:
            return found
        known = wider


def ids_in(rows: Rows) -> dict[str, str]:
    """An id of each kind, by table and column; each is named once."""
    ids: dict[str, str] = {}
    for name, found in rows.items():
        columns = METADATA.tables[name].c
        for number, column in enumerate(columns):
            texts = (one for row in found if isinstance(one := row[number], str))
            values = [text for text in texts if text and text not in ids]
            is_id = column.key.endswith("_id") or column.key in _IDS
            if is_id and isinstance(column.type, String) and values:
                ids[values[0]] = f"{name}.{column.key}"
    return {kind: value for value, kind in ids.items()}


def files_in(folder: Path) -> dict[str, bytes]:
    """The files below ``folder``, by their names."""
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _owned(
    connection: Connection, table: Table, known: frozenset[object]
) -> Iterator[tuple[object, ...]]:
    numbers = [number for number, column in enumerate(table.c) if column.key in _BY]
    for row in connection.execute(select(table).order_by(*table.primary_key.columns)):
        if any(row[number] in known for number in numbers):
            yield tuple(row)


def _leads(found: Rows) -> Iterator[str]:
    for name, rows in found.items():
        for number, column in enumerate(METADATA.tables[name].c):
            if column.key in _LEADING:
                yield from (one for row in rows if isinstance(one := row[number], str))
