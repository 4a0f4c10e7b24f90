"""Whose a picture is, for as long as it is there."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chatbot.testing import ONE_PIXEL_PNG, ManualClock
from chatbot.types import Artifact
from serving.settings import ImagesSettings
from serving.storage import Keyring, StoredImages
from serving.storage.picture_owners import OWNERS
from serving.storage.secret import RootSecret

SIZE = len(ONE_PIXEL_PNG) + 1


@pytest.fixture
def images(tmp_path: Path) -> StoredImages:
    """A store with room for two pictures."""
    return StoredImages(
        folder=tmp_path,
        keyring=Keyring([RootSecret.from_text("sekret do testów, długi")]),
        settings=ImagesSettings(max_total_bytes=2 * SIZE),
        clock=ManualClock(),
    )


async def keep(images: StoredImages, number: int, account: str) -> str:
    drawn = Artifact(
        media_type="image/png",
        data=ONE_PIXEL_PNG + bytes([number]),
        alt="kropka",
        width=1,
        height=1,
    )
    return (await images.keep(drawn, account=account)).image_id


async def test_each_has_the_own_pictures(images: StoredImages) -> None:
    first, second = await keep(images, 1, "ala"), await keep(images, 2, "../ola\0")
    assert await images.list_owned("ala") == (first,)
    assert await images.list_owned("../ola\0") == (second,)
    assert await images.list_owned("al") == ()


async def test_what_two_have_made_alike_stays_for_the_other(images: StoredImages) -> None:
    alike, alone = await keep(images, 1, "ala"), await keep(images, 2, "ala")
    assert await keep(images, 1, "ola") == alike
    assert await images.release("ala", shown=()) == 2
    assert await images.read(alike) is not None
    assert await images.read(alone) is None
    assert (await images.list_owned("ala"), await images.list_owned("ola")) == ((), (alike,))
    assert await images.release("ala", shown=()) == 0


async def test_a_deleted_conversation_leaves_what_another_has_made_alike(
    images: StoredImages,
) -> None:
    alike = await keep(images, 1, "ala")
    await keep(images, 1, "ola")
    await images.hold([alike])
    await images.drop({alike: {"ala"}})
    assert await images.read(alike) is not None
    assert (await images.list_owned("ala"), await images.list_owned("ola")) == ((), (alike,))
    await images.drop({alike: {"ola"}})
    assert await images.read(alike) is None


async def test_what_a_crash_left_behind_goes_unless_several_have_it(images: StoredImages) -> None:
    alone, alike = await keep(images, 1, "ala"), await keep(images, 2, "ala")
    await keep(images, 2, "ola")
    await images.hold([alone, alike])
    await images.drop({alone: (), alike: ()})
    assert await images.read(alone) is None
    assert await images.read(alike) is not None


async def test_what_a_conversation_shows_stays_and_is_nobodys_more(images: StoredImages) -> None:
    shown = await keep(images, 1, "ala")
    await images.hold([shown])
    await images.release("ala", shown={shown})
    assert await images.read(shown) is not None
    assert await images.list_owned("ala") == ()


async def test_no_file_names_the_owner_of_what_is_gone(
    images: StoredImages, tmp_path: Path
) -> None:
    dropped = await keep(images, 1, "ala")
    await images.drop({dropped: ()})
    for number in (2, 3, 4):  # the first of them makes room
        await keep(images, number, "ala")
    kept = await images.list_owned("ala")
    assert len(kept) == 2
    assert marks_in(tmp_path) == list(kept)


async def test_a_sweep_takes_old_pictures_and_marks_of_none(
    images: StoredImages, tmp_path: Path
) -> None:
    swept, lost = await keep(images, 1, "ala"), await keep(images, 2, "ala")
    lose(tmp_path, lost)
    later = datetime.fromtimestamp(stored_at(tmp_path, swept), UTC) + timedelta(days=40)
    assert await images.sweep(later) == 1
    assert marks_in(tmp_path) == []


def marks_in(folder: Path) -> list[str]:
    """Ids of the pictures that have an owner, in order."""
    return sorted(path.stem for path in (folder / OWNERS).rglob("*") if path.is_file())


def stored_at(folder: Path, image_id: str) -> float:
    return next(folder.glob(f"??/{image_id}.png")).stat().st_mtime


def lose(folder: Path, image_id: str) -> None:
    """Remove the file alone, as somebody who needs room may."""
    next(folder.glob(f"??/{image_id}.png")).unlink()
