import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chatbot.errors import ToolError
from chatbot.testing import ONE_PIXEL_PNG, ManualClock
from chatbot.types import Artifact
from serving.settings import ImagesSettings
from serving.storage import Keyring, LinkState, StoredImages
from serving.storage.secret import RootSecret

DOT = Artifact(media_type="image/png", data=ONE_PIXEL_PNG, alt="kropka", width=1, height=1)
SECRET = "sekret do testów, długi"

Open = Callable[..., StoredImages]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def open_store(tmp_path: Path, clock: ManualClock) -> Open:
    def build(**settings: int) -> StoredImages:
        return StoredImages(
            folder=tmp_path / "images",
            keyring=Keyring([RootSecret.from_text(SECRET)]),
            settings=ImagesSettings.model_validate(settings),
            clock=clock,
        )

    return build


def link_of(url: str) -> str:
    return url.removeprefix("/images/")


def count_files(folder: Path) -> int:
    return sum(1 for path in folder.rglob("*") if path.is_file())


def variant(number: int) -> Artifact:
    return replace(DOT, data=ONE_PIXEL_PNG + bytes([number]))


async def test_a_link_leads_to_the_bytes(open_store: Open) -> None:
    store = open_store()
    image = await store.save(DOT, account="local")
    found = await store.find(link_of(image.url))
    assert found.state is LinkState.VALID
    assert found.path is not None
    assert found.path.read_bytes() == ONE_PIXEL_PNG
    assert found.media_type == "image/png"


@pytest.mark.parametrize(
    ("seconds", "state"),
    [(3599, LinkState.VALID), (3600, LinkState.EXPIRED), (3601, LinkState.EXPIRED)],
)
async def test_a_link_is_valid_for_one_hour(
    open_store: Open, clock: ManualClock, seconds: int, state: LinkState
) -> None:
    store = open_store()
    image = await store.save(DOT, account="local")
    clock.advance(seconds)
    assert (await store.find(link_of(image.url))).state is state


async def test_changing_any_character_of_a_link_forges_it(open_store: Open) -> None:
    store = open_store()
    link = link_of((await store.save(DOT, account="local")).url)
    for place, letter in enumerate(link):
        forged = link[:place] + ("1" if letter != "1" else "2") + link[place + 1 :]
        assert (await store.find(forged)).state is LinkState.FORGED


@pytest.mark.parametrize("link", ["", "../../etc/passwd", "a" * 40 + ".1." + "a" * 26, "x" * 9999])
async def test_other_names_are_no_links(open_store: Open, link: str) -> None:
    assert (await open_store().find(link)).state is LinkState.FORGED


async def test_the_same_picture_is_stored_once(open_store: Open, tmp_path: Path) -> None:
    store = open_store()
    first, second = [await store.save(DOT, account="local") for _ in range(2)]
    assert first.image_id == second.image_id
    assert count_files(tmp_path) == 1


async def test_the_oldest_pictures_make_room(open_store: Open) -> None:
    store = open_store(max_total_bytes=3 * (len(ONE_PIXEL_PNG) + 1))
    links = []
    for number in range(5):
        image = await store.save(variant(number), account="local")
        links.append(link_of(image.url))
        found = await store.find(links[-1])
        assert found.path is not None
        os.utime(found.path, (number, number))
    kept = [(await store.find(link)).path is not None for link in links]
    assert kept == [False, False, True, True, True]


@pytest.mark.parametrize(
    "artifact",
    [
        replace(DOT, data=b"<html>"),
        replace(DOT, media_type="image/svg+xml", data=b"<svg/>"),
        replace(DOT, media_type="image/jpeg"),
    ],
)
async def test_what_is_no_picture_is_refused_in_polish(
    open_store: Open, artifact: Artifact
) -> None:
    with pytest.raises(ToolError, match="nie jest obrazem"):
        await open_store().save(artifact, account="local")


async def test_a_picture_too_large_is_refused(open_store: Open) -> None:
    with pytest.raises(ToolError, match="za duży"):
        await open_store(max_image_bytes=10).save(DOT, account="local")


async def test_a_disk_that_refuses_is_told_in_polish(open_store: Open, tmp_path: Path) -> None:
    (tmp_path / "images").write_text("nie folder")
    with pytest.raises(ToolError, match="nie udało się"):
        await open_store().save(DOT, account="local")
