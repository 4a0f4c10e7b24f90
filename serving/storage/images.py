"""Pictures: bytes on disk under their hash, reached by signed links that expire."""

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Final

from anyio import to_thread

from chatbot.errors import ToolError
from chatbot.ports import Clock
from chatbot.types import Artifact, Image
from serving.settings import ImagesSettings
from serving.storage.secret import Keyring

PURPOSE: Final = "image-link"
LINK_PREFIX: Final = "/images/"
ID_CHARS: Final = 40

MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType({
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
})
_TYPE_OF_SUFFIX: Final = MappingProxyType({end: media for media, end in MEDIA_TYPES.items()})
_LINK: Final = re.compile(r"([0-9a-f]{40})\.([0-9]{1,12})\.([a-z2-7]{26})")


class LinkState(Enum):
    """What a link is worth: ``FORGED`` also where its form is not ours at all."""

    VALID = "valid"
    EXPIRED = "expired"
    FORGED = "forged"


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundImage:
    """What is behind a link; no path where the picture is gone or the link is bad."""

    state: LinkState
    path: Path | None = None
    media_type: str | None = None


class StoredImages:
    """Implements `chatbot.ports.ImageStore`; within ``max_total_bytes``, oldest out first."""

    def __init__(
        self, *, folder: Path, keyring: Keyring, settings: ImagesSettings, clock: Clock
    ) -> None:
        """Nothing is read or written before the first use."""
        self._folder = folder
        self._keyring = keyring
        self._settings = settings
        self._clock = clock
        self._total: int | None = None
        self._lock = Lock()

    async def save(self, artifact: Artifact, *, account: str) -> Image:  # noqa: ARG002 (port)
        """Store the bytes under their hash and return the picture with a fresh link.

        Raises:
            ToolError: no PNG, JPEG or WebP, too large, or the disk refused it (in Polish).
        """
        image_id = await to_thread.run_sync(self._write, artifact)
        expires_at = self._clock.now() + timedelta(seconds=self._settings.link_s)
        return Image(
            image_id=image_id,
            url=self.link(image_id, expires_at),
            expires_at=expires_at,
            alt=artifact.alt,
            width=artifact.width,
            height=artifact.height,
        )

    def link(self, image_id: str, expires_at: datetime) -> str:
        """The signed path ``/images/{id}.{expires}.{mac}``, valid until ``expires_at``."""
        payload = f"{image_id}.{int(expires_at.astimezone(UTC).timestamp())}"
        return f"{LINK_PREFIX}{payload}.{self._keyring.sign(PURPOSE, payload)}"

    async def find(self, name: str) -> FoundImage:
        """What the last part of a link leads to."""
        parsed = _LINK.fullmatch(name)
        if parsed is None:
            return FoundImage(state=LinkState.FORGED)
        image_id, expires, mac = parsed.groups()
        if not self._keyring.verify(PURPOSE, f"{image_id}.{expires}", mac):
            return FoundImage(state=LinkState.FORGED)
        if self._clock.now().timestamp() >= int(expires):
            return FoundImage(state=LinkState.EXPIRED)
        path = await to_thread.run_sync(self._path_of, image_id)
        media_type = _TYPE_OF_SUFFIX[path.suffix] if path else None
        return FoundImage(state=LinkState.VALID, path=path, media_type=media_type)

    def _path_of(self, image_id: str) -> Path | None:
        stem = self._folder / image_id[:2] / image_id
        files = (stem.with_suffix(suffix) for suffix in _TYPE_OF_SUFFIX)
        return next((file for file in files if file.is_file()), None)

    def _write(self, artifact: Artifact) -> str:
        suffix = _check(artifact, self._settings.max_image_bytes)
        image_id = hashlib.sha256(artifact.data).hexdigest()[:ID_CHARS]
        path = (self._folder / image_id[:2] / image_id).with_suffix(suffix)
        try:
            with self._lock:
                self._place(path, artifact.data)
        except OSError as error:
            raise ToolError("Obraz powstał, ale nie udało się go zapisać na serwerze.") from error
        return image_id

    def _place(self, path: Path, content: bytes) -> None:
        if path.is_file():
            path.touch()
            return
        self._make_room(len(content))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
        try:
            draft.write_bytes(content)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        self._total = self._known_total() + len(content)

    def _known_total(self) -> int:
        """Bytes stored; counted once, then kept."""
        if self._total is None:
            self._total = sum(size for _, size, _ in self._files())
        return self._total

    def _make_room(self, size: int) -> None:
        """Remove the pictures used longest ago until ``size`` bytes fit."""
        excess = self._known_total() + size - self._settings.max_total_bytes
        if excess <= 0:
            return
        for _, stored, path in sorted(self._files()):
            path.unlink(missing_ok=True)
            self._total = self._known_total() - stored
            excess -= stored
            if excess <= 0:
                return

    def _files(self) -> list[tuple[float, int, Path]]:
        found = []
        for path in self._folder.glob("??/[0-9a-f]*"):
            if path.suffix in _TYPE_OF_SUFFIX:
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
        return found


def _check(artifact: Artifact, max_bytes: int) -> str:
    """The file suffix of a picture that may be stored; its first bytes must be what it claims."""
    suffix = MEDIA_TYPES.get(artifact.media_type)
    if suffix is None or _media_type(artifact.data) != artifact.media_type:
        raise ToolError("Usługa obrazów zwróciła coś, co nie jest obrazem PNG, JPEG ani WebP.")
    if len(artifact.data) > max_bytes:
        raise ToolError("Obraz jest za duży, żeby go zapisać.")
    return suffix


def _media_type(content: bytes) -> str | None:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    return None
