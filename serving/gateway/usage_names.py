"""Gives rows of usage the names of the users or groups that they are of."""

from collections.abc import Sequence
from dataclasses import replace

from serving.auth.accounts import Accounts
from serving.billing.usage import By, UsageRow


async def name_rows(accounts: Accounts, by: By, rows: Sequence[UsageRow]) -> list[UsageRow]:
    """The rows with names, where they are by user or group; who is gone is called by the id.

    Raises:
        StorageUnavailable: the database cannot be read now.
    """
    match by:
        case "user":
            names = {one.account_id: one.name for one in await accounts.list()}
        case "group":
            names = {one.group_id: one.name for one in await accounts.list_groups()}
        case _:
            return [*rows]
    return [replace(row, name=names.get(row.key, row.key)) for row in rows]


def by_name(rows: Sequence[UsageRow]) -> list[UsageRow]:
    """As people look for them."""
    return sorted(rows, key=lambda row: (row.name or "", row.key))
