"""The ledger: requests, their legs, and the price lists they were charged by."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_ID = sa.String(64)
_WORD = sa.String(32)
_NAME = sa.String(128)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    _make_requests()
    _make_legs()
    op.create_table(
        "price_lists",
        sa.Column("price_version", _WORD, nullable=False),
        sa.Column("prices", sa.Text, nullable=False),
        sa.Column("first_used_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("price_version", name="pk_price_lists"),
    )


def _make_requests() -> None:
    op.create_table(
        "requests",
        sa.Column("entry_id", _ID, nullable=False),
        sa.Column("request_id", _ID, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("key_id", _ID),
        sa.Column("model", _NAME, nullable=False),
        sa.Column("path", _WORD, nullable=False),
        sa.Column("state", _WORD, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("settled_at", _MOMENT),
        sa.Column("reserved", sa.BigInteger, nullable=False),
        sa.Column("charged", sa.BigInteger, nullable=False),
        sa.Column("price_version", _WORD, nullable=False),
        sa.Column("idempotency_key", _NAME),
        sa.Column("payload_hash", _NAME),
        sa.Column("message_id", _ID),
        sa.Column("finish", _WORD),
        sa.Column("error", _WORD),
        sa.Column("writer", _ID, nullable=False),
        sa.PrimaryKeyConstraint("entry_id", name="pk_requests"),
    )
    is_open = sa.text("state = 'reserved'")
    _index("owner", "created_at", "entry_id")
    _index("day")
    op.create_index(
        "ix_requests_owner_idempotency_key", "requests", ["owner", "idempotency_key"], unique=True
    )
    op.create_index(
        "ix_requests_writer",
        "requests",
        ["writer"],
        sqlite_where=is_open,
        postgresql_where=is_open,
    )


def _make_legs() -> None:
    op.create_table(
        "legs",
        sa.Column("entry_id", _ID, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("engine", _NAME, nullable=False),
        sa.Column("role", _WORD, nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger, nullable=False),
        sa.Column("completion_tokens", sa.BigInteger, nullable=False),
        sa.Column("images", sa.Integer, nullable=False),
        sa.Column("source", _WORD, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("payer", _WORD, nullable=False),
        sa.Column("ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("entry_id", "number", name="pk_legs"),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["requests.entry_id"],
            name="fk_legs_entry_id",
            ondelete="CASCADE",
        ),
    )


def _index(*columns: str) -> None:
    op.create_index("_".join(("ix_requests", *columns)), "requests", list(columns))
