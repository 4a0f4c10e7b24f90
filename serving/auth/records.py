"""Accounts, groups, keys and the log of their changes as frozen values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from chatbot.types import JsonObject
from serving.auth.quotas import NO_QUOTAS, Quotas
from serving.auth.scopes import Scopes

LOCAL: Final = "local"
"""Id and name of the account of everyone who uses a server without keys."""
DELETED: Final = "deleted"
"""Stands wherever the id of an account stood that was deleted."""
LONGEST_NAME: Final = 128
"""Characters of a user's name."""
LEAVING: Final = "~"
"""Begins the name of an account that is being deleted; no user's name can."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The engines and tools that may be used, by name (``None``: all of them), and how much."""

    engines: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    quotas: Quotas = NO_QUOTAS

    def opens_engine(self, name: str) -> bool:
        """Whether the engine of this name may be called."""
        return self.engines is None or name in self.engines

    def opens_tool(self, name: str) -> bool:
        """Whether the tool of this name may be used."""
        return self.tools is None or name in self.tools


NO_LIMITS: Final = Limits()


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """Accounts with the same ``limits``, each; ``total`` is for all of them together."""

    group_id: str
    name: str
    created_at: datetime
    limits: Limits = NO_LIMITS
    total: Quotas = NO_QUOTAS


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    """Whoever owns conversations and keys; one that is disabled has no valid key."""

    account_id: str
    name: str
    created_at: datetime
    limits: Limits = NO_LIMITS
    disabled_at: datetime | None = None
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiKey:
    """What is kept of a key: everything but its secret.

    One that was rotated is ``replaced_by`` another and counts until ``overlap_ends_at``.
    ``last_used_at`` is exact to the minute.
    """

    key_id: str
    account_id: str
    name: str
    scopes: Scopes
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    replaced_by: str | None = None
    overlap_ends_at: datetime | None = None
    last_used_at: datetime | None = None

    @property
    def ends_at(self) -> datetime | None:
        """When it stops to count, or has stopped; ``None``: never."""
        ends = (self.expires_at, self.revoked_at, self.overlap_ends_at)
        return min((end for end in ends if end is not None), default=None)

    def counts(self, now: datetime) -> bool:
        """Whether it is neither expired nor revoked nor replaced for good."""
        return self.ends_at is None or now < self.ends_at


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEntry:
    """One change: ``actor`` did ``action`` to ``subject`` (an id), with ``details``."""

    at: datetime
    actor: str
    action: str
    subject: str
    details: JsonObject
