"""Accounts and groups: added, listed, limited, disabled; each change goes to the log."""

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Final, TypeAlias, TypeVar

from sqlalchemy import Connection, delete, insert, select, update

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.ports import Clock
from chatbot.types import JsonValue
from serving.auth.changes import read_log, record
from serving.auth.quotas import NO_QUOTAS, Quotas
from serving.auth.records import LEAVING, LOCAL, Account, AuditEntry, Group, Limits
from serving.auth.rows import limit_columns, quota_column, read_accounts, read_groups
from serving.storage.database import Database
from serving.storage.tables import ACCOUNTS, GROUPS, MEMBERSHIPS

_NAME: Final = re.compile(r"[\w.@+-]{1,128}")
Named: TypeAlias = Account | Group
Limited = TypeVar("Limited", Limits, Quotas)
Change: TypeAlias = Callable[[Limited], Limited]
"""What becomes of limits as they are stored; applied within the transaction that writes it.

So of changes at the same time none undoes another. It has no effect, since it may be run again.
"""
_STAYS: Final = ~ACCOUNTS.c.name.startswith(LEAVING, autoescape=True)
"""An account that is being deleted is found no more."""


class Accounts:
    """The stored accounts and groups, which people know by their names.

    Every method raises `InvalidRequest` for a name that is unknown, and `StorageUnavailable` where
    the database cannot be used. ``actor`` is who makes the change.
    """

    def __init__(self, database: Database, *, clock: Clock, new_id: Callable[[], str]) -> None:
        """Nothing is read before the first use."""
        self._database = database
        self._clock = clock
        self._new_id = new_id

    async def add(
        self,
        name: str,
        *,
        actor: str,
        limits: Limits | None = None,
        groups: Collection[str] = (),
    ) -> Account:
        """A new account in ``groups``; the one called ``local`` is that of the time without keys.

        Raises:
            InvalidRequest: the name is taken or cannot be one.
        """
        check_name(name)
        made = Account(
            account_id=LOCAL if name == LOCAL else self._new_id(),
            name=name,
            created_at=self._clock.now(),
            limits=limits or Limits(),
        )

        def work(connection: Connection) -> Account:
            if read_accounts(connection, ACCOUNTS.c.name == name):
                raise InvalidRequest(f"there is a user {name!r} already", param="name")
            insert_account(connection, made)
            self._record(connection, actor, "user_added", made)
            self._set_groups(connection, made, groups, actor)
            return find_account(connection, name)

        return await self._database.write(work)

    async def find_or_add_local(self, *, actor: str) -> Account:
        """The account of the time without keys, whose conversations are kept."""

        def work(connection: Connection) -> Account:
            for account in read_accounts(connection, ACCOUNTS.c.account_id == LOCAL):
                return account
            made = Account(account_id=LOCAL, name=LOCAL, created_at=self._clock.now())
            insert_account(connection, made)
            self._record(connection, actor, "user_added", made)
            return made

        return await self._database.write(work)

    async def find(self, name: str) -> Account:
        """The account of this name; the error for an unknown one tells the nearest."""
        return await self._database.read(partial(find_account, name=name))

    async def list(self) -> tuple[Account, ...]:
        """All accounts, by name, but those that are being deleted."""
        return await self._database.read(lambda connection: read_accounts(connection, _STAYS))

    async def change(
        self,
        name: str,
        *,
        actor: str,
        groups: Collection[str] | None = None,
        limits: Change[Limits] | None = None,
        is_disabled: bool | None = None,
    ) -> Account:
        """Make all of these changes, or none; what is not given stays.

        ``groups`` are all that the account is in from now on. It uses what ``limits`` makes of its
        own, and that alone. Of a disabled one no key counts.
        """

        def work(connection: Connection) -> Account:
            found = find_account(connection, name)
            if groups is not None:
                self._set_groups(connection, found, groups, actor)
            if limits is not None:
                self._limit(connection, found, limits(found.limits), actor)
            if is_disabled is not None:
                self._set_disabled(connection, found, is_disabled, actor)
            return find_account(connection, name)

        return await self._database.write(work)

    async def set_disabled(self, name: str, *, is_disabled: bool, actor: str) -> Account:
        """Let none of the account's keys count any more, or let them count again."""
        return await self.change(name, is_disabled=is_disabled, actor=actor)

    async def limit(self, name: str, change: Change[Limits], *, actor: str) -> Account:
        """Let the account use what ``change`` makes of its limits, and that alone."""
        return await self.change(name, limits=change, actor=actor)

    async def add_group(
        self,
        name: str,
        *,
        actor: str,
        limits: Limits | None = None,
        total: Quotas = NO_QUOTAS,
    ) -> Group:
        """A new group without members.

        Raises:
            InvalidRequest: the name is taken or cannot be one.
        """
        check_name(name)
        made = Group(
            group_id=self._new_id(),
            name=name,
            created_at=self._clock.now(),
            limits=limits or Limits(),
        )

        def work(connection: Connection) -> Group:
            if read_groups(connection, GROUPS.c.name == name):
                raise InvalidRequest(f"there is a group {name!r} already", param="name")
            row = {"group_id": made.group_id, "name": name, "created_at": made.created_at}
            connection.execute(insert(GROUPS).values(row | limit_columns(made.limits)))
            self._record(connection, actor, "group_added", made, **limit_columns(made.limits))
            self._limit_total(connection, made, total, actor)
            return _find_group(connection, name)

        return await self._database.write(work)

    async def find_group(self, name: str) -> Group:
        """The group of this name; the error for an unknown one tells the nearest."""
        return await self._database.read(partial(_find_group, name=name))

    async def list_groups(self) -> tuple[Group, ...]:
        """All groups, by name."""
        return await self._database.read(read_groups)

    async def change_group(
        self,
        name: str,
        *,
        actor: str,
        limits: Change[Limits] | None = None,
        total: Change[Quotas] | None = None,
    ) -> Group:
        """Make both changes, or none: of what each member may use, and of all members' total."""

        def work(connection: Connection) -> Group:
            found = _find_group(connection, name)
            if limits is not None:
                self._limit_group(connection, found, limits(found.limits), actor)
            if total is not None:
                self._limit_total(connection, found, total(found.total), actor)
            return _find_group(connection, name)

        return await self._database.write(work)

    async def limit_group(self, name: str, change: Change[Limits], *, actor: str) -> Group:
        """Let each member of the group use what ``change`` makes of its limits."""
        return await self.change_group(name, limits=change, actor=actor)

    async def limit_total(self, name: str, change: Change[Quotas], *, actor: str) -> Group:
        """Let the group's members together use no more than ``change`` makes of their total."""
        return await self.change_group(name, total=change, actor=actor)

    async def set_member(self, group: str, name: str, *, is_member: bool, actor: str) -> Account:
        """Put an account into a group, or take it out."""

        def work(connection: Connection) -> Account:
            found, account = _find_group(connection, group), find_account(connection, name)
            if (found in account.groups) == is_member:
                return account
            self._move(connection, account, found, actor, is_member=is_member)
            return find_account(connection, name)

        return await self._database.write(work)

    async def log(self, limit: int) -> tuple[AuditEntry, ...]:
        """The last ``limit`` changes of accounts, groups and keys, the newest first."""
        return await self._database.read(partial(read_log, limit=limit))

    def _set_groups(
        self, connection: Connection, account: Account, names: Collection[str], actor: str
    ) -> None:
        present = {group.name: group for group in account.groups}
        for name in sorted(present.keys() ^ set(names)):
            group = present.get(name) or _find_group(connection, name, param="groups")
            self._move(connection, account, group, actor, is_member=name in names)

    def _move(
        self, connection: Connection, account: Account, group: Group, actor: str, *, is_member: bool
    ) -> None:
        row = {"account_id": account.account_id, "group_id": group.group_id}
        if is_member:
            connection.execute(insert(MEMBERSHIPS).values(row))
        else:
            own = (MEMBERSHIPS.c[column] == value for column, value in row.items())
            connection.execute(delete(MEMBERSHIPS).where(*own))
        action = "member_added" if is_member else "member_removed"
        self._record(connection, actor, action, account, group=group.name)

    def _limit(self, connection: Connection, account: Account, limits: Limits, actor: str) -> None:
        if limits != account.limits:
            own = update(ACCOUNTS).where(ACCOUNTS.c.account_id == account.account_id)
            connection.execute(own.values(limit_columns(limits)))
            self._record(connection, actor, "user_limited", account, **limit_columns(limits))

    def _set_disabled(
        self, connection: Connection, account: Account, is_disabled: bool, actor: str
    ) -> None:
        if is_disabled != (account.disabled_at is not None):
            ended = self._clock.now() if is_disabled else None
            own = update(ACCOUNTS).where(ACCOUNTS.c.account_id == account.account_id)
            connection.execute(own.values(disabled_at=ended))
            self._record(connection, actor, "disabled" if is_disabled else "enabled", account)

    def _limit_group(
        self, connection: Connection, group: Group, limits: Limits, actor: str
    ) -> None:
        if limits != group.limits:
            own = update(GROUPS).where(GROUPS.c.group_id == group.group_id)
            connection.execute(own.values(limit_columns(limits)))
            self._record(connection, actor, "group_limited", group, **limit_columns(limits))

    def _limit_total(self, connection: Connection, group: Group, total: Quotas, actor: str) -> None:
        if total != group.total:
            own = update(GROUPS).where(GROUPS.c.group_id == group.group_id)
            connection.execute(own.values(total=quota_column(total)))
            self._record(connection, actor, "group_total", group, total=quota_column(total))

    def _record(
        self,
        connection: Connection,
        actor: str,
        action: str,
        of: Named,
        **details: JsonValue,
    ) -> None:
        subject = of.account_id if isinstance(of, Account) else of.group_id
        told: Mapping[str, JsonValue] = {"name": of.name, **details}
        entry = AuditEntry(
            at=self._clock.now(), actor=actor, action=action, subject=subject, details=told
        )
        record(connection, entry)


