"""Accounts, groups and keys as JSON objects, for commands and routes alike; never a secret."""

from datetime import datetime

from chatbot.types import JsonValue
from serving.auth.quotas import quota_fields
from serving.auth.records import Account, ApiKey, AuditEntry, Group, Limits
from serving.auth.scopes import list_scopes


def key_fields(key: ApiKey, user: str, now: datetime) -> dict[str, JsonValue]:
    """A key of the user of this name."""
    return {
        "id": key.key_id,
        "user": user,
        "name": key.name,
        "scopes": [*list_scopes(key.scopes)],
        "state": state_of(key, now),
        "created_at": as_text(key.created_at),
        "expires_at": as_text(key.expires_at),
        "revoked_at": as_text(key.revoked_at),
        "replaced_by": key.replaced_by,
        "overlap_ends_at": as_text(key.overlap_ends_at),
        "last_used_at": as_text(key.last_used_at),
    }


def state_of(key: ApiKey, now: datetime) -> str:
    """What has become of a key, in a word."""
    if key.revoked_at is not None:
        return "revoked"
    if key.replaced_by is not None:
        return "replaced"
    return "valid" if key.counts(now) else "expired"


def user_fields(account: Account) -> dict[str, JsonValue]:
    """A user."""
    return {
        "name": account.name,
        "account": account.account_id,
        "groups": [group.name for group in account.groups],
        **_limit_fields(account.limits),
        "created_at": as_text(account.created_at),
        "disabled_at": as_text(account.disabled_at),
    }


def group_fields(group: Group) -> dict[str, JsonValue]:
    """A group."""
    return {
        "name": group.name,
        **_limit_fields(group.limits),
        "total": quota_fields(group.total),
        "created_at": as_text(group.created_at),
    }


def entry_fields(entry: AuditEntry) -> dict[str, JsonValue]:
    """A change."""
    return {
        "at": as_text(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "subject": entry.subject,
        "details": dict(entry.details),
    }


def as_text(moment: datetime | None) -> str | None:
    """A moment as JSON has it."""
    return None if moment is None else moment.isoformat()


def _limit_fields(limits: Limits) -> dict[str, JsonValue]:
    """Null: no limit."""
    return {
        "engines": None if limits.engines is None else [*sorted(limits.engines)],
        "tools": None if limits.tools is None else [*sorted(limits.tools)],
        "quotas": quota_fields(limits.quotas),
    }
