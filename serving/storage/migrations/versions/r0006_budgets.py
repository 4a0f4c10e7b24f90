"""Budgets of accounts and groups, and what has been used of them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns, and make the table of counts."""
    op.add_column("accounts", sa.Column("quotas", sa.Text))
    op.add_column("account_groups", sa.Column("quotas", sa.Text))
    op.add_column("account_groups", sa.Column("total", sa.Text))
    for name, kind in (("reserved_tokens", sa.BigInteger), ("reserved_images", sa.Integer)):
        op.add_column(
            "requests", sa.Column(name, kind, nullable=False, server_default=sa.text("0"))
        )
    op.add_column("requests", sa.Column("group_ids", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "spendings",
        sa.Column("subject", sa.String(128), nullable=False),
        sa.Column("period", sa.String(10), nullable=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
        sa.Column("images", sa.BigInteger, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("running", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("subject", "period", name="pk_spendings"),
    )
