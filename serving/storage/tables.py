"""The tables of the database as the newest revision leaves them, in portable SQL."""

from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from serving.storage.columns import JsonText, Moment

REVISION: Final = "0001"
"""The newest revision in `serving/storage/migrations`; a database that has it needs nothing."""

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_ID: Final = String(64)
_WORD: Final = String(32)

CONVERSATIONS: Final = Table(
    "conversations",
    METADATA,
    Column("conversation_id", _ID, primary_key=True),
    Column("owner", String(128), nullable=False),
    Column("title", Text, nullable=False),
    Column("folded_title", Text, nullable=False),
    Column("is_named", Boolean, nullable=False),
    Column("parameters", JsonText, nullable=False),
    Column("current", _ID),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    Index(None, "owner", "updated_at", "conversation_id"),
    Index(None, "owner", "created_at", "conversation_id"),
    Index(None, "updated_at"),
)

MESSAGES: Final = Table(
    "messages",
    METADATA,
    Column("message_id", _ID, primary_key=True),
    Column(
        "conversation_id",
        ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("position", Integer, nullable=False),
    Column("parent", _ID),
    Column("role", _WORD, nullable=False),
    Column("state", _WORD, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("force", _ID),
    Column("request_id", _ID),
    Column("finish_reason", _WORD),
    Column("first_text_ms", Integer),
    Column("total_ms", Integer),
    Column("rating", _WORD),
    Column("comment", Text),
    Column("error", JsonText),
    Column("parameters", JsonText, nullable=False),
    Column("parts", JsonText, nullable=False),
    UniqueConstraint("conversation_id", "position"),
)

SEARCH_TEXTS: Final = Table(
    "search_texts",
    METADATA,
    Column("message_id", ForeignKey("messages.message_id", ondelete="CASCADE"), primary_key=True),
    Column(
        "conversation_id",
        ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("words", Text, nullable=False),
)
"""Folded words of each message; apart from the parts, so that a search reads nothing else."""

PICTURES: Final = Table(
    "pictures",
    METADATA,
    Column("image_id", _ID, primary_key=True),
    Column(
        "message_id",
        ForeignKey("messages.message_id", ondelete="CASCADE"),
        primary_key=True,
        index=True,
    ),
    Column(
        "conversation_id",
        ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
)

CALLS: Final = Table(
    "calls",
    METADATA,
    Column("message_id", _ID, primary_key=True),
    Column("owner", String(128), nullable=False),
    Column("body_hash", String(128), nullable=False),
    Column("parts", JsonText, nullable=False),
    Column("created_at", Moment, nullable=False, index=True),
)

PROBES: Final = Table(
    "probes",
    METADATA,
    Column("name", _WORD, primary_key=True),
    Column("writes", Integer, nullable=False),
    Column("padding", Text, nullable=False),
)
"""One row that is written to see whether the database can be written."""
