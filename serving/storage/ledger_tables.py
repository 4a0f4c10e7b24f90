"""The tables of the ledger, in portable SQL: a row each request, and one each engine call."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    text,
)

from serving.storage.columns import Moment
from serving.storage.tables import METADATA

_ID: Final = String(64)
_WORD: Final = String(32)
_NAME: Final = String(128)
_OPEN: Final = text("state = 'reserved'")

REQUESTS: Final = Table(
    "requests",
    METADATA,
    Column("entry_id", _ID, primary_key=True),
    Column("request_id", _ID, nullable=False),
    Column("owner", _NAME, nullable=False),
    Column("key_id", _ID),
    Column("model", _NAME, nullable=False),
    Column("path", _WORD, nullable=False),
    Column("state", _WORD, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("day", String(10), nullable=False),
    Column("settled_at", Moment),
    Column("reserved", BigInteger, nullable=False),
    Column("reserved_tokens", BigInteger, nullable=False, server_default="0"),
    Column("reserved_images", Integer, nullable=False, server_default="0"),
    Column("group_ids", Text, nullable=False, server_default=""),
    Column("charged", BigInteger, nullable=False),
    Column("price_version", _WORD, nullable=False),
    Column("idempotency_key", _NAME),
    Column("payload_hash", _NAME),
    Column("message_id", _ID),
    Column("finish", _WORD),
    Column("error", _WORD),
    Column("writer", _ID, nullable=False),
    Index(None, "owner", "created_at", "entry_id"),
    Index(None, "day"),
    Index(None, "owner", "idempotency_key", unique=True),
    Index(None, "writer", sqlite_where=_OPEN, postgresql_where=_OPEN),
)
"""``reserved`` and ``charged`` in micro-units of the currency; ``day`` as ``2026-07-31``.

``group_ids`` are the ids of those that count it too, between spaces. Ids of requests may be the
client's own, so a row has an id of its own. ``writer`` is the process that reserved, as long as
that counts: for what a crash left.
"""

LEGS: Final = Table(
    "legs",
    METADATA,
    Column("entry_id", ForeignKey("requests.entry_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("engine", _NAME, nullable=False),
    Column("role", _WORD, nullable=False),
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("completion_tokens", BigInteger, nullable=False),
    Column("images", Integer, nullable=False),
    Column("source", _WORD, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("payer", _WORD, nullable=False),
    Column("ms", BigInteger),
)

PRICE_LISTS: Final = Table(
    "price_lists",
    METADATA,
    Column("price_version", _WORD, primary_key=True),
    Column("prices", Text, nullable=False),
    Column("first_used_at", Moment, nullable=False),
)
"""What a price version meant, for as long as there are requests with it."""

SPENDINGS: Final = Table(
    "spendings",
    METADATA,
    Column("subject", _NAME, primary_key=True),
    Column("period", String(10), primary_key=True),
    Column("tokens", BigInteger, nullable=False),
    Column("images", BigInteger, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("running", Integer, nullable=False, server_default="0"),
)
"""What an owner or a group has used and reserved in a day (``2026-07-31``) or month (``2026-07``).

A count begins, from the rows of requests, when a budget first asks for it, and is kept on. In the
row of the period ``now`` only ``running`` is used: the requests that have not ended.
"""

KEPT_REPLIES: Final = Table(
    "kept_replies",
    METADATA,
    Column("entry_id", ForeignKey("requests.entry_id", ondelete="CASCADE"), primary_key=True),
    Column("owner", _NAME, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("media_type", _NAME, nullable=False),
    Column("size", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index(None, "owner", "created_at", "entry_id"),
    Index(None, "created_at"),
)
"""Whole replies to requests with an idempotency key; ``size`` in bytes, times of the requests."""
