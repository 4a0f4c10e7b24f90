"""Reads all messages of an owner page by page, in an order that never changes."""

from typing import Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from serving.storage.records import Conversation, StoredMessage
from serving.storage.rows import MESSAGE_COLUMNS, read_conversation, read_message
from serving.storage.tables import CONVERSATIONS, MESSAGES

Placed: TypeAlias = tuple[Conversation, int, StoredMessage]
"""A message with its conversation and its position there."""

PAGE: Final = 100


def read_on(
    connection: Connection,
    owner: str,
    *,
    within: str | None,
    after: Placed | None = None,
    limit: int = PAGE,
) -> tuple[Placed, ...]:
    """The next messages behind ``after``; of one conversation where ``within`` names it."""
    asked = (
        select(CONVERSATIONS, MESSAGES.c.position, *MESSAGE_COLUMNS)
        .join(MESSAGES, MESSAGES.c.conversation_id == CONVERSATIONS.c.conversation_id)
        .where(CONVERSATIONS.c.owner == owner)
        .order_by(CONVERSATIONS.c.created_at, CONVERSATIONS.c.conversation_id, MESSAGES.c.position)
        .limit(limit)
    )
    if within is not None:
        asked = asked.where(CONVERSATIONS.c.conversation_id == within)
    if after is not None:
        asked = asked.where(_follows(after))
    rows = connection.execute(asked).mappings()
    return tuple(
        (read_conversation(row), row[MESSAGES.c.position], read_message(row)) for row in rows
    )


def read_parents(connection: Connection, owner: str, conversation_id: str) -> dict[str, str | None]:
    """What each message of a conversation answers, in their order; empty without such a one."""
    asked = (
        select(MESSAGES.c.message_id, MESSAGES.c.parent)
        .join(CONVERSATIONS, MESSAGES.c.conversation_id == CONVERSATIONS.c.conversation_id)
        .where(CONVERSATIONS.c.owner == owner, CONVERSATIONS.c.conversation_id == conversation_id)
        .order_by(MESSAGES.c.position)
    )
    return {row.message_id: row.parent for row in connection.execute(asked)}


def _follows(after: Placed) -> ColumnElement[bool]:
    conversation, position, _ = after
    columns = CONVERSATIONS.c
    is_same = columns.conversation_id == conversation.conversation_id
    return and_(
        columns.created_at >= conversation.created_at,
        or_(
            columns.created_at > conversation.created_at,
            columns.conversation_id > conversation.conversation_id,
            and_(is_same, MESSAGES.c.position > position),
        ),
    )
