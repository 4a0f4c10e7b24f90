"""Who a request comes from, and what that allows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from chatbot.errors import ErrorCode
from serving.auth.records import LOCAL, NO_LIMITS, Group, Limits
from serving.auth.scopes import ALL, Scope, Scopes, list_scopes
from serving.http.errors import Refusal


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """An account behind one of its keys, or its session on the web; neither: a server without keys.

    ``account`` owns whatever the request makes, and sees nothing else; ``ends_at`` is when the key
    stops to count, if ever. ``by_cookie``: its browser has sent the session by itself, maybe for a
    page of others, so a request that changes something has to come from our own. ``has_password``:
    its account has one to change; told of sessions alone.
    """

    account: str
    name: str
    scopes: Scopes
    key_id: str | None = None
    session_id: str | None = None
    by_cookie: bool = False
    has_password: bool = False
    ends_at: datetime | None = None
    limits: Limits = NO_LIMITS
    groups: tuple[Group, ...] = ()

    @property
    def is_admin(self) -> bool:
        """Whether it may see to everyone's keys."""
        return Scope.ADMIN in self.scopes

    def require(self, *scopes: Scope) -> None:
        """Go on where the key has one of ``scopes``.

        Raises:
            Refusal: it has none of them (``insufficient_scope``).
        """
        if self.scopes.isdisjoint(scopes):
            kind = "key" if self.session_id is None else "session"
            needed = " or ".join(repr(name) for name in list_scopes(frozenset(scopes)))
            raise Refusal(
                f"this {kind} lacks the scope {needed}; use a key that has it",
                code=ErrorCode.INSUFFICIENT_SCOPE,
            )


EVERYONE: Final = Caller(account=LOCAL, name=LOCAL, scopes=ALL)
"""Whoever asks a server without keys, which only its own machine reaches."""
