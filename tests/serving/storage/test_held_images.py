from collections.abc import Callable
from pathlib import Path

import pytest

from chatbot.errors import StorageUnavailable
from chatbot.testing import ONE_PIXEL_PNG, ManualClock
from chatbot.types import Artifact, Image
from serving.settings import ImagesSettings
from serving.storage import Keyring, StoredImages
from serving.storage.picture_files import HELD
from serving.storage.secret import RootSecret

Open = Callable[[], StoredImages]
SIZE = len(ONE_PIXEL_PNG) + 1


@pytest.fixture
def open_store(tmp_path: Path) -> Open:
    """Opens stores with room for two pictures."""

    def build() -> StoredImages:
        return StoredImages(
            folder=tmp_path,
            keyring=Keyring([RootSecret.from_text("sekret do testów, długi")]),
            settings=ImagesSettings(max_total_bytes=2 * SIZE),
            clock=ManualClock(),
        )

    return build


async def keep(store: StoredImages, number: int, *, account: str = "ala") -> Image:
    return await store.keep(
        Artifact(
            media_type="image/png",
            data=ONE_PIXEL_PNG + bytes([number]),
            alt="kropka",
            width=1,
            height=1,
        ),
        account=account,
    )


async def is_there(store: StoredImages, image: Image) -> bool:
    return (await store.find(image.url.removeprefix("/images/"))).path is not None


async def test_a_held_picture_makes_no_room_and_takes_none(open_store: Open) -> None:
    store = open_store()
    held = await keep(store, 1)
    await store.hold([held.image_id])
    others = [await keep(store, number) for number in range(2, 6)]
    there = [await is_there(store, image) for image in (held, *others)]
    assert (there[0], sum(there)) == (True, 3)


async def test_another_process_finds_what_was_held(open_store: Open) -> None:
    held = await keep(open_store(), 1)
    other = open_store()
    await open_store().hold([held.image_id])
    assert await is_there(other, held)
    again = await keep(other, 1)
    assert again.image_id == held.image_id
    await other.drop({held.image_id: ()})
    assert not await is_there(open_store(), held)


async def test_a_dropped_picture_gives_its_room_back(open_store: Open) -> None:
    store = open_store()
    first, second = await keep(store, 1), await keep(store, 2)
    await store.drop({first.image_id: ()})
    third = await keep(store, 3)
    assert [await is_there(store, image) for image in (second, third)] == [True, True]


async def test_what_is_no_picture_is_passed_over(open_store: Open, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.png"
    outside.write_bytes(b"x")
    store = open_store()
    for ids in ([], ["a" * 40], ["../outside", "../../outside.png", ""]):
        await store.hold(ids)
        await store.drop(dict.fromkeys(ids, ()))
    assert outside.read_bytes() == b"x"


async def test_a_disk_that_refuses_is_told(open_store: Open, tmp_path: Path) -> None:
    store = open_store()
    image = await keep(store, 1)
    (tmp_path / HELD).write_bytes(b"in the way")
    with pytest.raises(StorageUnavailable, match="pictures"):
        await store.hold([image.image_id])
