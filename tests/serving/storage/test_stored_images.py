import io
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from pydantic import ValidationError
from scripted.picture_faults import png, spoil

from chatbot.errors import ToolError
from chatbot.testing import ONE_PIXEL_PNG, ManualClock
from chatbot.types import Artifact
from serving.settings import ImagesSettings
from serving.storage import Keyring, LinkState, StoredImages
from serving.storage.picture_marks import GENERATED_BY_AI
from serving.storage.picture_owners import OWNERS
from serving.storage.secret import RootSecret

DOT = Artifact(media_type="image/png", data=ONE_PIXEL_PNG, alt="kropka", width=1, height=1)
SECRET = "sekret do testów, długi"

Open = Callable[..., StoredImages]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def open_store(tmp_path: Path, clock: ManualClock) -> Open:
    def build(**settings: object) -> StoredImages:
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
    return sum(1 for path in folder.rglob("*") if path.is_file() and OWNERS not in path.parts)


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


async def test_another_type_is_refused_in_polish(open_store: Open) -> None:
    drawing = replace(DOT, media_type="image/svg+xml", data=b"<svg/>")
    with pytest.raises(ToolError, match="nie jest obrazem"):
        await open_store().save(drawing, account="local")


@pytest.mark.parametrize(
    "artifact",
    [
        replace(DOT, data=b"<html>"),
        replace(DOT, media_type="image/jpeg"),
        replace(DOT, media_type="image/webp", data=b"RIFF\x16\0\0\0WEBPVP8 "),
        *(replace(DOT, data=spoil(png(64, 64), how)) for how in ("flip", "cut", "pixels", "huge")),
    ],
)
async def test_a_broken_picture_is_refused_in_polish(
    open_store: Open, artifact: Artifact, tmp_path: Path
) -> None:
    with pytest.raises(ToolError, match="jest uszkodzony"):
        await open_store().save(artifact, account="local")
    assert count_files(tmp_path) == 0


async def test_what_a_tool_drew_without_a_model_stays_byte_for_byte(open_store: Open) -> None:
    store = open_store(label="obraz wygenerowany przez AI")
    assert (await store.finish(DOT)).data == ONE_PIXEL_PNG


async def test_what_a_model_drew_is_marked(open_store: Open) -> None:
    store = open_store()
    image = await store.save(replace(DOT, model="FLUX.1-schnell"), account="local")
    found = await store.find(link_of(image.url))
    assert found.path is not None
    assert GENERATED_BY_AI.encode() in found.path.read_bytes()


@pytest.mark.parametrize(
    ("is_told", "artifact", "told"),
    [
        (True, replace(DOT, model="m"), "kropka"),
        (True, replace(DOT, model="m", prompt="drawn instead"), "drawn instead"),
        (False, replace(DOT, model="m"), None),
    ],
)
async def test_the_file_tells_what_was_drawn_where_it_may(
    open_store: Open, *, is_told: bool, artifact: Artifact, told: str | None
) -> None:
    finished = await open_store(prompt_in_file=is_told).finish(artifact)
    with Image.open(io.BytesIO(finished.data)) as picture:
        assert picture.info.get("Description") == told


async def test_the_size_is_the_pictures_own(open_store: Open) -> None:
    image = await open_store().save(replace(DOT, data=png(64, 32)), account="local")
    assert (image.width, image.height) == (64, 32)


async def test_a_label_needs_a_font_that_can_be_read(open_store: Open, tmp_path: Path) -> None:
    store = open_store(label="zażółć", label_font=tmp_path / "none.ttf")
    with pytest.raises(ToolError, match="podpisać"):
        await store.finish(replace(DOT, model="m"))


def test_a_label_with_polish_letters_needs_a_font() -> None:
    with pytest.raises(ValidationError, match="label_font"):
        ImagesSettings(label="zażółć")


async def test_a_picture_too_large_is_refused(open_store: Open) -> None:
    with pytest.raises(ToolError, match="za duży"):
        await open_store(max_image_bytes=10).save(DOT, account="local")


async def test_a_disk_that_refuses_is_told_in_polish(open_store: Open, tmp_path: Path) -> None:
    (tmp_path / "images").write_text("nie folder")
    with pytest.raises(ToolError, match="nie udało się"):
        await open_store().save(DOT, account="local")
