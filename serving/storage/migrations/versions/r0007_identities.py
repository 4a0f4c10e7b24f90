"""Identities at OpenID Connect providers."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_ID = sa.String(64)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "identities",
        sa.Column("identity_id", _ID, nullable=False),
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("issuer", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("identity_id", name="pk_identities"),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.account_id"],
            name="fk_identities_account_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_identities_account_id", "identities", ["account_id"])
