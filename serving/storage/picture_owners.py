"""Tells whose a picture is: an empty file for each owner beside the pictures."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

OWNERS: Final = "owners"
"""Folder inside that of the pictures: they are where their files are, on whichever machine."""
_DIGITS: Final = 32
_MODE: Final = 0o600


class PictureOwners:
    """Owners by picture; every method blocks and raises OSError where the disk refuses it.

    A name of a file is the picture's id and a digest of the owner, so any text can be one.
    """

    def __init__(self, pictures: Path) -> None:
        """Nothing is read or written before the first use; ``pictures`` is their folder."""
        self._folder = pictures / OWNERS

    def add(self, image_id: str, owner: str) -> None:
        """Let ``owner`` have the picture, beside those who have it already."""
        path = self._path(image_id, owner)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=_MODE)

    def list(self, owner: str) -> tuple[str, ...]:
        """Ids of the owner's pictures, in order; some of them may be gone."""
        found = self._folder.glob(f"??/*.{_digest(owner)}")
        return tuple(sorted(path.stem for path in found))

    def remove(self, image_id: str, owner: str) -> None:
        """Let the picture be none of the owner's any more."""
        self._path(image_id, owner).unlink(missing_ok=True)

    def count(self, image_id: str) -> int:
        """How many have the picture."""
        return sum(1 for _ in self._of(image_id))

    def has_other(self, image_id: str, owner: str) -> bool:
        """Whether anybody else has the picture."""
        own = self._path(image_id, owner)
        return any(path != own for path in self._of(image_id))

    def forget(self, image_ids: Iterable[str]) -> None:
        """Let these pictures, which are gone, be nobody's."""
        for image_id in image_ids:
            for path in self._of(image_id):
                path.unlink(missing_ok=True)

    def list_before(self, latest: float) -> tuple[str, ...]:
        """Ids of the pictures that got their owner before ``latest``, seconds of the epoch."""
        found = (path for path in self._folder.glob("??/*.*") if path.stat().st_mtime < latest)
        return tuple(sorted({path.stem for path in found}))

    def _of(self, image_id: str) -> Iterator[Path]:
        return (self._folder / image_id[:2]).glob(f"{image_id}.*")

    def _path(self, image_id: str, owner: str) -> Path:
        return self._folder / image_id[:2] / f"{image_id}.{_digest(owner)}"


def _digest(owner: str) -> str:
    return hashlib.sha256(owner.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]
