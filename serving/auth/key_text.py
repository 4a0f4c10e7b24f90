"""The text of a key: ``zw_<id>_<secret>``, whose id is public and whose secret is shown once."""

import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final, Self

from serving.storage import Keyring

PURPOSE: Final = "api-key"
ID_BYTES: Final = 8
SECRET_BYTES: Final = 24
"""192 bits."""
_FORM: Final = re.compile(r"zw_([0-9a-f]{16})_([0-9a-f]{40,64})", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyText:
    """A key as its owner holds it; in hexadecimal digits, so that any tool can make one."""

    key_id: str
    secret: str = field(repr=False)

    @classmethod
    def make(cls) -> Self:
        """A fresh key."""
        return cls(key_id=secrets.token_hex(ID_BYTES), secret=secrets.token_hex(SECRET_BYTES))

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The parts of ``text``; ``None`` where it has not the form of a key."""
        found = _FORM.fullmatch(text)
        return None if found is None else cls(key_id=found[1], secret=found[2])

    @property
    def whole(self) -> str:
        """The whole text, secret included."""
        return f"zw_{self.key_id}_{self.secret}"

    def digest(self, keyring: Keyring, kid: str) -> str | None:
        """What is stored in place of the secret: HMAC-SHA-256, hex; ``None``: ``kid`` is gone."""
        key = keyring.find_key(PURPOSE, kid)
        if key is None:
            return None
        return hmac.digest(key, self.secret.encode(), "sha256").hex()
