"""Pictures: bytes on disk under their hash, reached by signed links that expire."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread

from chatbot.errors import StorageUnavailable, ToolError
from chatbot.ports import Clock
from chatbot.types import Artifact, Image
from serving.settings import ImagesSettings
from serving.storage.finishing import MEDIA_TYPES, Finisher
from serving.storage.picture_files import TYPE_OF_SUFFIX, PictureFile, PictureFiles
from serving.storage.secret import Keyring

PURPOSE: Final = "image-link"
KEPT: Final = timedelta(days=30)
LINK_PREFIX: Final = "/images/"
ID_CHARS: Final = 40

_ID: Final = re.compile(r"[0-9a-f]{40}")
_SETTLED_S: Final = 3600
_LINK: Final = re.compile(r"([0-9a-f]{40})\.([0-9]{1,12})\.([a-z2-7]{26})")


class LinkState(Enum):
    """What a link is worth: ``FORGED`` also where its form is not ours at all."""

    VALID = "valid"
    EXPIRED = "expired"
    FORGED = "forged"


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundImage:
    """What is behind a link; no path where the picture is gone or the link is bad.

    ``left_s``: for how many seconds the link is still valid.
    """

    state: LinkState
    path: Path | None = None
    media_type: str | None = None
    left_s: int = 0


class StoredImages:
    """Implements `chatbot.ports.ImageStore`; within ``max_total_bytes``, oldest out first.

    What a conversation shows is held: it counts no more, and stays until it is dropped.
    """

    def __init__(
        self,
        *,
        folder: Path,
        keyring: Keyring,
        settings: ImagesSettings,
        clock: Clock,
        kept: timedelta = KEPT,
    ) -> None:
        """Nothing is read or written before the first use.

        ``kept`` is for how long a picture stays that nothing holds; never less than its link.
        """
        self._kept = kept
        self._files = PictureFiles(folder, max_bytes=settings.max_total_bytes)
        self._keyring = keyring
        self._settings = settings
        self._clock = clock
        self._finisher = Finisher(settings)

    async def save(self, artifact: Artifact, *, account: str) -> Image:
        """Finish the picture, store it as the account's and return it with a fresh link.

        Raises:
            ToolError: see `finish` and `keep`.
        """
        return await self.keep(await self.finish(artifact), account=account)

    async def keep(self, artifact: Artifact, *, account: str) -> Image:
        """Store a finished picture under its hash as the account's; gives it with a fresh link.

        Raises:
            ToolError: the disk refused it (in Polish).
        """
        image_id = await to_thread.run_sync(self._write, artifact, account)
        expires_at = self._clock.now() + timedelta(seconds=self._settings.link_s)
        return Image(
            image_id=image_id,
            url=self.link(image_id, expires_at),
            expires_at=expires_at,
            alt=artifact.alt,
            width=artifact.width,
            height=artifact.height,
        )

    async def inspect(self, artifact: Artifact) -> None:
        """Look whether the picture could be stored.

        Raises:
            ToolError: no whole PNG, JPEG or WebP, or too large (in Polish).
        """
        await to_thread.run_sync(self._finisher.inspect, artifact)

    async def finish(self, artifact: Artifact, *, media_type: str | None = None) -> Artifact:
        """The picture as it is shown: looked at, labelled, marked, of the type that is wanted.

        Raises:
            ToolError: no whole PNG, JPEG or WebP, or too large (in Polish).
        """
        return await to_thread.run_sync(partial(self._finisher.finish, artifact, wanted=media_type))

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
        left_s = int(expires) - self._clock.now().timestamp()
        if left_s <= 0:
            return FoundImage(state=LinkState.EXPIRED)
        path = await to_thread.run_sync(self._files.find, image_id)
        media_type = TYPE_OF_SUFFIX[path.suffix] if path else None
        return FoundImage(
            state=LinkState.VALID, path=path, media_type=media_type, left_s=int(left_s)
        )

    async def read(self, image_id: str) -> PictureFile | None:
        """A picture by its id, held or not.

        Raises:
            StorageUnavailable: the disk refuses it.
        """
        with _telling():
            return await to_thread.run_sync(self._files.read, image_id)

    async def hold(self, image_ids: Iterable[str]) -> None:
        """Keep pictures that a conversation shows: they make no room for others any more.

        Ids of pictures that are not there, and what is no id, are passed over.

        Raises:
            StorageUnavailable: the disk refuses it.
        """
        with _telling():
            await to_thread.run_sync(self._files.hold, _ids(image_ids))

    async def drop(
        self, owners: Mapping[str, Collection[str]], *, in_use: Collection[str] = ()
    ) -> None:
        """Remove pictures that no conversation shows any more, but for what others made alike.

        ``owners`` are by picture those whose conversations showed it; none: nobody knows. What is
        ``in_use`` stays, and is theirs no more.

        Raises:
            StorageUnavailable: the disk refuses it.
        """
        with _telling():
            known = {one: owners[one] for one in _ids(owners)}
            await to_thread.run_sync(partial(self._files.drop, known, in_use=in_use))

    async def list_owned(self, account: str) -> tuple[str, ...]:
        """Ids of the pictures that were made for an account, in a conversation or not.

        Raises:
            StorageUnavailable: the disk refuses it.
        """
        with _telling():
            return await to_thread.run_sync(self._files.list_owned, account)

    async def release(self, account: str, *, shown: Collection[str]) -> int:
        """Remove the account's pictures; gives how many it had.

        Those that another account has made alike stay, and ``shown``, which are in conversations.

        Raises:
            StorageUnavailable: the disk refuses it; what is left is told by `list_owned`.
        """
        with _telling():
            return await to_thread.run_sync(partial(self._files.release, account, shown=shown))

    async def sweep(self, now: datetime) -> int:
        """Remove the pictures that are held by no conversation and too old; gives their number.

        Raises:
            StorageUnavailable: the disk refuses it.
        """
        with _telling():
            return await to_thread.run_sync(self._files.drop_free, self._oldest(now))

    async def count_due(self, now: datetime) -> int:
        """How many `sweep` would remove now.

        Raises:
            StorageUnavailable: the disk refuses it.
        """
        with _telling():
            return len(await to_thread.run_sync(self._files.list_free, self._oldest(now)))

    def _oldest(self, now: datetime) -> float:
        kept_s = max(self._kept.total_seconds(), self._settings.link_s)
        return now.timestamp() - kept_s

    async def list_held(self) -> tuple[str, ...]:
        """Ids of the pictures held for longer than an hour; younger ones may not be stored yet.

        Raises:
            StorageUnavailable: the disk refuses it.
        """
        latest = self._clock.now().timestamp() - _SETTLED_S
        with _telling():
            return await to_thread.run_sync(self._files.list_held, latest)

    def _write(self, artifact: Artifact, account: str) -> str:
        image_id = hashlib.sha256(artifact.data).hexdigest()[:ID_CHARS]
        try:
            suffix = MEDIA_TYPES[artifact.media_type]
            self._files.place(image_id, suffix, artifact.data, owner=account)
        except OSError as error:
            raise ToolError("Obraz powstał, ale nie udało się go zapisać na serwerze.") from error
        return image_id


def _ids(image_ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(image_id for image_id in image_ids if _ID.fullmatch(image_id))


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageUnavailable("the pictures of conversations cannot be kept") from error
