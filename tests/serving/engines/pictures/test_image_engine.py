"""The image engine against an images endpoint, well behaved and not."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import get_args

import anyio.to_thread
import pytest
from scripted.fault_server import FaultServer
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.picture_faults import PNG, png, spoil
from scripted.tables import every_row

from chatbot.errors import (
    ContentRefused,
    EngineBusy,
    EngineError,
    EngineLost,
    EngineTimeout,
    EngineUnavailable,
    ErrorCode,
    InvalidRequest,
)
from chatbot.testing import ManualClock
from chatbot.types import Artifact, ImageRequest
from serving.engines.pictures.image_api import OpenAIImageEngine
from serving.engines.pictures.image_kinds import IMAGE_KINDS
from serving.engines.pictures.pictures import PictureHeader, read_picture_header
from serving.settings import ImageEngineSettings

REQUEST = ImageRequest(prompt="pies i kot", width=512, height=256, seed=5)
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b08002000400101110000")
WEBP_LOSSY = b"RIFF\x16\0\0\0WEBPVP8 " + bytes(10) + b"\x40\x00\x20\x00"
WEBP_LOSSLESS = b"RIFF\x16\0\0\0WEBPVP8L" + bytes(4) + b"\x2f\x3f\xc0\x07\x00" + bytes(5)
WEBP_EXTENDED = b"RIFF\x16\0\0\0WEBPVP8X" + bytes(8) + b"\x3f\0\0\x1f\0\0"


@asynccontextmanager
async def engine_at(url: str, **settings: object) -> AsyncIterator[OpenAIImageEngine]:
    changed = ImageEngineSettings.model_validate({"url": url, "max_bytes": 100_000, **settings})
    async with OpenAIImageEngine(name="flux", settings=changed, clock=ManualClock()) as engine:
        yield engine


async def draw(
    server: FaultServer, *, deadline_s: float = PATIENCE_S, **settings: object
) -> Artifact:
    """Draw as a tool does, from a thread."""
    async with engine_at(server.url, **settings) as engine:
        return await anyio.to_thread.run_sync(
            partial(engine.generate, REQUEST, deadline_s=deadline_s)
        )


async def follow(fault: str) -> tuple[Artifact, list[tuple[int, int]]]:
    """Draw with the server that tells its steps; the picture and the steps told."""
    steps: list[tuple[int, int]] = []
    async with (
        FaultServer(default=f"fault={fault}") as server,
        engine_at(server.url, kind="zwrotnica") as engine,
    ):
        artifact = await engine.draw(
            REQUEST, deadline_s=PATIENCE_S, on_step=lambda step, of: steps.append((step, of))
        )
    return artifact, steps


async def test_a_picture_comes_with_its_own_type_and_size() -> None:
    async with FaultServer() as server:
        artifact = await draw(server)

        assert artifact == Artifact(
            media_type="image/png",
            data=base64.b64decode(PNG),
            alt="pies i kot",
            width=1,
            height=1,
            model="flux",
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
        ("picture_link:then=404", "status 404"),
        ("picture_raw:of=not-a-picture", "no whole PNG, JPEG or WebP"),
        ("picture_raw:of=flip", "no whole PNG"),
        ("picture_raw:of=cut", "no whole PNG"),
        ("picture_raw:of=html", "no whole PNG"),
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
        with anyio.fail_after(PATIENCE_S), pytest.raises(EngineTimeout):
            await draw(server, deadline_s=0.4)
        await server.wait_idle()

        assert server.last.client_left_at is not None


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("silent", "compatible"),
        ("picture_drip", "compatible"),
        ("picture_steps:of=90000", "zwrotnica"),
    ],
)
async def test_a_caller_that_leaves_closes_the_connection(fault: str, kind: str) -> None:
    """Twenty times at random moments: a cancellation must not get lost on its way to the loop."""
    moments = Random(7)  # noqa: S311 - repeatable moments
    async with (
        FaultServer(default=f"fault={fault}") as server,
        engine_at(server.url, kind=kind) as engine,
    ):

        async def ask(caller: anyio.CancelScope) -> None:
            with caller:
                await anyio.to_thread.run_sync(
                    partial(engine.generate, REQUEST, deadline_s=NEVER_S), abandon_on_cancel=True
                )

        callers = [anyio.CancelScope() for _ in range(20)]
        async with anyio.create_task_group() as group:
            for caller in callers:
                group.start_soon(ask, caller)
            await server.wait_exchanges(20)
            for caller in callers:
                await anyio.sleep(moments.random() / 100)
                caller.cancel()
        await server.wait_disconnected()

        assert len(server.exchanges) == 20


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


@every_row("length", range(0, 30, 3))
@every_row("picture", [base64.b64decode(PNG), JPEG, WEBP_EXTENDED])
def test_a_cut_off_header_is_no_picture(picture: bytes, length: int) -> None:
    assert read_picture_header(picture[: min(length, len(picture) - 6)]) is None


@pytest.mark.parametrize("side", [0, 20_000, 2**31])
def test_an_absurd_size_is_no_picture(side: int) -> None:
    picture = bytearray(base64.b64decode(PNG))
    picture[16:20] = side.to_bytes(4)

    assert read_picture_header(bytes(picture)) is None


async def test_each_step_of_our_own_server_is_reported() -> None:
    artifact, steps = await follow("picture_steps:of=4")

    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert artifact.data == png(64, 64)


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("fin", EngineLost),
        ("rst", EngineLost),
        ("end", EngineLost),
        ("failed", EngineUnavailable),
        ("full", EngineBusy),
        ("refused", ContentRefused),
    ],
)
async def test_steps_that_end_without_a_picture_are_an_error(
    how: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await follow(f"picture_steps:stop=2:how={how}")


async def test_a_job_lost_after_its_first_steps_ends_at_the_deadline() -> None:
    async with FaultServer(default="fault=picture_steps:stop=2:how=hang") as server:
        with anyio.fail_after(PATIENCE_S), pytest.raises(EngineTimeout):
            await draw(server, kind="zwrotnica", deadline_s=0.3)


@pytest.mark.parametrize(
    ("fault", "kind"), [("picture_steps", "zwrotnica"), ("picture_revised", "compatible")]
)
async def test_what_the_model_really_drew_is_told(fault: str, kind: str) -> None:
    async with FaultServer(default=f"fault={fault}:prompt=a_dog") as server:
        assert (await draw(server, kind=kind)).prompt == "a dog"


@pytest.mark.parametrize(("model", "named"), [(None, "FLUX.1-schnell"), ("ours", "ours")])
async def test_the_model_is_the_settings_else_what_the_server_says(
    model: str | None, named: str
) -> None:
    async with FaultServer(default="fault=picture_steps:model=FLUX.1-schnell") as server:
        assert (await draw(server, kind="zwrotnica", model=model)).model == named


async def test_a_prompt_that_came_back_unchanged_is_no_change() -> None:
    async with FaultServer(default="fault=picture_revised:prompt=pies_i_kot") as server:
        assert (await draw(server)).prompt is None


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("openai", {"prompt", "n", "size"}),
        ("compatible", {"prompt", "n", "size", "response_format", "seed"}),
        ("zwrotnica", {"prompt", "n", "size", "response_format", "seed", "stream"}),
    ],
)
async def test_a_kind_is_asked_only_what_it_takes(kind: str, fields: set[str]) -> None:
    async with FaultServer() as server:
        await draw(server, kind=kind)

        assert set(server.last.json) == fields


def test_the_settings_name_every_kind() -> None:
    annotation = ImageEngineSettings.model_fields["kind"].annotation

    assert set(get_args(annotation)) == set(IMAGE_KINDS)


@pytest.mark.parametrize("code", [429, 503])
async def test_a_full_queue_says_when_to_come_back(code: int) -> None:
    async with FaultServer(default=f"fault=picture_full:code={code}:after=300") as server:
        with pytest.raises(EngineBusy) as caught:
            await draw(server)

        assert (caught.value.code, caught.value.retry_after_s) == (ErrorCode.QUEUE_FULL, 300.0)
        assert len(server.exchanges) == 1


async def test_a_queue_that_is_full_for_a_moment_is_waited_for() -> None:
    async with FaultServer(default="fault=picture_full:after=0") as server:
        with pytest.raises(EngineBusy):
            await draw(server)

        assert len(server.exchanges) == 4


@pytest.mark.parametrize("code", ["content_policy_violation", "moderation_blocked"])
async def test_a_refusal_by_the_servers_rules_is_told_apart(code: str) -> None:
    async with FaultServer(default=f"fault=picture_refused:code={code}") as server:
        with pytest.raises(ContentRefused) as caught:
            await draw(server)

    assert caught.value.code is ErrorCode.CONTENT_POLICY_VIOLATION
    assert "10.0.0.7" not in caught.value.message


async def test_any_other_bad_request_is_no_refusal() -> None:
    async with FaultServer(default="fault=status:code=400:say=size_unknown") as server:
        with pytest.raises(InvalidRequest, match="size unknown") as caught:
            await draw(server)

    assert caught.value.code is ErrorCode.INVALID_REQUEST


async def test_an_unreachable_server_is_unavailable() -> None:
    async with engine_at("http://127.0.0.1:9/v1") as engine:
        with pytest.raises(EngineUnavailable):
            await engine.draw(REQUEST, deadline_s=PATIENCE_S)


@pytest.mark.parametrize("how", ["flip", "cut", "html"])
def test_a_spoilt_png_has_no_header(how: str) -> None:
    assert read_picture_header(spoil(png(64, 64), how)) is None
