"""Passwords, tokens that are spent, counted guesses."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ID = sa.String(64)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "sign_ins",
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("account_id", name="pk_sign_ins"),
        _account_of("sign_ins"),
    )
    op.create_table(
        "spent_tokens",
        sa.Column("token_id", _ID, nullable=False),
        sa.Column("account_id", _ID),
        sa.Column("ends_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("token_id", name="pk_spent_tokens"),
        _account_of("spent_tokens"),
    )
    op.create_index("ix_spent_tokens_account_id", "spent_tokens", ["account_id"])
    op.create_index("ix_spent_tokens_ends_at", "spent_tokens", ["ends_at"])
    op.create_table(
        "guesses",
        sa.Column("bucket", _ID, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("bucket", name="pk_guesses"),
    )
    op.create_index("ix_guesses_since", "guesses", ["since"])


def _account_of(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["account_id"],
        ["accounts.account_id"],
        name=f"fk_{table}_account_id",
        ondelete="CASCADE",
    )
