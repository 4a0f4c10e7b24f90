"""Whole replies to requests that came with an idempotency key."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_ID = sa.String(64)
_NAME = sa.String(128)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "kept_replies",
        sa.Column("entry_id", _ID, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("media_type", _NAME, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("entry_id", name="pk_kept_replies"),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["requests.entry_id"],
            name="fk_kept_replies_entry_id",
            ondelete="CASCADE",
        ),
    )
    columns = ["owner", "created_at", "entry_id"]
    op.create_index("ix_kept_replies_owner_created_at_entry_id", "kept_replies", columns)
    op.create_index("ix_kept_replies_created_at", "kept_replies", ["created_at"])
