"""Accounts, groups and keys, the log of their changes, and the counter that tells of them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ID = sa.String(64)
_WORD = sa.String(32)
_NAME = sa.String(128)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    _make_accounts()
    _make_memberships()
    _make_keys()
    op.create_table(
        "audit_log",
        sa.Column("entry_id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("actor", _NAME, nullable=False),
        sa.Column("action", _WORD, nullable=False),
        sa.Column("subject", _NAME, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("entry_id", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_at", "audit_log", ["at"])
    op.create_table(
        "auth_revisions",
        sa.Column("name", _WORD, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_auth_revisions"),
    )


def _make_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("name", _NAME, nullable=False),
        sa.Column("engines", sa.Text),
        sa.Column("tools", sa.Text),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("disabled_at", _MOMENT),
        sa.PrimaryKeyConstraint("account_id", name="pk_accounts"),
        sa.UniqueConstraint("name", name="uq_accounts_name"),
    )
    op.create_table(
        "account_groups",
        sa.Column("group_id", _ID, nullable=False),
        sa.Column("name", _NAME, nullable=False),
        sa.Column("engines", sa.Text),
        sa.Column("tools", sa.Text),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("group_id", name="pk_account_groups"),
        sa.UniqueConstraint("name", name="uq_account_groups_name"),
    )


def _make_memberships() -> None:
    op.create_table(
        "memberships",
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("group_id", _ID, nullable=False),
        sa.PrimaryKeyConstraint("account_id", "group_id", name="pk_memberships"),
        _key_to("accounts", "account_id", of="memberships"),
        _key_to("account_groups", "group_id", of="memberships"),
    )
    op.create_index("ix_memberships_group_id", "memberships", ["group_id"])


def _make_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("key_id", _ID, nullable=False),
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("name", _NAME, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("kid", _WORD, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT),
        sa.Column("revoked_at", _MOMENT),
        sa.Column("replaced_by", _ID),
        sa.Column("overlap_ends_at", _MOMENT),
        sa.Column("last_used_at", _MOMENT),
        sa.PrimaryKeyConstraint("key_id", name="pk_api_keys"),
        _key_to("accounts", "account_id", of="api_keys"),
    )
    op.create_index("ix_api_keys_account_id", "api_keys", ["account_id"])


def _key_to(table: str, column: str, *, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{table}.{column}"], name=f"fk_{of}_{column}", ondelete="CASCADE"
    )
