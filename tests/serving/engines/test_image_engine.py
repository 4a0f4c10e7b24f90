"""The image engine against an images endpoint, well behaved and not."""

import base64

import anyio.to_thread
import pytest
from scripted.fault_server import FaultServer
from scripted.faults import PNG

from chatbot.errors import EngineError, EngineTimeout, EngineUnavailable
from chatbot.testing import ManualClock
from chatbot.types import Artifact, ImageRequest
from serving.engines.image_api import OpenAIImageEngine
from serving.engines.pictures import PictureHeader, read_picture_header
from serving.settings import ImageEngineSettings

REQUEST = ImageRequest(prompt="pies i kot", width=512, height=256, seed=5)
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b08002000400101110000")
WEBP_LOSSY = b"RIFF\x16\0\0\0WEBPVP8 " + bytes(10) + b"\x40\x00\x20\x00"
WEBP_LOSSLESS = b"RIFF\x16\0\0\0WEBPVP8L" + bytes(4) + b"\x2f\x3f\xc0\x07\x00" + bytes(5)
WEBP_EXTENDED = b"RIFF\x16\0\0\0WEBPVP8X" + bytes(8) + b"\x3f\0\0\x1f\0\0"


async def draw_at(url: str, *, deadline_s: float = 5.0) -> Artifact:
    settings = ImageEngineSettings(url=url, max_bytes=10_000)
    engine = OpenAIImageEngine(name="flux", settings=settings, clock=ManualClock())
    return await anyio.to_thread.run_sync(lambda: engine.generate(REQUEST, deadline_s=deadline_s))


async def draw(server: FaultServer, *, deadline_s: float = 5.0) -> Artifact:
    return await draw_at(server.url, deadline_s=deadline_s)


async def test_a_picture_comes_with_its_own_type_and_size() -> None:
    async with FaultServer() as server:
        artifact = await draw(server)

        assert artifact == Artifact(
            media_type="image/png",
            data=base64.b64decode(PNG),
            alt="pies i kot",
            width=1,
            height=1,
        )
        assert server.last.json == {
            "prompt": "pies i kot",
            "n": 1,
            "size": "512x256",
            "response_format": "b64_json",
            "seed": 5,
        }


async def test_a_picture_on_the_same_host_is_fetched() -> None:
    async with FaultServer(default="fault=picture_link") as server:
        assert (await draw(server)).data == base64.b64decode(PNG)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("picture_link:to=http|//127.0.0.1|9/x.png", "another host"),
        ("picture_raw:of=not-a-picture", "no PNG, JPEG or WebP"),
        ("picture_raw:of=", "no picture"),
        ("html", "text/html"),
        ("bomb", "encoding"),
        ("redirect", "status 302"),
        ("status:code=401", "status 401"),
        ("status:code=500", "status 500"),
        ("picture_endless", "more than"),
    ],
)
async def test_what_is_no_picture_is_an_error_that_says_so(fault: str, says: str) -> None:
    async with FaultServer(default=f"fault={fault}") as server:
        with pytest.raises(EngineError, match=says):
            await draw(server)


@pytest.mark.parametrize("fault", ["silent", "picture_drip"])
async def test_the_deadline_holds_even_against_a_drip(fault: str) -> None:
    async with FaultServer(default=f"fault={fault}") as server:
        with anyio.fail_after(2.0), pytest.raises(EngineTimeout):
            await draw(server, deadline_s=0.4)
        await server.wait_idle()

        assert server.last.client_left_at is not None


async def test_a_model_that_refuses_response_format_is_asked_without_it() -> None:
    async with FaultServer(default="fault=picture_picky") as server:
        await draw(server)

        assert ["response_format" in exchange.json for exchange in server.exchanges] == [
            True,
            False,
        ]


@pytest.mark.parametrize(
    ("picture", "header"),
    [
        (JPEG, ("image/jpeg", 64, 32)),
        (WEBP_LOSSY, ("image/webp", 64, 32)),
        (WEBP_LOSSLESS, ("image/webp", 64, 32)),
        (WEBP_EXTENDED, ("image/webp", 64, 32)),
    ],
)
def test_the_header_says_type_and_size(picture: bytes, header: tuple[str, int, int]) -> None:
    media_type, width, height = header
    expected = PictureHeader(media_type=media_type, width=width, height=height)

    assert read_picture_header(picture) == expected


@pytest.mark.parametrize("length", range(0, 30, 3))
@pytest.mark.parametrize("picture", [base64.b64decode(PNG), JPEG, WEBP_EXTENDED])
def test_a_cut_off_header_is_no_picture(picture: bytes, length: int) -> None:
    assert read_picture_header(picture[: min(length, len(picture) - 6)]) is None


@pytest.mark.parametrize("side", [0, 20_000, 2**31])
def test_an_absurd_size_is_no_picture(side: int) -> None:
    picture = bytearray(base64.b64decode(PNG))
    picture[16:20] = side.to_bytes(4)

    assert read_picture_header(bytes(picture)) is None


async def test_the_last_step_is_reported() -> None:
    steps: list[tuple[int, int]] = []
    async with FaultServer() as server:
        settings = ImageEngineSettings(url=server.url)
        engine = OpenAIImageEngine(name="flux", settings=settings, clock=ManualClock())
        await anyio.to_thread.run_sync(
            lambda: engine.generate(
                REQUEST, deadline_s=5.0, on_step=lambda step, of: steps.append((step, of))
            )
        )

    assert steps == [(1, 1)]


async def test_an_unreachable_server_is_unavailable() -> None:
    with pytest.raises(EngineUnavailable):
        await draw_at("http://127.0.0.1:9/v1")