def insert_account(connection: Connection, account: Account) -> None:
    """Keep a new account."""
    row = {
        "account_id": account.account_id,
        "name": account.name,
        "created_at": account.created_at,
    }
    connection.execute(insert(ACCOUNTS).values(row | limit_columns(account.limits)))


def find_account(connection: Connection, name: str) -> Account:
    """The account of this name.

    Raises:
        InvalidRequest: there is none; the message tells the nearest.
    """
    for account in read_accounts(connection, ACCOUNTS.c.name == name, _STAYS):
        return account
    known = (account.name for account in read_accounts(connection, _STAYS))
    raise _unknown("user", name, known, "zwrotnica users add")


def check_stays(connection: Connection, account_id: str) -> None:
    """Go on where the account of this id is there and is not being deleted.

    Raises:
        InvalidRequest: it has gone (``not_found``).
    """
    asked = select(ACCOUNTS.c.account_id).where(ACCOUNTS.c.account_id == account_id, _STAYS)
    if connection.execute(asked).first() is None:
        raise InvalidRequest("the account has been deleted", code=ErrorCode.NOT_FOUND)


def _find_group(connection: Connection, name: str, *, param: str | None = None) -> Group:
    for group in read_groups(connection, GROUPS.c.name == name):
        return group
    known = (group.name for group in read_groups(connection))
    raise _unknown("group", name, known, "zwrotnica groups add", param)


def _unknown(
    kind: str, name: str, known: Iterable[str], command: str, param: str | None = None
) -> InvalidRequest:
    near = difflib.get_close_matches(name, tuple(known), n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"make one by '{command} {name}'"
    told = f"there is no {kind} {name!r}; {hint}"
    return InvalidRequest(told, param=param, code=ErrorCode.NOT_FOUND)


def check_name(name: str, *, param: str = "name") -> None:
    """Go on where users and groups may be called so; ``param`` is the field that says it.

    Raises:
        InvalidRequest: they may not.
    """
    if not _NAME.fullmatch(name):
        raise InvalidRequest(
            f"{name!r} cannot be a name: it has 1 to 128 letters, digits, and . _ @ + -",
            param=param,
        )
