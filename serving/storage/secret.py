"""The root secret, from which every key of the product is derived for one purpose each."""

import base64
import hmac
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from serving.settings import Settings, SettingsError

FILE_NAME: Final = "secret"
MIN_SECRET_CHARS: Final = 16
MAC_BYTES: Final = 16
KID_CHARS: Final = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class RootSecret:
    """One root secret; ``kid`` names it in public without telling anything of it."""

    kid: str
    _material: bytes = field(repr=False)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Take a secret as people write it.

        Raises:
            SettingsError: it is shorter than 16 characters or no UTF-8.
        """
        if len(text) < MIN_SECRET_CHARS:
            raise SettingsError(f"the root secret needs at least {MIN_SECRET_CHARS} characters")
        try:
            material = text.encode()
        except UnicodeEncodeError:
            raise SettingsError("the root secret is not UTF-8") from None  # that would hold it
        return cls(kid=_encode(_derive(material, "kid"))[:KID_CHARS], _material=material)

    def derive(self, purpose: str) -> bytes:
        """A key of 32 bytes for ``purpose`` (HKDF-SHA-256, RFC 5869)."""
        return _derive(self._material, purpose)


class Keyring:
    """Signs with the current root secret, verifies with the earlier ones too."""

    def __init__(self, roots: Iterable[RootSecret]) -> None:
        """Take the current secret first, then earlier ones whose signatures still count."""
        self._roots = tuple(roots)
        self._keys: dict[tuple[str, str], bytes] = {}

    @property
    def kid(self) -> str:
        """Name of the current secret."""
        return self._roots[0].kid

    @property
    def kids(self) -> frozenset[str]:
        """Names of every secret whose signatures still count."""
        return frozenset(root.kid for root in self._roots)

    def sign(self, purpose: str, payload: str) -> str:
        """The MAC of ``payload`` under the current secret: HMAC-SHA-256, 128 bits, base32."""
        return self._mac(self._roots[0], purpose, payload)

    def verify(self, purpose: str, payload: str, mac: str) -> bool:
        """Whether ``mac`` was made by `sign` with any known secret; takes constant time."""
        is_known = False
        for root in self._roots:
            expected = self._mac(root, purpose, payload)
            is_known |= hmac.compare_digest(expected.encode(), mac.encode())
        return is_known

    def find_key(self, purpose: str, kid: str) -> bytes | None:
        """The derived key (32 bytes) of the secret called ``kid``; ``None`` where it is gone."""
        root = next((root for root in self._roots if root.kid == kid), None)
        return None if root is None else self._key(root, purpose)

    def _key(self, root: RootSecret, purpose: str) -> bytes:
        key = self._keys.get((root.kid, purpose))
        if key is None:
            key = self._keys[root.kid, purpose] = root.derive(purpose)
        return key

    def _mac(self, root: RootSecret, purpose: str, payload: str) -> str:
        key = self._key(root, purpose)
        return _encode(hmac.digest(key, payload.encode(), "sha256")[:MAC_BYTES])


def load_keyring(settings: Settings, data_dir: Path) -> Keyring:
    """The keyring of ``settings``; without a secret there, one is made once in ``data_dir``.

    Raises:
        SettingsError: a secret is too short or no UTF-8, or its file cannot be read or written.
    """
    if settings.secret is not None:
        current = settings.secret.get_secret_value()
    else:
        current = _read_or_make(data_dir / FILE_NAME)
    earlier = (secret.get_secret_value() for secret in settings.previous_secrets)
    return Keyring(RootSecret.from_text(text) for text in (current, *earlier))


def _read_or_make(path: Path) -> str:
    """Several processes may start at once: the first to link its draft wins, all read that one."""
    try:
        if not path.exists():
            draft = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(32))
            try:
                path.hardlink_to(draft)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        message = f"the root secret {str(path)!r} cannot be used: {error.strerror}"
        raise SettingsError(message) from error
    except UnicodeDecodeError:
        raise SettingsError(f"the root secret {str(path)!r} is not UTF-8") from None


def _derive(material: bytes, purpose: str) -> bytes:
    kdf = HKDF(algorithm=SHA256(), length=32, salt=b"zwrotnica", info=purpose.encode())
    return kdf.derive(material)


def _encode(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()
