"""The tables of signing in: passwords, identities, tokens that are spent, counted guesses."""

from typing import Final

from sqlalchemy import Column, ForeignKey, Integer, String, Table, Text

from serving.storage.columns import Moment
from serving.storage.tables import METADATA

_ID: Final = String(64)

SIGN_INS: Final = Table(
    "sign_ins",
    METADATA,
    Column("account_id", ForeignKey("accounts.account_id", ondelete="CASCADE"), primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("password", Text),
    Column("changed_at", Moment, nullable=False),
)
"""``password`` is argon2's own text of parameters, salt and hash; NULL: there is none.

Sessions and links of another ``epoch`` than this do not count; without a row it is 0.
"""

SPENT_TOKENS: Final = Table(
    "spent_tokens",
    METADATA,
    Column("token_id", _ID, primary_key=True),
    Column("account_id", ForeignKey("accounts.account_id", ondelete="CASCADE"), index=True),
    Column("ends_at", Moment, nullable=False, index=True),
)
"""Signed tokens that count no more before their time: sessions that were signed out.

Also the states of sign-ins by a provider, of no account.
"""

IDENTITIES: Final = Table(
    "identities",
    METADATA,
    Column("identity_id", _ID, primary_key=True),
    Column(
        "account_id",
        ForeignKey("accounts.account_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
)
"""Whom an OpenID Connect provider knows; ``identity_id`` is the SHA-256 of issuer and subject."""

GUESSES: Final = Table(
    "guesses",
    METADATA,
    Column("bucket", _ID, primary_key=True),
    Column("tries", Integer, nullable=False),
    Column("since", Moment, nullable=False, index=True),
)
"""How often a password was tried since then; ``bucket`` is a MAC of the name or the address."""
