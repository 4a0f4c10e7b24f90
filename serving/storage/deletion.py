"""Deletes conversations so that nothing of them is left: rows, log, pictures."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog
from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select

from chatbot.errors import StorageUnavailable
from serving.settings import StorageSettings
from serving.storage.database import Database
from serving.storage.finding import Owners, find_conversation, pictures_in_use, pictures_of
from serving.storage.images import StoredImages
from serving.storage.tables import CONVERSATIONS, MESSAGES

EMPTY_DAYS: Final = 1
"""Days for which a conversation without messages is kept."""
_TOGETHER: Final = 20
"""Conversations deleted in one transaction: others wait for its end."""
_PICTURES: Final = 100


class Deletion:
    """Deletes one conversation at its owner's wish, or those that are too old."""

    def __init__(
        self, database: Database, *, images: StoredImages | None, settings: StorageSettings
    ) -> None:
        """Nothing is looked at before the first deletion."""
        self._database = database
        self._images = images
        self._settings = settings

    async def delete(self, owner: str, conversation_id: str) -> None:
        """Delete the owner's conversation.

        Raises:
            InvalidRequest: there is none of this id (``not_found``).
            StorageUnavailable: nothing could be deleted.
        """

        def work(connection: Connection) -> Owners:
            find_conversation(connection, owner, conversation_id)
            return remove_conversations(connection, [conversation_id])

        await self._remove(work)
        await self._empty_log()

    async def delete_all(self, owner: str) -> int:
        """Delete all conversations of the owner, some at a time; gives their number.

        Raises:
            StorageUnavailable: the database cannot be used.
        """
        count = await self._remove_all(partial(_find_of, owner=owner))
        if count or self._database.has_to_forget:
            await self._empty_log()
        return count

    async def sweep(self, now: datetime) -> int:
        """Delete what is too old or stayed empty; gives the number of conversations.

        Raises:
            StorageUnavailable: the database cannot be used.
        """
        count = await self._remove_all(partial(self._find_old, now=now))
        await self._sweep_pictures()
        if count or self._database.has_to_forget:
            await self._empty_log()
        return count

    async def count_due(self, now: datetime) -> int:
        """How many conversations `sweep` would delete now.

        Raises:
            StorageUnavailable: the database cannot be read.
        """
        counted = select(func.count()).select_from(CONVERSATIONS).where(self._is_old(now))
        return await self._database.read(lambda one: one.execute(counted).scalar_one())

    def _find_old(self, connection: Connection, now: datetime) -> tuple[str, ...]:
        asked = select(CONVERSATIONS.c.conversation_id).where(self._is_old(now))
        return tuple(connection.execute(asked.limit(_TOGETHER)).scalars())

    def _is_old(self, now: datetime) -> ColumnElement[bool]:
        columns = CONVERSATIONS.c
        is_empty = ~exists().where(MESSAGES.c.conversation_id == columns.conversation_id)
        is_forgotten = columns.created_at < now - timedelta(days=EMPTY_DAYS)
        is_old: list[ColumnElement[bool]] = [is_forgotten & is_empty]
        if days := self._settings.conversation_days:
            is_old.append(columns.updated_at < now - timedelta(days=days))
        return or_(*is_old)

    async def _remove_all(self, find: Callable[[Connection], Sequence[str]]) -> int:
        count = 0
        while found := await self._database.read(find):
            await self._remove(partial(remove_conversations, conversation_ids=found))
            count += len(found)
        return count

    async def _remove(self, work: Callable[[Connection], Owners]) -> None:
        shown = await self._database.write(work)
        if shown and self._images is not None:
            in_use = await self._database.read(partial(pictures_in_use, image_ids=shown))
            left = {one: owners - in_use.get(one, set()) for one, owners in shown.items()}
            await self._images.drop(left, in_use=in_use)

    async def _sweep_pictures(self) -> None:
        """Remove pictures that a crash left behind without a conversation."""
        if self._images is None:
            return
        held = await self._images.list_held()
        for start in range(0, len(held), _PICTURES):
            some = frozenset(held[start : start + _PICTURES])
            in_use = await self._database.read(partial(pictures_in_use, image_ids=some))
            await self._images.drop(dict.fromkeys(some - in_use.keys(), frozenset[str]()))

    async def _empty_log(self) -> None:
        """The rows are gone; what others keep us from emptying is emptied by the next sweep."""
        try:
            await self._database.forget()
        except StorageUnavailable as error:
            structlog.get_logger(__name__).warning("log_not_emptied", reason=error.message)


def _find_of(connection: Connection, owner: str) -> tuple[str, ...]:
    columns = CONVERSATIONS.c
    asked = select(columns.conversation_id).where(columns.owner == owner).limit(_TOGETHER)
    return tuple(connection.execute(asked).scalars())


def remove_conversations(connection: Connection, conversation_ids: Sequence[str]) -> Owners:
    """Delete conversations with all that hangs on them; gives whose pictures they showed."""
    shown = pictures_of(connection, conversation_ids)
    column = CONVERSATIONS.c.conversation_id
    connection.execute(delete(CONVERSATIONS).where(column.in_(conversation_ids)))
    return shown
