"""One attempt to sign in at a provider, as the browser keeps it between its two steps."""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, Self

from serving.auth.signing_in.tokens import ID_BYTES, seal, unseal
from serving.storage import Keyring

LASTS: Final = timedelta(minutes=10)
_ATTEMPT: Final = "oidc-attempt"
_VERIFIER: Final = "oidc-verifier"
_NONCE: Final = "oidc-nonce"


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """``state`` names it; ``onward`` is the path to go on to afterwards.

    Verifier (RFC 7636) and nonce are derived of the state with the root secret, so they are in no
    browser and in no table.
    """

    state: str
    onward: str
    ends_at: datetime
    kid: str

    @classmethod
    def make(cls, *, onward: str, now: datetime, keyring: Keyring) -> Self:
        """A fresh one."""
        ends_at = (now + LASTS).replace(microsecond=0)
        state = secrets.token_hex(ID_BYTES)
        return cls(state=state, onward=onward, ends_at=ends_at, kid=keyring.kid)

    @classmethod
    def read(cls, text: str, keyring: Keyring) -> Self | None:
        """What `write` wrote; ``None``: it is none of ours."""
        fields = unseal(keyring, _ATTEMPT, text)
        if fields is None:
            return None
        state, onward, ends_at = fields
        return cls(
            state=state,
            onward=urlsafe_b64decode(onward).decode(),
            ends_at=datetime.fromtimestamp(int(ends_at), UTC),
            kid=text.partition(".")[0],
        )

    def write(self, keyring: Keyring) -> str:
        """The text for the browser's cookie."""
        onward = urlsafe_b64encode(self.onward.encode()).decode()
        return seal(keyring, _ATTEMPT, self.state, onward, str(int(self.ends_at.timestamp())))

    def verifier(self, keyring: Keyring) -> str:
        """The code verifier, 43 characters."""
        return self._derive(keyring, _VERIFIER)

    def challenge(self, keyring: Keyring) -> str:
        """Its challenge by S256."""
        return _encode(sha256(self.verifier(keyring).encode()).digest())

    def nonce(self, keyring: Keyring) -> str:
        """What the ID token has to repeat."""
        return self._derive(keyring, _NONCE)

    def _derive(self, keyring: Keyring, purpose: str) -> str:
        key = keyring.find_key(purpose, self.kid)
        if key is None:
            raise ValueError("the root secret of this attempt is gone")
        return _encode(hmac.digest(key, self.state.encode(), "sha256"))


def _encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
