"""Takes a person out of what stays: the sums of the ledger, and the log of changes."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Connection, cast, or_, select, update
from sqlalchemy.types import Text

from serving.auth.records import DELETED
from serving.storage.ledger_tables import REQUESTS
from serving.storage.tables import AUDIT_LOG


def anonymize_requests(connection: Connection, owner: str, piece: int) -> int:
    """Leave of at most ``piece`` requests what they used and cost; gives their number.

    Ids go, too: a client may have chosen them.
    """
    columns = REQUESTS.c
    some = select(columns.entry_id).where(columns.owner == owner).limit(piece)
    changed = (
        update(REQUESTS)
        .where(columns.entry_id.in_(some))
        .values(
            owner=DELETED,
            request_id=columns.entry_id,
            key_id=None,
            idempotency_key=None,
            payload_hash=None,
            message_id=None,
        )
    )
    return connection.execute(changed).rowcount


def anonymize_log(connection: Connection, account_id: str, key_ids: Iterable[str] = ()) -> int:
    """Leave of the log's entries about an account what was done, and when; gives their number.

    What it did to others stays told of them. Entries about its keys name the account, too, so
    ``key_ids`` are needed for none but those of old.
    """
    columns = AUDIT_LOG.c
    own = {account_id, *key_ids}
    asked = select(AUDIT_LOG).where(is_about(account_id, own))
    found = connection.execute(asked).mappings().all()
    count = 0
    for row in found:
        details = dict(row["details"])
        is_subject = row["subject"] in own or account_id in details.values()
        count += is_subject or row["actor"] == account_id
        values = {
            "actor": DELETED if row["actor"] == account_id else row["actor"],
            "subject": DELETED if is_subject else row["subject"],
            "details": {} if is_subject else details,
        }
        entry = update(AUDIT_LOG).where(columns.entry_id == row["entry_id"])
        connection.execute(entry.values(values))
    return count


def is_about(account_id: str, key_ids: Iterable[str]) -> ColumnElement[bool]:
    """Whether an entry of the log is about an account or its keys, or tells what it did."""
    columns = AUDIT_LOG.c
    return or_(
        columns.actor == account_id,
        columns.subject.in_({account_id, *key_ids}),
        cast(columns.details, Text).like(f'%"{account_id}"%'),
    )
