"""Signed text that a browser keeps for us: sessions, links that set a password."""

import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self

from serving.storage import Keyring

PREFIX: Final = "zws."
"""With which a session begins; a key begins with ``zw_``."""
COOKIE: Final = "zwrotnica"
SECURE_COOKIE: Final = f"__Host-{COOKIE}"
"""Behind https; a browser takes a cookie of such a name from this host over https alone."""
ID_BYTES: Final = 16
_LONGEST: Final = 1024
_SESSION: Final = "web-session"
_LINK: Final = "password-link"


def seal(keyring: Keyring, purpose: str, *fields: str) -> str:
    """``fields``, which have no dot, with the kid and the HMAC-SHA-256 (hex) for ``purpose``."""
    return _seal(keyring, purpose, keyring.kid, fields)


def unseal(keyring: Keyring, purpose: str, text: str) -> tuple[str, ...] | None:
    """The fields of what `seal` made; ``None``: it is not that, or its root secret is gone."""
    if len(text) > _LONGEST or not text.isascii():
        return None
    kid, *fields = text.split(".")[:-1] or [""]
    made = _seal(keyring, purpose, kid, fields)
    return tuple(fields) if made and hmac.compare_digest(made, text) else None


def _seal(keyring: Keyring, purpose: str, kid: str, fields: Iterable[str]) -> str:
    key = keyring.find_key(purpose, kid)
    if key is None:
        return ""
    payload = ".".join((kid, *fields))
    return f"{payload}.{hmac.digest(key, payload.encode(), 'sha256').hex()}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One browser that somebody signed in with; ``epoch`` is that of the account then."""

    session_id: str
    account_id: str
    epoch: int
    ends_at: datetime

    @classmethod
    def make(cls, *, account_id: str, epoch: int, ends_at: datetime) -> Self:
        """A fresh one; its end is kept to the second."""
        return cls(
            session_id=secrets.token_hex(ID_BYTES),
            account_id=account_id,
            epoch=epoch,
            ends_at=ends_at.replace(microsecond=0),
        )

    @classmethod
    def read(cls, text: str, keyring: Keyring) -> Self | None:
        """The session that ``text`` stands for; ``None``: it is none of ours."""
        fields = unseal(keyring, _SESSION, text.removeprefix(PREFIX))
        if fields is None or not text.startswith(PREFIX):
            return None
        session_id, account_id, epoch, ends_at = fields
        return cls(
            session_id=session_id,
            account_id=account_id,
            epoch=int(epoch),
            ends_at=datetime.fromtimestamp(int(ends_at), UTC),
        )

    def write(self, keyring: Keyring) -> str:
        """The text that the browser keeps: whoever has it is the account."""
        ends_at = int(self.ends_at.timestamp())
        fields = (self.session_id, self.account_id, str(self.epoch), str(ends_at))
        return PREFIX + seal(keyring, _SESSION, *fields)


@dataclass(frozen=True, kw_only=True, slots=True)
class PasswordLink:
    """Leave to set the password of an account, once: that counts up the ``epoch``."""

    account_id: str
    epoch: int
    ends_at: datetime

    @classmethod
    def read(cls, text: str, keyring: Keyring) -> Self | None:
        """What ``text`` allows; ``None``: it is none of ours."""
        fields = unseal(keyring, _LINK, text)
        if fields is None:
            return None
        account_id, epoch, ends_at = fields
        ends = datetime.fromtimestamp(int(ends_at), UTC)
        return cls(account_id=account_id, epoch=int(epoch), ends_at=ends)

    def write(self, keyring: Keyring) -> str:
        """The text for the link."""
        fields = (self.account_id, str(self.epoch), str(int(self.ends_at.timestamp())))
        return seal(keyring, _LINK, *fields)


def read_cookie(headers: Iterable[tuple[bytes, bytes]], *, is_https: bool) -> str | None:
    """The session's text among the cookies of an ASGI scope.

    Behind https that of this host counts alone: any host beside it (``evil.example.edu`` beside
    ``czat.example.edu``) can have browsers send the other. Elsewhere it goes first.
    """
    found: dict[str, str] = {}
    for name, value in headers:
        if name == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                own, _, text = pair.strip().partition("=")
                found.setdefault(own, text)
    return found.get(SECURE_COOKIE) or (None if is_https else found.get(COOKIE)) or None
