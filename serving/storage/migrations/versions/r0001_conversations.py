"""The first tables: conversations, messages, what is searched, pictures, calls of API turns."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.String(64)
_WORD = sa.String(32)
_OWNER = sa.String(128)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    _make_conversations()
    _make_messages()
    _make_satellites()
    op.create_table(
        "calls",
        sa.Column("message_id", _ID, nullable=False),
        sa.Column("owner", _OWNER, nullable=False),
        sa.Column("body_hash", _OWNER, nullable=False),
        sa.Column("parts", sa.Text, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("message_id", name="pk_calls"),
    )
    op.create_index("ix_calls_created_at", "calls", ["created_at"])
    op.create_table(
        "probes",
        sa.Column("name", _WORD, nullable=False),
        sa.Column("writes", sa.Integer, nullable=False),
        sa.Column("padding", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_probes"),
    )


def _make_conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("conversation_id", _ID, nullable=False),
        sa.Column("owner", _OWNER, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("folded_title", sa.Text, nullable=False),
        sa.Column("is_named", sa.Boolean, nullable=False),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("current", _ID),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("conversation_id", name="pk_conversations"),
    )
    for moment in ("updated_at", "created_at"):
        op.create_index(
            f"ix_conversations_owner_{moment}_conversation_id",
            "conversations",
            ["owner", moment, "conversation_id"],
        )
    op.create_index("ix_conversations_updated_at", "conversations", ["updated_at"])


def _make_messages() -> None:
    op.create_table(
        "messages",
        sa.Column("message_id", _ID, nullable=False),
        sa.Column("conversation_id", _ID, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("parent", _ID),
        sa.Column("role", _WORD, nullable=False),
        sa.Column("state", _WORD, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("force", _ID),
        sa.Column("request_id", _ID),
        sa.Column("finish_reason", _WORD),
        sa.Column("first_text_ms", sa.Integer),
        sa.Column("total_ms", sa.Integer),
        sa.Column("rating", _WORD),
        sa.Column("comment", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("parts", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("message_id", name="pk_messages"),
        _key_to("conversations", "conversation_id", of="messages"),
        sa.UniqueConstraint(
            "conversation_id", "position", name="uq_messages_conversation_id_position"
        ),
    )


def _make_satellites() -> None:
    op.create_table(
        "search_texts",
        sa.Column("message_id", _ID, nullable=False),
        sa.Column("conversation_id", _ID, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("message_id", name="pk_search_texts"),
        _key_to("messages", "message_id", of="search_texts"),
        _key_to("conversations", "conversation_id", of="search_texts"),
    )
    op.create_table(
        "pictures",
        sa.Column("image_id", _ID, nullable=False),
        sa.Column("message_id", _ID, nullable=False),
        sa.Column("conversation_id", _ID, nullable=False),
        sa.PrimaryKeyConstraint("image_id", "message_id", name="pk_pictures"),
        _key_to("messages", "message_id", of="pictures"),
        _key_to("conversations", "conversation_id", of="pictures"),
    )
    for table in ("search_texts", "pictures"):
        op.create_index(f"ix_{table}_conversation_id", table, ["conversation_id"])
    op.create_index("ix_pictures_message_id", "pictures", ["message_id"])


def _key_to(table: str, column: str, *, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{table}.{column}"], name=f"fk_{of}_{column}", ondelete="CASCADE"
    )
