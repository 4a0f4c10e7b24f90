"""The files of pictures: those that may make room for others, and those that are held."""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Final

from serving.storage.finishing import MEDIA_TYPES
from serving.storage.picture_owners import PictureOwners

HELD: Final = "held"
"""Folder of the pictures that conversations show, inside the folder of all pictures."""
TYPE_OF_SUFFIX: Final[Mapping[str, str]] = MappingProxyType({
    suffix: media_type for media_type, suffix in MEDIA_TYPES.items()
})


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureFile:
    """The bytes of a picture, and how the name of its file ends."""

    suffix: str
    content: bytes


class PictureFiles:
    """Pictures by id; every method blocks and raises OSError where the disk refuses it."""

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        """Nothing is read or written before the first use."""
        self._folder = folder
        self._held = folder / HELD
        self._owners = PictureOwners(folder)
        self._max_bytes = max_bytes
        self._total: int | None = None
        self._lock = Lock()

    def find(self, image_id: str) -> Path | None:
        """The file of a picture."""
        return next((file for file in self._places(image_id) if file.is_file()), None)

    def read(self, image_id: str) -> PictureFile | None:
        """The bytes of a picture; none where it is gone, or goes just now."""
        path = self.find(image_id)
        if path is None:
            return None
        try:
            return PictureFile(suffix=path.suffix, content=path.read_bytes())
        except FileNotFoundError:
            return None

    def place(self, image_id: str, suffix: str, content: bytes, *, owner: str) -> None:
        """Write a picture, or touch it where it is; those used longest ago make room.

        It is the owner's before it is there, so that none is ever nobody's.
        """
        with self._lock:
            self._owners.add(image_id, owner)
            known = self.find(image_id)
            if known is not None:
                known.touch()
                return
            self._make_room(len(content))
            path = (self._folder / image_id[:2] / image_id).with_suffix(suffix)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_whole(path, content)
            self._total = self._known_total() + len(content)

    def hold(self, image_ids: Iterable[str]) -> None:
        """Move pictures to where none makes room for another."""
        with self._lock:
            for image_id in image_ids:
                path = self.find(image_id)
                if path is not None and not path.is_relative_to(self._held):
                    self._move(path, self._held)

    def drop(self, owners: Mapping[str, Collection[str]], *, in_use: Collection[str]) -> None:
        """Remove pictures, held or not, of whose owners these have no use for them any more.

        What others have made alike is theirs alone then, and may make room. Where it is not known
        whose it was (no owner is given), a picture of one owner was that one's. What is ``in_use``
        stays where it is.
        """
        with self._lock:
            for image_id, each in owners.items():
                for owner in each:
                    self._owners.remove(image_id, owner)
                if image_id in in_use:
                    continue
                if self._owners.count(image_id) > (0 if each else 1):
                    self._free(image_id)
                else:
                    self._remove(image_id)

    def list_owned(self, owner: str) -> tuple[str, ...]:
        """Ids of the pictures that were made for the owner and are still there."""
        return tuple(one for one in self._owners.list(owner) if self.find(one) is not None)

    def release(self, owner: str, *, shown: Collection[str]) -> int:
        """Remove the owner's pictures but for those that are another's, too, or ``shown``.

        Gives how many were the owner's; there are none the second time.
        """
        count = 0
        for image_id in self._owners.list(owner):
            with self._lock:
                count += self.find(image_id) is not None
                if image_id not in shown and not self._owners.has_other(image_id, owner):
                    self._remove(image_id)
                self._owners.remove(image_id, owner)
        return count

    def _remove(self, image_id: str) -> None:
        for path in self._places(image_id):
            path.unlink(missing_ok=True)
        self._owners.forget((image_id,))
        self._total = None

    def list_free(self, latest: float) -> tuple[Path, ...]:
        """The pictures that are not held, last stored before ``latest``, seconds of the epoch."""
        return tuple(path for stored, _, path in self._removable() if stored < latest)

    def drop_free(self, latest: float) -> int:
        """Remove those; gives their number."""
        gone = 0
        for path in self.list_free(latest):
            with self._lock, suppress(FileNotFoundError):  # another worker was faster
                if path.stat().st_mtime < latest:  # nobody has stored it again meanwhile
                    self._remove(path.stem)
                    gone += 1
        self._owners.forget(
            one for one in self._owners.list_before(latest) if self.find(one) is None
        )
        return gone

    def list_held(self, latest: float) -> tuple[str, ...]:
        """Ids of the pictures that have been held since before ``latest``, seconds of the epoch."""
        found = []
        for path in self._held.glob("??/[0-9a-f]*"):
            with suppress(FileNotFoundError):  # another worker has removed it just now
                if path.stat().st_ctime < latest:
                    found.append(path.stem)
        return tuple(sorted(found))

    def _places(self, image_id: str) -> Iterator[Path]:
        """Where the picture can be: held, or only until others need the room."""
        for folder in (self._held, self._folder):
            stem = folder / image_id[:2] / image_id
            yield from (stem.with_suffix(suffix) for suffix in TYPE_OF_SUFFIX)

    def _free(self, image_id: str) -> None:
        path = self.find(image_id)
        if path is not None and path.is_relative_to(self._held):
            self._move(path, self._folder)

    def _move(self, path: Path, folder: Path) -> None:
        target = folder / path.parent.name / path.name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.replace(target)
        self._total = None

    def _known_total(self) -> int:
        """Bytes stored and not held; counted once, then kept."""
        if self._total is None:
            self._total = sum(size for _, size, _ in self._removable())
        return self._total

    def _make_room(self, size: int) -> None:
        """Remove the pictures used longest ago until ``size`` bytes fit."""
        excess = self._known_total() + size - self._max_bytes
        if excess <= 0:
            return
        for _, stored, path in sorted(self._removable()):
            path.unlink(missing_ok=True)
            self._owners.forget((path.stem,))
            self._total = self._known_total() - stored
            excess -= stored
            if excess <= 0:
                return

    def _removable(self) -> list[tuple[float, int, Path]]:
        found = []
        for path in self._folder.glob("??/[0-9a-f]*"):
            if path.suffix in TYPE_OF_SUFFIX:
                with suppress(FileNotFoundError):  # another worker has removed it just now
                    status = path.stat()
                    found.append((status.st_mtime, status.st_size, path))
        return found


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file that nobody ever sees half written."""
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
