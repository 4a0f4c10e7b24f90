"""Conversations and messages as rows of the tables, and rows as conversations and messages."""

from dataclasses import fields
from typing import Any, Final, TypeAlias

from sqlalchemy import RowMapping

from serving.storage.records import Conversation, StoredMessage
from serving.storage.search import fold_words
from serving.storage.tables import CONVERSATIONS, MESSAGES

Row: TypeAlias = dict[str, Any]  # Any: what SQLAlchemy takes, each column of its own type

_CONVERSATION: Final = {field.name: CONVERSATIONS.c[field.name] for field in fields(Conversation)}
MESSAGE_COLUMNS: Final = tuple(column for column in MESSAGES.c if column.name != "position")
ANSWER_FIELDS: Final = (
    "state",
    "parts",
    "parameters",
    "force",
    "finish_reason",
    "error",
    "first_text_ms",
    "total_ms",
)
"""What changes while an answer is made; people's rating of it does not."""


def conversation_row(conversation: Conversation) -> Row:
    """The conversation as a row."""
    return {
        "conversation_id": conversation.conversation_id,
        "owner": conversation.owner,
        "parameters": conversation.parameters,
        "current": conversation.current,
        "created_at": conversation.created_at,
        "updated_at": conversation.updated_at,
        **title_columns(conversation.title, is_named=conversation.is_named),
    }


def title_columns(title: str, *, is_named: bool) -> Row:
    """What changes with a title."""
    whole = encodable(title)
    return {"title": whole, "folded_title": fold_words(whole), "is_named": is_named}


def read_conversation(row: RowMapping) -> Conversation:
    """The conversation that a row holds, whatever else it holds."""
    return Conversation(**{name: row[column] for name, column in _CONVERSATION.items()})


def message_row(message: StoredMessage, position: int) -> Row:
    """The message as a row, ``position`` in its conversation."""
    return {
        "message_id": message.message_id,
        "conversation_id": message.conversation_id,
        "position": position,
        "parent": message.parent,
        "role": message.role,
        "created_at": message.created_at,
        "request_id": message.request_id,
        "rating": message.rating,
        "comment": None if message.comment is None else encodable(message.comment),
        **answer_row(message),
    }


def answer_row(message: StoredMessage) -> Row:
    """The columns of a message that change while it is made."""
    return {name: getattr(message, name) for name in ANSWER_FIELDS}


def read_message(row: RowMapping) -> StoredMessage:
    """The message that a row of `MESSAGE_COLUMNS` holds, whatever else it holds."""
    values = {column.name: row[column] for column in MESSAGE_COLUMNS}
    return StoredMessage(**{**values, "parts": tuple(values["parts"])})


def encodable(text: str) -> str:
    """``text`` as every database takes it: without NUL and halves of surrogate pairs."""
    return text.replace("\0", "").encode(errors="replace").decode()
