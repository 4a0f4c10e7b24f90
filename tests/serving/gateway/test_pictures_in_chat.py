"""FAULTS T3 with short limits: what a user reads and sees when pictures go wrong."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from scripted.http_client import RawClient, post, wait_for
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.picture_cases import CASES, LINK_AGES, PICTURE, PictureCase
from scripted.picture_gateway import Gallery, open_gallery

WISH = "Wygeneruj obraz: fault=picture_steps:of=2"
DEADLINE_S = 0.5


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    with open_gallery(tmp_path_factory.mktemp("chat"), deadline_s=PATIENCE_S) as served:
        yield served


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    with open_gallery(tmp_path_factory.mktemp("silence"), deadline_s=DEADLINE_S) as served:
        yield served


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_picture_that_fails_is_said_and_never_shown(
    gallery: Gallery, hasty: Gallery, case: PictureCase
) -> None:
    answer = (hasty if case.is_silent else gallery).say(case.wish)
    assert re.search(case.says, answer)
    assert not PICTURE.search(answer)
    assert "Gotowe" not in answer
    assert "10.0.0.7" not in answer


def test_a_picture_that_is_drawn_stands_behind_its_link(gallery: Gallery) -> None:
    (link,) = PICTURE.findall(gallery.say(WISH))
    found = requests.get(link, timeout=PATIENCE_S)
    assert (found.status_code, found.headers["content-type"]) == (200, "image/png")


@pytest.mark.parametrize(("age_s", "status"), LINK_AGES)
def test_a_link_ends_with_its_hour(gallery: Gallery, age_s: int, status: int) -> None:
    drawn = gallery.client.images.generate(prompt="fault=picture_steps:of=1", response_format="url")
    assert drawn.data is not None
    gallery.clock.advance(age_s)
    reply = requests.get(drawn.data[0].url or "", timeout=PATIENCE_S)
    assert reply.status_code == status
    assert reply.headers["content-type"].startswith("image/")


def test_no_browser_keeps_a_picture_longer_than_its_link(gallery: Gallery) -> None:
    drawn = gallery.client.images.generate(prompt="fault=picture_steps:of=1", response_format="url")
    assert drawn.data is not None
    gallery.clock.advance(3_000)
    reply = requests.get(drawn.data[0].url or "", timeout=PATIENCE_S)
    control, _, seconds = reply.headers["cache-control"].partition("max-age=")
    assert control == "private, "
    assert 0 <= int(seconds) <= 600


def test_an_expired_link_shows_a_placeholder_that_says_so(gallery: Gallery) -> None:
    drawn = gallery.client.images.generate(prompt="fault=picture_steps:of=1", response_format="url")
    assert drawn.data is not None
    gallery.clock.advance(3_600)
    reply = requests.get(drawn.data[0].url or "", timeout=PATIENCE_S)
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["content-type"].startswith("image/svg+xml")
    assert "wygas" in reply.text


def test_a_link_that_was_tampered_with_is_not_found(gallery: Gallery) -> None:
    drawn = gallery.client.images.generate(prompt="fault=picture_steps:of=1", response_format="url")
    assert drawn.data is not None
    base, name = (drawn.data[0].url or "").rsplit("/", 1)
    for place, sign in enumerate(name):
        forged = name[:place] + ("1" if sign != "1" else "2") + name[place + 1 :]
        assert requests.get(f"{base}/{forged}", timeout=PATIENCE_S).status_code == 404


async def test_a_reader_who_leaves_frees_the_image_server(tmp_path: Path) -> None:
    body = {
        "model": "zwrotnica",
        "stream": True,
        "messages": [
            {"role": "user", "content": "Wygeneruj obraz: fault=picture_steps:of=90000:every_ms=20"}
        ],
    }
    with open_gallery(tmp_path, deadline_s=NEVER_S) as gallery:
        async with RawClient(gallery.gateway.port) as client:
            await client.send(post("/v1/chat/completions", json.dumps(body).encode()))
            await wait_for(lambda: len(gallery.engine.exchanges) == 1)
        await wait_for(lambda: gallery.engine.last.client_left_at is not None)
        await wait_for(lambda: gallery.gateway.turns == 0)
