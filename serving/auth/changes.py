"""What every change of accounts and keys leaves behind: an entry of the log, a new revision."""

from typing import Final

from sqlalchemy import Connection, insert, select, update

from serving.auth.records import AuditEntry
from serving.storage.tables import AUDIT_LOG, AUTH_REVISIONS

_NAME: Final = "auth"


def record(connection: Connection, entry: AuditEntry) -> None:
    """Write down a change, a part of the transaction that makes it; workers see it at once."""
    note(connection, entry)
    counted = update(AUTH_REVISIONS).values(revision=AUTH_REVISIONS.c.revision + 1)
    if not connection.execute(counted).rowcount:
        connection.execute(insert(AUTH_REVISIONS).values(name=_NAME, revision=1))


def note(connection: Connection, entry: AuditEntry) -> None:
    """Write down what changes nothing that a worker keeps in memory: somebody signed in."""
    connection.execute(
        insert(AUDIT_LOG).values(
            at=entry.at,
            actor=entry.actor,
            action=entry.action,
            subject=entry.subject,
            details=entry.details,
        )
    )


def read_revision(connection: Connection) -> int:
    """How many changes there have been."""
    return connection.execute(select(AUTH_REVISIONS.c.revision)).scalar() or 0


def read_log(connection: Connection, limit: int) -> tuple[AuditEntry, ...]:
    """The last ``limit`` changes, the newest first."""
    columns = AUDIT_LOG.c
    asked = select(
        columns.at, columns.actor, columns.action, columns.subject, columns.details
    ).order_by(columns.entry_id.desc())
    rows = connection.execute(asked.limit(limit)).mappings()
    return tuple(AuditEntry(**row) for row in rows)
