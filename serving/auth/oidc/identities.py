"""Finds or makes the account of whom a provider knows, and keeps its groups as told there."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from chatbot.types import JsonValue
from serving.auth.accounts import insert_account
from serving.auth.changes import record
from serving.auth.oidc.claims import Somebody
from serving.auth.oidc.errors import NotAdmitted, OidcRefused
from serving.auth.records import Account, AuditEntry, Group
from serving.auth.rows import limit_columns, read_accounts, read_groups
from serving.auth.signing_in.rows import Entrance, entrance_of
from serving.settings.oidc import OidcSettings
from serving.storage.sign_in_tables import IDENTITIES
from serving.storage.tables import ACCOUNTS, GROUPS, MEMBERSHIPS

ACTOR: Final = "oidc"


@dataclass(frozen=True, kw_only=True, slots=True)
class Identities:
    """Within one transaction; ``new_id`` gives ids of new accounts and groups."""

    connection: Connection
    settings: OidcSettings
    new_id: Callable[[], str]
    now: datetime

    def settle(self, somebody: Somebody) -> Entrance:
        """The entrance of whom the provider knows, in the groups that it tells.

        Raises:
            NotAdmitted: the account is disabled.
            OidcRefused: there is no account for this identity, and none can be made.
        """
        identity = sha256(f"{somebody.issuer}\n{somebody.subject}".encode()).hexdigest()
        asked = select(IDENTITIES.c.account_id).where(IDENTITIES.c.identity_id == identity)
        account_id = self.connection.execute(asked).scalar()
        if account_id is None:
            account_id = self._link(identity, somebody)
        self._set_groups(account_id, somebody.groups)
        entrance = entrance_of(self.connection, account_id)
        if entrance is None or not entrance.is_open:
            raise NotAdmitted("the account is disabled")
        return entrance

    def _link(self, identity: str, somebody: Somebody) -> str:
        somebody.check_name()
        there = read_accounts(self.connection, ACCOUNTS.c.name == somebody.name)
        if there and not self.settings.adopt:
            raise OidcRefused("a user of this name is here already, and auth.oidc.adopt is off")
        account = there[0] if there else self._add(somebody.name)
        row = {
            "identity_id": identity,
            "account_id": account.account_id,
            "issuer": somebody.issuer,
            "subject": somebody.subject,
            "created_at": self.now,
        }
        self.connection.execute(insert(IDENTITIES).values(row))
        self._record("identity_linked", account, issuer=somebody.issuer)
        return account.account_id

    def _add(self, name: str) -> Account:
        made = Account(account_id=self.new_id(), name=name, created_at=self.now)
        insert_account(self.connection, made)
        self._record("user_added", made)
        return made

    def _set_groups(self, account_id: str, wanted: frozenset[str]) -> None:
        """Into the ``wanted`` ones, out of the others of the settings' table."""
        account = read_accounts(self.connection, ACCOUNTS.c.account_id == account_id)[0]
        has = {group.name: group for group in account.groups}
        for name in sorted(wanted - has.keys()):
            row = {"account_id": account_id, "group_id": self._find_group(name).group_id}
            self.connection.execute(insert(MEMBERSHIPS).values(row))
            self._record("member_added", account, group=name)
        for name in sorted((frozenset(self.settings.groups.values()) - wanted) & has.keys()):
            own = MEMBERSHIPS.c.account_id == account_id
            of_group = MEMBERSHIPS.c.group_id == has[name].group_id
            self.connection.execute(delete(MEMBERSHIPS).where(own, of_group))
            self._record("member_removed", account, group=name)

    def _find_group(self, name: str) -> Group:
        for group in read_groups(self.connection, GROUPS.c.name == name):
            return group
        made = Group(group_id=self.new_id(), name=name, created_at=self.now)
        row = {"group_id": made.group_id, "name": name, "created_at": self.now}
        self.connection.execute(insert(GROUPS).values(row | limit_columns(made.limits)))
        self._record("group_added", made)
        return made

    def _record(self, action: str, of: Account | Group, **details: JsonValue) -> None:
        subject = of.account_id if isinstance(of, Account) else of.group_id
        told = {"name": of.name, **details}
        entry = AuditEntry(at=self.now, actor=ACTOR, action=action, subject=subject, details=told)
        record(self.connection, entry)
