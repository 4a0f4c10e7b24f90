"""Erases a person: the account at once, then in pieces whatever belongs to it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog
from sqlalchemy import Connection, delete, insert, select

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.ports import Clock
from serving.auth.accounts import check_stays, find_account
from serving.auth.anonymizing import anonymize_log, anonymize_requests
from serving.auth.authenticator import is_closed
from serving.auth.changes import record
from serving.auth.records import DELETED, LEAVING, LOCAL, AuditEntry
from serving.storage.conversations import Conversations
from serving.storage.database import Database
from serving.storage.finding import pictures_in_use
from serving.storage.images import StoredImages
from serving.storage.ledger_tables import KEPT_REPLIES, SPENDINGS
from serving.storage.tables import ACCOUNTS, API_KEYS, CALLS

STRAGGLING: Final = timedelta(minutes=5)
"""For how long after the longest turn something of it may still be written down."""
PIECE: Final = 200
"""Rows changed in one transaction: whoever writes besides waits no longer than for these."""
_REPLIES: Final = 20
"""Of kept replies, which may be long."""
_IS_SHARED: Final = (
    "the account 'local' is shared by everybody who uses this server without a key of a user; "
    "delete its conversations one by one"
)


class Erasure:
    """Deletes accounts with all that they own.

    The first transaction takes the account's place by a mark that has no name; all keys are gone
    with it, on other workers within ``auth.poll_s``. What it owned goes in pieces; whoever dies in
    between leaves the mark, by which the next sweep goes on. The mark itself goes after ``grace``,
    when nothing that still ran for the account can write any more.
    """

    def __init__(
        self,
        database: Database,
        *,
        conversations: Conversations,
        images: StoredImages,
        clock: Clock,
        grace: timedelta,
    ) -> None:
        """Nothing is read before the first use."""
        self._database = database
        self._conversations = conversations
        self._images = images
        self._clock = clock
        self._grace = grace

    async def mark(self, name: str, *, actor: str, account_id: str | None = None) -> str:
        """End the account of this name for good; gives its id, under which its rows are.

        ``actor`` is who wants it, `DELETED` for the person; with ``account_id`` it is ended only
        where the name is still that account's.

        Raises:
            InvalidRequest: there is no such user, or it is the shared account.
            StorageUnavailable: the database cannot be written; nothing has changed.
        """

        def work(connection: Connection) -> str:
            if account_id is not None:
                check_stays(connection, account_id)
            return _mark(connection, name, actor, self._clock.now())

        return await self._database.write(work)

    async def list_marked(self) -> tuple[str, ...]:
        """Ids of the accounts that have been marked and may still own something.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        return await self._database.read(_list_marked)

    async def erase(self, account_id: str) -> int:
        """Delete what a marked account owns, its part of the ledger but for the sums.

        Gives the number of rows and pictures; there are none the second time.

        Raises:
            StorageUnavailable: the database cannot be used; what is left is left to a sweep.
        """
        count = await self._conversations.delete_all(account_id)
        count += await self._release_pictures(account_id)
        for piece, work in (
            (PIECE, _delete_calls),
            (_REPLIES, _delete_replies),
            (PIECE, anonymize_requests),
            (PIECE, _delete_counts),
        ):
            count += await self._repeat(partial(work, owner=account_id, piece=piece))
        count += await self._database.write(partial(anonymize_log, account_id=account_id))
        if count or self._database.has_to_forget:
            await self._database.forget()
        if count:
            structlog.get_logger(__name__).info("account_erased", rows=count)
        return count

    async def drop_marks(self, now: datetime) -> int:
        """Remove the marks that have stood for long enough; gives their number.

        Raises:
            StorageUnavailable: the database cannot be written.
        """
        return await self._database.write(partial(_drop_marks, before=now - self._grace))

    async def _release_pictures(self, owner: str) -> int:
        """Delete the pictures that API clients had made: no conversation shows them."""
        owned = await self._images.list_owned(owner)
        shown: set[str] = set()
        for start in range(0, len(owned), PIECE):
            some = owned[start : start + PIECE]
            in_use = await self._database.read(partial(pictures_in_use, image_ids=some))
            shown |= in_use.keys()
        return await self._images.release(owner, shown=shown)

    async def _repeat(self, work: Callable[[Connection], int]) -> int:
        count = 0
        while gone := await self._database.write(work):
            count += gone
        return count


def _mark(connection: Connection, name: str, actor: str, now: datetime) -> str:
    account_id = find_account(connection, name).account_id
    if account_id == LOCAL:
        raise InvalidRequest(_IS_SHARED, code=ErrorCode.INVALID_REQUEST)
    own_keys = select(API_KEYS.c.key_id).where(API_KEYS.c.account_id == account_id)
    key_ids = tuple(connection.execute(own_keys).scalars())
    was_closed = is_closed(connection)
    connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.account_id == account_id))
    _insert_bare(connection, account_id, now)
    if was_closed and not is_closed(connection):
        _keep_closed(connection, now)
    anonymize_log(connection, account_id, key_ids)
    told = AuditEntry(at=now, actor=actor, action="user_deleted", subject=DELETED, details={})
    record(connection, told)
    return account_id


def _insert_bare(connection: Connection, account_id: str, now: datetime) -> None:
    """An account without a name, which nobody can sign in to."""
    row = {
        "account_id": account_id,
        "name": f"{LEAVING}{account_id}",
        "created_at": now,
        "disabled_at": now,
    }
    connection.execute(insert(ACCOUNTS).values(row))


def _keep_closed(connection: Connection, now: datetime) -> None:
    """A server that has ever had a key or password stays closed, also when the last has gone.

    So its place is taken by a key that nothing can fit.
    """
    _insert_bare(connection, DELETED, now)
    row = {
        "key_id": DELETED,
        "account_id": DELETED,
        "name": "",
        "scopes": [],
        "kid": "",
        "digest": "",
        "created_at": now,
        "revoked_at": now,
    }
    connection.execute(insert(API_KEYS).values(row))


def _list_marked(connection: Connection) -> tuple[str, ...]:
    columns = ACCOUNTS.c
    marked = columns.name.startswith(LEAVING, autoescape=True) & (columns.account_id != DELETED)
    asked = select(columns.account_id).where(marked).order_by(columns.disabled_at)
    return tuple(connection.execute(asked).scalars())


def _drop_marks(connection: Connection, before: datetime) -> int:
    columns = ACCOUNTS.c
    marked = columns.account_id.in_(_list_marked(connection)) & (columns.disabled_at < before)
    return connection.execute(delete(ACCOUNTS).where(marked)).rowcount


def _delete_calls(connection: Connection, owner: str, piece: int) -> int:
    column = CALLS.c.message_id
    some = select(column).where(CALLS.c.owner == owner).limit(piece)
    return connection.execute(delete(CALLS).where(column.in_(some))).rowcount


def _delete_counts(connection: Connection, owner: str, piece: int) -> int:
    """What its budgets had counted; a row for each day."""
    column = SPENDINGS.c.period
    some = select(column).where(SPENDINGS.c.subject == owner).limit(piece)
    own = delete(SPENDINGS).where(SPENDINGS.c.subject == owner, column.in_(some))
    return connection.execute(own).rowcount


def _delete_replies(connection: Connection, owner: str, piece: int) -> int:
    column = KEPT_REPLIES.c.entry_id
    some = select(column).where(KEPT_REPLIES.c.owner == owner).limit(piece)
    return connection.execute(delete(KEPT_REPLIES).where(column.in_(some))).rowcount
