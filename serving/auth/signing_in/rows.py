"""Rows of passwords and spent tokens, within transactions of those who use them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from serving.auth.records import Account
from serving.auth.rows import read_accounts
from serving.storage.sign_in_tables import SIGN_INS, SPENT_TOKENS
from serving.storage.tables import ACCOUNTS


@dataclass(frozen=True, kw_only=True, slots=True)
class Entrance:
    """An account with how one gets in: its epoch, and what is kept of its password, if any."""

    account: Account
    epoch: int
    password: str | None

    @property
    def is_open(self) -> bool:
        """Whether the account may be used at all."""
        return self.account.disabled_at is None


def find_entrance(connection: Connection, *where: ColumnElement[bool]) -> Entrance | None:
    """The entrance of the account ``where`` this holds."""
    for account in read_accounts(connection, *where):
        own = SIGN_INS.c.account_id == account.account_id
        row = connection.execute(select(SIGN_INS.c.epoch, SIGN_INS.c.password).where(own)).first()
        epoch, password = (0, None) if row is None else row
        return Entrance(account=account, epoch=epoch, password=password)
    return None


def entrance_of(connection: Connection, account_id: str) -> Entrance | None:
    """The entrance of an account by its id."""
    return find_entrance(connection, ACCOUNTS.c.account_id == account_id)


def count_passwords(connection: Connection) -> int:
    """How many accounts have ever had a password."""
    return connection.execute(select(func.count()).select_from(SIGN_INS)).scalar_one()


def keep_password(connection: Connection, entrance: Entrance, kept: str | None) -> None:
    """Replace what is kept of the password, which was hashed anew; not one that was set since."""
    own = SIGN_INS.c.account_id == entrance.account.account_id
    same = SIGN_INS.c.epoch == entrance.epoch
    connection.execute(update(SIGN_INS).where(own, same).values(password=kept))


def renew(
    connection: Connection, entrance: Entrance, *, password: str | None, now: datetime
) -> None:
    """Begin a new epoch, with this password: no session and no link from before counts."""
    row = {"epoch": entrance.epoch + 1, "password": password, "changed_at": now}
    own = SIGN_INS.c.account_id == entrance.account.account_id
    if not connection.execute(update(SIGN_INS).where(own).values(row)).rowcount:
        made = {"account_id": entrance.account.account_id} | row
        connection.execute(insert(SIGN_INS).values(made))


def spend(
    connection: Connection,
    token_id: str,
    *,
    account_id: str | None,
    ends_at: datetime,
    now: datetime,
) -> bool:
    """Let a token count no more; false where it was spent before. Ended ones are forgotten."""
    connection.execute(delete(SPENT_TOKENS).where(SPENT_TOKENS.c.ends_at <= now))
    own = select(SPENT_TOKENS.c.token_id).where(SPENT_TOKENS.c.token_id == token_id)
    if connection.execute(own).first() is not None:
        return False
    row = {"token_id": token_id, "account_id": account_id, "ends_at": ends_at}
    connection.execute(insert(SPENT_TOKENS).values(row))
    return True


def spent_by(connection: Connection, account_id: str) -> frozenset[str]:
    """The ids of an account's spent tokens."""
    own = select(SPENT_TOKENS.c.token_id).where(SPENT_TOKENS.c.account_id == account_id)
    return frozenset(connection.execute(own).scalars())
