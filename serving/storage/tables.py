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

REVISION: Final = "0007"
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
_NAME: Final = String(128)

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

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("account_id", _ID, primary_key=True),
    Column("name", _NAME, nullable=False, unique=True),
    Column("engines", JsonText),
    Column("tools", JsonText),
    Column("quotas", JsonText),
    Column("created_at", Moment, nullable=False),
    Column("disabled_at", Moment),
)
"""``engines`` and ``tools`` are lists of names; NULL: no limit. So it is with groups.

``quotas`` are numbers by name; ``total`` is for all members of a group together.
"""

GROUPS: Final = Table(
    "account_groups",
    METADATA,
    Column("group_id", _ID, primary_key=True),
    Column("name", _NAME, nullable=False, unique=True),
    Column("engines", JsonText),
    Column("tools", JsonText),
    Column("quotas", JsonText),
    Column("total", JsonText),
    Column("created_at", Moment, nullable=False),
)

MEMBERSHIPS: Final = Table(
    "memberships",
    METADATA,
    Column("account_id", ForeignKey("accounts.account_id", ondelete="CASCADE"), primary_key=True),
    Column(
        "group_id",
        ForeignKey("account_groups.group_id", ondelete="CASCADE"),
        primary_key=True,
        index=True,
    ),
)

API_KEYS: Final = Table(
    "api_keys",
    METADATA,
    Column("key_id", _ID, primary_key=True),
    Column(
        "account_id",
        ForeignKey("accounts.account_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("name", _NAME, nullable=False),
    Column("scopes", JsonText, nullable=False),
    Column("kid", _WORD, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("revoked_at", Moment),
    Column("replaced_by", _ID),
    Column("overlap_ends_at", Moment),
    Column("last_used_at", Moment),
)
"""``digest`` is the HMAC-SHA-256 of the secret part, in hex, under the root secret ``kid``."""

AUDIT_LOG: Final = Table(
    "audit_log",
    METADATA,
    Column("entry_id", Integer, primary_key=True, autoincrement=True),
    Column("at", Moment, nullable=False, index=True),
    Column("actor", _NAME, nullable=False),
    Column("action", _WORD, nullable=False),
    Column("subject", _NAME, nullable=False),
    Column("details", JsonText, nullable=False),
)
"""Who changed what, of whom, when; never a secret."""

AUTH_REVISIONS: Final = Table(
    "auth_revisions",
    METADATA,
    Column("name", _WORD, primary_key=True),
    Column("revision", Integer, nullable=False),
)
"""One row; each change of accounts, groups and keys counts it up, which every worker sees."""

PROBES: Final = Table(
    "probes",
    METADATA,
    Column("name", _WORD, primary_key=True),
    Column("writes", Integer, nullable=False),
    Column("padding", Text, nullable=False),
)
"""One row that is written to see whether the database can be written."""
