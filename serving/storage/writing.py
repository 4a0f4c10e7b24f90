"""What changes the rows of conversations; each function is a part of one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, insert, update

from chatbot.errors import InvalidRequest
from serving.settings import ChatSettings
from serving.storage.answers import index_messages
from serving.storage.finding import (
    count_conversations,
    count_messages,
    find_message,
)
from serving.storage.records import Conversation, Rating, StoredMessage
from serving.storage.rows import conversation_row, encodable, message_row, title_columns
from serving.storage.tables import CONVERSATIONS, MESSAGES


def insert_conversation(
    connection: Connection, conversation: Conversation, limits: ChatSettings
) -> Conversation:
    """Add a conversation.

    Raises:
        InvalidRequest: its owner has as many as an account may keep.
    """
    if count_conversations(connection, conversation.owner) >= limits.conversations:
        raise InvalidRequest(
            f"an account keeps at most {limits.conversations} conversations: delete some first"
        )
    connection.execute(insert(CONVERSATIONS), conversation_row(conversation))
    return conversation


def change_conversation(
    connection: Connection, conversation: Conversation, **values: object
) -> None:
    """Write ``values`` into the conversation's row."""
    column = CONVERSATIONS.c.conversation_id
    changed = update(CONVERSATIONS).where(column == conversation.conversation_id)
    connection.execute(changed.values(values))


def insert_messages(
    connection: Connection,
    conversation_id: str,
    messages: Sequence[StoredMessage],
    limits: ChatSettings,
) -> None:
    """Add messages behind those that are there.

    Raises:
        InvalidRequest: there would be more than a conversation may have.
    """
    stored = count_messages(connection, conversation_id)
    if stored + len(messages) > limits.messages:
        raise InvalidRequest(
            f"a conversation has at most {limits.messages} messages: begin a new one"
        )
    own = [replace(message, conversation_id=conversation_id) for message in messages]
    rows = [message_row(message, number) for number, message in enumerate(own, start=stored)]
    connection.execute(insert(MESSAGES), rows)
    index_messages(connection, own)


def begin_answer(
    connection: Connection,
    conversation: Conversation,
    *,
    user: StoredMessage | None,
    answer: StoredMessage,
    title: str,
    limits: ChatSettings,
    now: datetime,
) -> Conversation:
    """Add what the user wrote, if it is new, and the answer that begins; show that branch.

    A conversation without a title, whose owner chose none, is called ``title``.

    Raises:
        InvalidRequest: a parent is missing or has the wrong role, or there are too many messages.
    """
    if user is None:
        check_parent(connection, conversation, answer.parent, role="user")
    elif user.parent is not None:
        check_parent(connection, conversation, user.parent, role="assistant")
    new = (answer,) if user is None else (user, answer)
    insert_messages(connection, conversation.conversation_id, new, limits)
    shown_at = max(now, conversation.updated_at)  # a clock that goes back moves nothing down
    begun = replace(
        conversation,
        title=conversation.title or title,
        current=answer.message_id,
        updated_at=shown_at,
    )
    change_conversation(
        connection,
        conversation,
        current=begun.current,
        updated_at=shown_at,
        **title_columns(begun.title, is_named=begun.is_named),
    )
    return begun


def check_parent(
    connection: Connection, conversation: Conversation, parent: str | None, *, role: str
) -> None:
    """Look whether ``parent`` is a message of this conversation by ``role``.

    Raises:
        InvalidRequest: it is not.
    """
    found = find_message(connection, conversation.conversation_id, parent or "")
    if found.role != role:
        raise InvalidRequest(f"the parent is no message of the {role}", param="parent")


def rate_message(
    connection: Connection, message: StoredMessage, rating: Rating | None, comment: str | None
) -> None:
    """Keep what a person thinks of an answer.

    Raises:
        InvalidRequest: it is no answer.
    """
    if message.role != "assistant":
        raise InvalidRequest("only answers are rated")
    words = None if comment is None else encodable(comment)
    rated = update(MESSAGES).where(MESSAGES.c.message_id == message.message_id)
    connection.execute(rated.values(rating=rating, comment=words))
