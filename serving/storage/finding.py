"""Looks up rows of one owner; what another owner has does not exist."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, func, select

from chatbot.errors import ErrorCode, InvalidRequest
from serving.storage.paging import ORDER, follows
from serving.storage.records import Conversation, StoredMessage
from serving.storage.rows import MESSAGE_COLUMNS, read_conversation, read_message
from serving.storage.search import matches
from serving.storage.tables import CONVERSATIONS, MESSAGES, PICTURES

Owners: TypeAlias = Mapping[str, frozenset[str]]
"""The owners of the conversations that show a picture, by its id."""

Words = tuple[tuple[str, ...], ...]

SLICE: Final = 64
"""Messages that are read at once."""

NO_CONVERSATION: Final = "there is no such conversation"
NO_MESSAGE: Final = "there is no such message in this conversation"


def find_conversation(connection: Connection, owner: str, conversation_id: str) -> Conversation:
    """The owner's conversation.

    Raises:
        InvalidRequest: there is none of this id (``not_found``).
    """
    columns = CONVERSATIONS.c
    asked = select(CONVERSATIONS).where(
        columns.conversation_id == conversation_id, columns.owner == owner
    )
    row = connection.execute(asked).mappings().first()
    if row is None:
        raise InvalidRequest(NO_CONVERSATION, code=ErrorCode.NOT_FOUND)
    return read_conversation(row)


def find_message(connection: Connection, conversation_id: str, message_id: str) -> StoredMessage:
    """The message of a conversation whose owner has been checked.

    Raises:
        InvalidRequest: there is none of this id (``not_found``).
    """
    columns = MESSAGES.c
    asked = select(*MESSAGE_COLUMNS).where(
        columns.message_id == message_id, columns.conversation_id == conversation_id
    )
    row = connection.execute(asked).mappings().first()
    if row is None:
        raise InvalidRequest(NO_MESSAGE, code=ErrorCode.NOT_FOUND)
    return read_message(row)


def list_messages(connection: Connection, conversation_id: str) -> tuple[StoredMessage, ...]:
    """All messages in the order in which they were stored.

    They are read in slices: between two of them other tasks have their turn.
    """
    columns = MESSAGES.c
    asked = (
        select(*MESSAGE_COLUMNS)
        .where(columns.conversation_id == conversation_id)
        .order_by(columns.position)
    )
    found: list[StoredMessage] = []
    is_whole = False
    while not is_whole:
        of_slice = asked.where(columns.position >= len(found)).limit(SLICE)
        rows = connection.execute(of_slice).mappings().all()
        found += map(read_message, rows)
        is_whole = len(rows) < SLICE
    return tuple(found)


def count_messages(connection: Connection, conversation_id: str) -> int:
    """Messages of a conversation, which is also the next one's position: none is ever removed."""
    counted = select(func.count()).where(MESSAGES.c.conversation_id == conversation_id)
    return connection.execute(counted).scalar_one()


def count_conversations(connection: Connection, owner: str) -> int:
    """Conversations of an owner."""
    counted = select(func.count()).where(CONVERSATIONS.c.owner == owner)
    return connection.execute(counted).scalar_one()


def list_conversations(
    connection: Connection, owner: str, *, words: Words, cursor: str | None, limit: int
) -> tuple[Conversation, ...]:
    """At most ``limit`` conversations behind ``cursor`` in which every word occurs.

    Raises:
        InvalidRequest: the cursor is none.
    """
    asked = select(CONVERSATIONS).where(CONVERSATIONS.c.owner == owner, *matches(words))
    if cursor is not None:
        asked = asked.where(follows(cursor))
    rows = connection.execute(asked.order_by(*ORDER).limit(limit)).mappings()
    return tuple(read_conversation(row) for row in rows)


def pictures_of(connection: Connection, conversation_ids: Iterable[str]) -> Owners:
    """The pictures that these conversations show."""
    return _pictures(connection, PICTURES.c.conversation_id.in_(tuple(conversation_ids)))


def pictures_in_use(connection: Connection, image_ids: Iterable[str]) -> Owners:
    """Those of the pictures that any conversation shows."""
    return _pictures(connection, PICTURES.c.image_id.in_(tuple(image_ids)))


def _pictures(connection: Connection, which: ColumnElement[bool]) -> Owners:
    asked = (
        select(PICTURES.c.image_id, CONVERSATIONS.c.owner)
        .join(CONVERSATIONS, CONVERSATIONS.c.conversation_id == PICTURES.c.conversation_id)
        .where(which)
    )
    owners: dict[str, frozenset[str]] = {}
    for image_id, owner in connection.execute(asked.distinct()):
        owners[image_id] = owners.get(image_id, frozenset()) | {owner}
    return owners
