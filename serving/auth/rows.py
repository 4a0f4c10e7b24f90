"""Rows of accounts, groups and keys, and the frozen values that they stand for."""

from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import ColumnElement, Connection, RowMapping, select

from chatbot.types import JsonValue
from serving.auth.quotas import Quotas, read_quotas
from serving.auth.records import Account, ApiKey, Group, Limits
from serving.auth.scopes import Scope
from serving.storage.tables import ACCOUNTS, API_KEYS, GROUPS, MEMBERSHIPS

_KNOWN: Final = frozenset(scope.value for scope in Scope)


def read_key(row: RowMapping) -> ApiKey:
    """The key that a row holds; scopes that this version does not know give nothing."""
    columns = API_KEYS.c
    return ApiKey(
        key_id=row[columns.key_id],
        account_id=row[columns.account_id],
        name=row[columns.name],
        scopes=frozenset(Scope(name) for name in row[columns.scopes] if name in _KNOWN),
        created_at=row[columns.created_at],
        expires_at=row[columns.expires_at],
        revoked_at=row[columns.revoked_at],
        replaced_by=row[columns.replaced_by],
        overlap_ends_at=row[columns.overlap_ends_at],
        last_used_at=row[columns.last_used_at],
    )


def read_accounts(connection: Connection, *where: ColumnElement[bool]) -> tuple[Account, ...]:
    """The accounts ``where`` all of this holds, by name, each with its groups."""
    found = select(ACCOUNTS).where(*where).order_by(ACCOUNTS.c.name)
    rows = connection.execute(found).mappings().all()
    groups = _groups_of(connection, [row["account_id"] for row in rows])
    return tuple(_read_account(row, groups.get(row["account_id"], ())) for row in rows)


def read_groups(connection: Connection, *where: ColumnElement[bool]) -> tuple[Group, ...]:
    """The groups ``where`` all of this holds, by name."""
    found = select(GROUPS).where(*where).order_by(GROUPS.c.name)
    return tuple(map(_read_group, connection.execute(found).mappings()))


def limit_columns(limits: Limits) -> dict[str, JsonValue]:
    """Limits as the columns of an account or a group."""
    return {
        "engines": _names(limits.engines),
        "tools": _names(limits.tools),
        "quotas": quota_column(limits.quotas),
    }


def quota_column(quotas: Quotas) -> JsonValue:
    """Quotas as a column; NULL: none."""
    given: dict[str, JsonValue] = {**quotas.given()}
    return given or None


def _names(names: Iterable[str] | None) -> JsonValue:
    return None if names is None else [*sorted(names)]


def _read_account(row: RowMapping, groups: tuple[Group, ...]) -> Account:
    return Account(
        account_id=row["account_id"],
        name=row["name"],
        created_at=row["created_at"],
        limits=_read_limits(row),
        disabled_at=row["disabled_at"],
        groups=groups,
    )


def _read_group(row: RowMapping) -> Group:
    return Group(
        group_id=row["group_id"],
        name=row["name"],
        created_at=row["created_at"],
        limits=_read_limits(row),
        total=read_quotas(row["total"]),
    )


def _read_limits(row: RowMapping) -> Limits:
    engines, tools = row["engines"], row["tools"]
    return Limits(
        engines=None if engines is None else frozenset(engines),
        tools=None if tools is None else frozenset(tools),
        quotas=read_quotas(row["quotas"]),
    )


def _groups_of(connection: Connection, account_ids: list[str]) -> Mapping[str, tuple[Group, ...]]:
    """The groups of each account; one account's are looked for, those of many are all read."""
    asked = select(GROUPS, MEMBERSHIPS.c.account_id).join(MEMBERSHIPS).order_by(GROUPS.c.name)
    if len(account_ids) == 1:
        asked = asked.where(MEMBERSHIPS.c.account_id == account_ids[0])
    found: dict[str, tuple[Group, ...]] = {}
    for row in connection.execute(asked).mappings():
        found[row["account_id"]] = (*found.get(row["account_id"], ()), _read_group(row))
    return found
