"""Conversations of each owner: made, found, read, changed, deleted."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum
from functools import partial
from typing import Final

import structlog
from anyio import to_thread
from sqlalchemy import Connection

from chatbot.errors import StorageUnavailable
from chatbot.ports import Clock
from chatbot.types import JsonObject
from serving.settings import ChatSettings, StorageSettings
from serving.storage.answers import Answers, picture_ids
from serving.storage.database import Database
from serving.storage.deletion import Deletion
from serving.storage.finding import (
    Words,
    find_conversation,
    find_message,
    list_conversations,
    list_messages,
)
from serving.storage.images import StoredImages
from serving.storage.paging import cursor_after
from serving.storage.reading_through import read_on, read_parents
from serving.storage.records import (
    NOTHING,
    Conversation,
    ConversationPage,
    Rating,
    StoredMessage,
)
from serving.storage.renewal import renew
from serving.storage.rows import Row, encodable, title_columns
from serving.storage.search import find_words
from serving.storage.writing import (
    begin_answer,
    change_conversation,
    insert_conversation,
    insert_messages,
    rate_message,
)


class Unchanged(Enum):
    """The one value that leaves a field as it is."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED
MOST_LISTED: Final = 200


class Conversations:
    """The stored conversations; every method looks at those of one owner alone.

    An id that is unknown and one of another owner's are the same error: `InvalidRequest` with the
    code ``not_found``. Every method raises `StorageUnavailable` where the database cannot be used.
    """

    def __init__(
        self,
        database: Database,
        *,
        clock: Clock,
        new_id: Callable[[], str],
        images: StoredImages | None = None,
        limits: ChatSettings | None = None,
        storage: StorageSettings | None = None,
    ) -> None:
        """``images`` are kept for as long as a conversation shows them; without: not looked at."""
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._images = images
        self._limits = limits or ChatSettings()
        self._storage = storage or StorageSettings()
        self._answers = Answers(database)
        self._deletion = Deletion(database, images=images, settings=self._storage)

    async def create(
        self, owner: str, *, title: str = "", parameters: JsonObject = NOTHING
    ) -> Conversation:
        """A new conversation without messages; a ``title`` counts as a person's own.

        Raises:
            InvalidRequest: the owner has as many as an account may keep.
        """
        now = self._clock.now()
        made = Conversation(
            conversation_id=self._new_id(),
            owner=owner,
            title=encodable(title),
            is_named=bool(title),
            created_at=now,
            updated_at=now,
            parameters=parameters,
        )
        work = partial(insert_conversation, conversation=made, limits=self._limits)
        return await self._database.write(work)

    async def list(
        self,
        owner: str,
        *,
        query: str | None = None,
        cursor: str | None = None,
        limit: int = 30,
    ) -> ConversationPage:
        """At most ``limit`` (1 to 200) conversations, those with the newest messages first.

        With a ``query`` those in whose title or texts every word of it occurs: in any case, with
        or without diacritics, in any inflected form, or as the beginning of a longer word.

        Raises:
            InvalidRequest: the cursor is none.
        """
        words: Words = ()
        if query is not None and query.strip():
            words = await to_thread.run_sync(find_words, query)
            if not words:
                return ConversationPage(conversations=())
        count = max(1, min(limit, MOST_LISTED))
        found = await self._database.read(
            partial(list_conversations, owner=owner, words=words, cursor=cursor, limit=count + 1)
        )
        page = found[:count]
        return ConversationPage(
            conversations=page,
            next_cursor=cursor_after(page[-1]) if len(found) > count else None,
        )

    async def read(
        self, owner: str, conversation_id: str
    ) -> tuple[Conversation, tuple[StoredMessage, ...]]:
        """A conversation with the messages of all its branches, in the order of their making."""

        def work(connection: Connection) -> tuple[Conversation, tuple[StoredMessage, ...]]:
            conversation = find_conversation(connection, owner, conversation_id)
            return conversation, list_messages(connection, conversation_id)

        return await self._database.read(work)

    async def message(self, owner: str, conversation_id: str, message_id: str) -> StoredMessage:
        """One message."""

        def work(connection: Connection) -> StoredMessage:
            find_conversation(connection, owner, conversation_id)
            return find_message(connection, conversation_id, message_id)

        return await self._database.read(work)

    async def change(
        self,
        owner: str,
        conversation_id: str,
        *,
        title: str | Unchanged = UNCHANGED,
        parameters: JsonObject | Unchanged = UNCHANGED,
        current: str | Unchanged = UNCHANGED,
    ) -> Conversation:
        """Change what a person may: an own title (empty: none), parameters, the shown branch.

        It does not move the conversation in the list.
        """
        values: Row = {}
        if not isinstance(title, Unchanged):
            values |= title_columns(title, is_named=bool(title))
        if not isinstance(parameters, Unchanged):
            values["parameters"] = parameters
        if not isinstance(current, Unchanged):
            values["current"] = current

        def work(connection: Connection) -> Conversation:
            found = find_conversation(connection, owner, conversation_id)
            if not isinstance(current, Unchanged):
                find_message(connection, conversation_id, current)
            if values:
                change_conversation(connection, found, **values)
            return find_conversation(connection, owner, conversation_id)

        return await self._database.write(work)

    async def name(self, owner: str, conversation_id: str, title: str) -> Conversation:
        """Give a generated title; one that a person chose stays."""

        def work(connection: Connection) -> Conversation:
            found = find_conversation(connection, owner, conversation_id)
            if not found.is_named:
                change_conversation(connection, found, **title_columns(title, is_named=False))
            return find_conversation(connection, owner, conversation_id)

        return await self._database.write(work)

    async def begin(
        self,
        owner: str,
        conversation_id: str,
        *,
        user: StoredMessage | None,
        answer: StoredMessage,
        title: str = "",
    ) -> Conversation:
        """Add the user's message, where it is new, and the answer that begins, in one transaction.

        The answer becomes the end of the shown branch. The generated ``title`` is given where there
        is none yet.

        Raises:
            InvalidRequest: a parent is missing or has the wrong role, or there are too many
                messages.
        """

        def work(connection: Connection) -> Conversation:
            return begin_answer(
                connection,
                find_conversation(connection, owner, conversation_id),
                user=user,
                answer=answer,
                title=encodable(title),
                limits=self._limits,
                now=self._clock.now(),
            )

        return await self._database.write(work)

    async def save(self, answer: StoredMessage, *, patience_s: float | None = None) -> bool:
        """Write what has become of an answer that was begun; false where it was deleted meanwhile.

        Its pictures are kept from now on. ``patience_s`` is ``storage.keep_s`` unless given.
        """
        await self._keep_pictures([answer])
        patience = self._storage.keep_s if patience_s is None else patience_s
        return await self._answers.save(answer, patience_s=patience)

    async def rate(
        self,
        owner: str,
        conversation_id: str,
        message_id: str,
        rating: Rating | None,
        comment: str | None = None,
    ) -> None:
        """Keep what a person thinks of an answer; ``None`` takes it back.

        Raises:
            InvalidRequest: the message is no answer.
        """

        def work(connection: Connection) -> None:
            find_conversation(connection, owner, conversation_id)
            message = find_message(connection, conversation_id, message_id)
            rate_message(connection, message, rating, comment)

        await self._database.write(work)

    async def delete(self, owner: str, conversation_id: str) -> None:
        """Delete a conversation, its messages, what a search finds of them, and its pictures.

        Pictures that another conversation shows stay. Nothing of it can be read from the files of
        the database afterwards.
        """
        await self._deletion.delete(owner, conversation_id)

    async def delete_all(self, owner: str) -> int:
        """Delete all conversations of an owner; gives their number."""
        return await self._deletion.delete_all(owner)

    async def sweep(self, now: datetime) -> int:
        """Delete what has outlived ``storage.conversation_days`` and what stayed empty for a day.

        Gives the number of conversations deleted.
        """
        return await self._deletion.sweep(now)

    async def count_due(self, now: datetime) -> int:
        """How many conversations `sweep` would delete now."""
        return await self._deletion.count_due(now)

    async def stream(
        self, owner: str, conversation_id: str | None = None
    ) -> AsyncIterator[tuple[Conversation, StoredMessage]]:
        """Every message with its conversation, a page in memory at a time, for exports.

        Conversations come in the order of their making, messages in theirs; what changes
        meanwhile neither loses nor doubles one.
        """
        if conversation_id is not None:
            await self._database.read(
                partial(find_conversation, owner=owner, conversation_id=conversation_id)
            )
        page = await self._database.read(partial(read_on, owner=owner, within=conversation_id))
        while page:
            for conversation, _, message in page:
                yield conversation, message
            last = page[-1]
            page = await self._database.read(
                partial(read_on, owner=owner, within=conversation_id, after=last)
            )

    async def parents(self, owner: str, conversation_id: str) -> dict[str, str | None]:
        """What each message of a conversation answers, in their order; empty once it is deleted."""
        return await self._database.read(
            partial(read_parents, owner=owner, conversation_id=conversation_id)
        )

    async def restore(
        self, owner: str, conversation: Conversation, messages: Sequence[StoredMessage]
    ) -> Conversation:
        """Add an exported conversation with new ids, in one transaction.

        Every parent must come before what answers it. Times that lie ahead become now.

        Raises:
            InvalidRequest: a parent is missing, or there are too many conversations or messages.
        """
        made, restored = renew(
            replace(conversation, owner=owner), messages, new_id=self._new_id, now=self._clock.now()
        )
        await self._keep_pictures(restored)

        def work(connection: Connection) -> Conversation:
            insert_conversation(connection, made, self._limits)
            if restored:
                insert_messages(connection, made.conversation_id, restored, self._limits)
            return made

        return await self._database.write(work)

    async def _keep_pictures(self, messages: Sequence[StoredMessage]) -> None:
        """The words matter more than the pictures: these are tried again with the next saving."""
        shown = picture_ids(messages)
        if shown and self._images is not None:
            try:
                await self._images.hold(shown)
            except StorageUnavailable as error:
                structlog.get_logger(__name__).warning("pictures_not_held", reason=error.message)
