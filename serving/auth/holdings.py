"""Reads what belongs to an account beside its conversations, page by page."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, Row, RowMapping, and_, or_, select, tuple_

from serving.auth.anonymizing import is_about
from serving.auth.records import Account, AuditEntry
from serving.auth.rows import read_accounts
from serving.storage.ledger_tables import KEPT_REPLIES, LEGS, REQUESTS
from serving.storage.sign_in_tables import IDENTITIES, SIGN_INS
from serving.storage.tables import ACCOUNTS, API_KEYS, AUDIT_LOG, CALLS, CONVERSATIONS, PICTURES

PAGE: Final = 200
_FEW: Final = 10
"""Of rows that may be long."""


def find_by_id(connection: Connection, account_id: str) -> Account | None:
    """The account of this id; the shared one need not have a row."""
    return next(iter(read_accounts(connection, ACCOUNTS.c.account_id == account_id)), None)


def read_password_date(connection: Connection, account_id: str) -> datetime | None:
    """When the account's password or sessions were changed last; the password is not told."""
    columns = SIGN_INS.c
    asked = select(columns.changed_at).where(columns.account_id == account_id)
    return connection.execute(asked).scalar()


def read_identities(connection: Connection, account_id: str) -> Sequence[RowMapping]:
    """By whom the account is known where people sign in elsewhere."""
    columns = IDENTITIES.c
    asked = select(columns.issuer, columns.subject, columns.created_at)
    asked = asked.where(columns.account_id == account_id).order_by(columns.created_at)
    return connection.execute(asked).mappings().all()


def read_log_about(connection: Connection, account_id: str) -> tuple[AuditEntry, ...]:
    """The entries of the log that are about an account or its keys, or tell what it did."""
    columns = AUDIT_LOG.c
    own_keys = select(API_KEYS.c.key_id).where(API_KEYS.c.account_id == account_id)
    key_ids = tuple(connection.execute(own_keys).scalars())
    asked = select(columns.at, columns.actor, columns.action, columns.subject, columns.details)
    asked = asked.where(is_about(account_id, key_ids)).order_by(columns.entry_id)
    return tuple(AuditEntry(**row) for row in connection.execute(asked).mappings())


def read_calls(connection: Connection, owner: str, after: str) -> Sequence[RowMapping]:
    """The next kept tool calls of API clients, by their message's id."""
    column = CALLS.c.message_id
    asked = select(CALLS).where(CALLS.c.owner == owner, column > after)
    return connection.execute(asked.order_by(column).limit(_FEW)).mappings().all()


def read_replies(connection: Connection, owner: str, after: str) -> Sequence[RowMapping]:
    """The next replies that are kept for idempotency keys, by their request's entry."""
    column = KEPT_REPLIES.c.entry_id
    asked = select(KEPT_REPLIES).where(KEPT_REPLIES.c.owner == owner, column > after)
    return connection.execute(asked.order_by(column).limit(_FEW)).mappings().all()


def read_pictures(connection: Connection, owner: str, after: str) -> Sequence[str]:
    """The next ids of pictures that the owner's conversations show."""
    column = PICTURES.c.image_id
    asked = (
        select(column)
        .join(CONVERSATIONS, CONVERSATIONS.c.conversation_id == PICTURES.c.conversation_id)
        .where(CONVERSATIONS.c.owner == owner, column > after)
        .distinct()
        .order_by(column)
    )
    return connection.execute(asked.limit(PAGE)).scalars().all()


def read_requests(
    connection: Connection, owner: str, after: Row[tuple[object, ...]] | None
) -> Sequence[Row[tuple[object, ...]]]:
    """The next requests in the ledger, each with its legs, in the order of their making."""
    order = (REQUESTS.c.created_at, REQUESTS.c.entry_id)
    which: list[ColumnElement[bool]] = [REQUESTS.c.owner == owner]
    if after is not None:
        place = tuple_(*order) > tuple_(after.created_at, after.entry_id)
        same = REQUESTS.c.entry_id == after.entry_id
        which.append(or_(place, and_(same, LEGS.c.number > (after.number or 0))))
    asked = (
        select(
            *order,
            LEGS.c.number,
            *(REQUESTS.c[name] for name in ("request_id", "key_id", "model", "path", "state")),
            *(REQUESTS.c[name] for name in ("idempotency_key", "charged", "error")),
            *(LEGS.c[name] for name in ("engine", "role", "prompt_tokens", "completion_tokens")),
            *(LEGS.c[name] for name in ("images", "amount", "payer")),
        )
        .select_from(REQUESTS.outerjoin(LEGS))
        .where(*which)
        .order_by(*order, LEGS.c.number)
    )
    return connection.execute(asked.limit(PAGE)).all()
