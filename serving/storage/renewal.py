"""Gives an imported conversation and its messages ids of their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from chatbot.errors import InvalidRequest
from serving.storage.records import Conversation, StoredMessage
from serving.storage.rows import encodable


def renew(
    conversation: Conversation,
    messages: Sequence[StoredMessage],
    *,
    new_id: Callable[[], str],
    now: datetime,
) -> tuple[Conversation, tuple[StoredMessage, ...]]:
    """Both with new ids, hanging together as before, and nothing of a time after ``now``.

    Raises:
        InvalidRequest: a parent does not come before its child, or an id comes twice.
    """
    ids = {message.message_id: new_id() for message in messages}
    renewed = replace(
        conversation,
        conversation_id=new_id(),
        title=encodable(conversation.title),
        current=ids.get(conversation.current or ""),
        created_at=min(conversation.created_at, now),
        updated_at=min(conversation.updated_at, now),
    )
    return renewed, renumber(messages, ids, renewed.conversation_id, now)


def renumber(
    messages: Sequence[StoredMessage],
    ids: Mapping[str, str],
    conversation_id: str,
    now: datetime,
) -> tuple[StoredMessage, ...]:
    """The messages with new ids, none of a time after ``now``.

    Raises:
        InvalidRequest: a parent does not come before its child, or an id comes twice.
    """
    seen: set[str] = set()
    for message in messages:
        if message.parent is not None and message.parent not in seen:
            raise InvalidRequest("a message comes before the one that it answers", param="parent")
        seen.add(message.message_id)
    if len(seen) != len(messages):
        raise InvalidRequest("two messages have the same id", param="id")
    return tuple(
        replace(
            message,
            message_id=ids[message.message_id],
            conversation_id=conversation_id,
            parent=None if message.parent is None else ids[message.parent],
            created_at=min(message.created_at, now),
        )
        for message in messages
    )
