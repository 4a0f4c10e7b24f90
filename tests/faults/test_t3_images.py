"""FAULTS T3 with the true limits: pictures that never come, cannot be shown, or have expired."""

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import requests
from scripted.fault_report import Figure, Publish
from scripted.fault_server import Exchange
from scripted.http_client import RawClient, post, wait_for
from scripted.patience import PATIENCE_S
from scripted.picture_cases import CASES, LINK_AGES, PICTURE, PictureCase
from scripted.picture_gateway import Gallery, open_gallery

from serving.settings import ImageEngineSettings

pytestmark = pytest.mark.faults

DEADLINE_S = ImageEngineSettings(url="http://127.0.0.1").deadline_s
TRIES = 5
AT_ONCE_S = 1.0
LEAVINGS = 20


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    with open_gallery(tmp_path_factory.mktemp("t3"), deadline_s=DEADLINE_S) as served:
        served.say(CASES[-1].wish)  # the first turn loads what later ones find
        yield served


def play(gallery: Gallery, case: PictureCase) -> tuple[bool, float]:
    """Whether the user reads what failed and sees no picture, and how long it took."""
    began = time.monotonic()
    answer = gallery.say(case.wish)
    seconds = time.monotonic() - began
    is_told = re.search(case.says, answer) is not None
    return is_told and not PICTURE.search(answer), seconds


@pytest.mark.timeout(300)
def test_t3_a_job_that_is_lost_ends_at_the_deadline(gallery: Gallery, publish: Publish) -> None:
    silent = [case for case in CASES if case.is_silent]
    with ThreadPoolExecutor(len(silent) * TRIES) as pool:
        runs = {
            case.name: [pool.submit(play, gallery, case) for _ in range(TRIES)] for case in silent
        }
    for name, played in runs.items():
        outcomes = [run.result() for run in played]
        publish(
            Figure(
                case="T3",
                what=name,
                n=len(outcomes),
                passed=sum(passed for passed, _ in outcomes),
                times=tuple(seconds for _, seconds in outcomes),
                limit_s=DEADLINE_S + 2.0,
            )
        )


@pytest.mark.parametrize(
    "case", [case for case in CASES if not case.is_silent], ids=lambda case: case.name
)
def test_t3_a_failure_is_said_at_once(
    gallery: Gallery, publish: Publish, case: PictureCase
) -> None:
    outcomes = [play(gallery, case) for _ in range(TRIES)]
    publish(
        Figure(
            case="T3",
            what=case.name,
            n=TRIES,
            passed=sum(passed for passed, _ in outcomes),
            times=tuple(seconds for _, seconds in outcomes),
            limit_s=AT_ONCE_S,
        )
    )


def draw_link(gallery: Gallery) -> str:
    reply = gallery.client.images.generate(prompt="fault=picture_steps:of=1", response_format="url")
    assert reply.data is not None
    return reply.data[0].url or ""


def test_t3_a_link_ends_with_its_hour(gallery: Gallery, publish: Publish) -> None:
    for age_s, status in LINK_AGES:
        link = draw_link(gallery)
        gallery.clock.advance(age_s)
        reply = requests.get(link, timeout=PATIENCE_S)
        is_right = reply.status_code == status
        is_right = is_right and reply.headers["content-type"].startswith("image/")
        publish(
            Figure(
                case="T3",
                what=f"link of {age_s} s: {status}, with an image in any case",
                n=1,
                passed=is_right,
            )
        )


def test_t3_a_tampered_link_is_not_found(gallery: Gallery, publish: Publish) -> None:
    base, name = draw_link(gallery).rsplit("/", 1)
    forged = [
        name[:place] + ("1" if sign != "1" else "2") + name[place + 1 :]
        for place, sign in enumerate(name)
    ]
    statuses = [requests.get(f"{base}/{link}", timeout=PATIENCE_S).status_code for link in forged]
    publish(
        Figure(
            case="T3",
            what="link with one character changed: 404",
            n=len(statuses),
            passed=statuses.count(404),
        )
    )


def _has(exchanges: list[Exchange], number: int) -> bool:
    return len(exchanges) == number


@pytest.mark.timeout(120)
async def test_t3_a_reader_who_leaves_frees_the_image_server(
    gallery: Gallery, publish: Publish
) -> None:
    wish = "Wygeneruj obraz: fault=picture_steps:of=900:every_ms=20"
    body = {
        "model": "zwrotnica",
        "stream": True,
        "messages": [{"role": "user", "content": wish}],
    }
    exchanges, before, times = gallery.engine.exchanges, len(gallery.engine.exchanges), []
    for number in range(1, LEAVINGS + 1):
        async with RawClient(gallery.gateway.port) as client:
            await client.send(post("/v1/chat/completions", json.dumps(body).encode()))
            await wait_for(partial(_has, exchanges, before + number))
        times.append(await wait_for(lambda: exchanges[-1].client_left_at is not None))
    publish(
        Figure(
            case="C1",
            what="in an image job: the image server sees the client leave (I8)",
            n=LEAVINGS,
            passed=len(times),
            times=tuple(times),
            limit_s=1.0,
        )
    )
