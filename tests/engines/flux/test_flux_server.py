import asyncio
import base64
import io
import json
import os
import subprocess
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Literal

import numpy as np
import openai
import pytest
import requests
from engines.environment import PYTHON, QUIET
from engines.flux.flux_server import FluxServer
from numpy.typing import NDArray
from PIL import Image
from scripted.http_client import RawClient, ask, post, wait_for

pytestmark = [pytest.mark.engines, pytest.mark.timeout(300)]

GENERATIONS = "/v1/images/generations"
LOAD = """
import json, sys
from chatbot.errors import ZwrotnicaError
from serving.images.flux import FluxPainter
from serving.settings import ImageServerSettings
told = []
for wrong in json.loads(sys.argv[1]):
    try:
        FluxPainter(ImageServerSettings(**wrong)).load()
    except ZwrotnicaError as error:
        told.append(error.message)
print(json.dumps(told))
"""
LONG = "a lighthouse and a secretword on the cliff, " * 12


@pytest.fixture
def client(flux: FluxServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=flux.api, api_key="local", max_retries=0, timeout=120) as client:
        yield client


def decode(picture: openai.types.Image) -> bytes:
    assert picture.b64_json is not None
    return base64.b64decode(picture.b64_json)


def pixels(file: bytes) -> NDArray[np.int16]:
    return np.asarray(Image.open(io.BytesIO(file)).convert("RGB"), dtype=np.int16)


def draw(client: openai.OpenAI, seed: int, prompt: str = "a cat") -> bytes:
    reply = client.images.generate(prompt=prompt, extra_body={"seed": seed})
    assert reply.data is not None
    return decode(reply.data[0])


def port_of(server: FluxServer) -> int:
    return int(server.url.rpartition(":")[2])


def test_a_picture_comes_as_base64(client: openai.OpenAI) -> None:
    picture = Image.open(io.BytesIO(draw(client, 1)))

    assert (picture.format, picture.size) == ("PNG", (64, 64))


def test_a_picture_comes_behind_a_link(client: openai.OpenAI) -> None:
    reply = client.images.generate(prompt="a cat", response_format="url")

    assert reply.data is not None
    assert reply.data[0].url is not None
    fetched = requests.get(reply.data[0].url, timeout=10)
    assert fetched.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(fetched.content)).size == (64, 64)


@pytest.mark.parametrize("form", ["png", "jpeg", "webp"])
def test_every_format_is_what_it_says(
    client: openai.OpenAI, form: Literal["png", "jpeg", "webp"]
) -> None:
    reply = client.images.generate(prompt="a cat", output_format=form, size="128x64")

    assert reply.data is not None
    picture = Image.open(io.BytesIO(decode(reply.data[0])))
    assert (picture.format, picture.size) == (form.upper(), (128, 64))


def test_compression_makes_a_smaller_file(client: openai.OpenAI) -> None:
    sizes = []
    for quality in (5, 100):
        reply = client.images.generate(
            prompt="a cat",
            output_format="webp",
            output_compression=quality,
            extra_body={"seed": 1},
        )
        assert reply.data is not None
        sizes.append(len(decode(reply.data[0])))

    assert sizes[0] < sizes[1]


def test_a_seed_gives_the_same_bytes_whatever_else_is_asked_for(client: openai.OpenAI) -> None:
    alone = [draw(client, seed) for seed in (5, 6)]

    together = client.images.generate(prompt="a cat", n=2, extra_body={"seed": 5})

    assert [decode(one) for one in together.data or ()] == alone
    assert alone[0] != alone[1]


def test_another_prompt_gives_another_picture(client: openai.OpenAI) -> None:
    assert draw(client, 5) != draw(client, 5, prompt="a dog")


def test_low_quality_is_another_number_of_steps(client: openai.OpenAI, flux: FluxServer) -> None:
    before = flux.metric("images_steps_total")

    client.images.generate(prompt="a cat", quality="low")

    assert flux.metric("images_steps_total") - before == 2


def test_steps_are_streamed_and_the_picture_is_the_same(client: openai.OpenAI) -> None:
    with client.images.generate(prompt="a cat", stream=True, extra_body={"seed": 5}) as stream:
        events = [event.model_dump() for event in stream]

    told = [event["step"] for event in events[:-1]]
    assert told == sorted(set(told))
    assert (told[-1], events[0]["of"]) == (4, 4)
    assert base64.b64decode(events[-1]["b64_json"]) == draw(client, 5)


def test_a_prompt_too_long_is_cut_with_notice_and_never_logged(
    client: openai.OpenAI, flux: FluxServer
) -> None:
    reply = client.images.generate(prompt=LONG, extra_body={"seed": 1})

    assert reply.data is not None
    drawn = reply.data[0].revised_prompt
    assert drawn is not None
    assert LONG.startswith(drawn)
    assert len(drawn) < len(LONG)
    assert reply.usage is not None
    assert reply.usage.input_tokens == 256
    assert draw(client, 1, prompt=drawn) == decode(reply.data[0])
    assert "secretword" not in flux.logged()


def test_in_a_batch_colours_differ_by_a_level_at_most(slow_flux: FluxServer) -> None:
    with openai.OpenAI(base_url=slow_flux.api, api_key="local", timeout=120) as client:
        alone = draw(client, 5)
        reply = client.images.generate(prompt="a cat", n=4, extra_body={"seed": 5})

    assert reply.data is not None
    together = decode(reply.data[0])
    assert np.abs(pixels(alone) - pixels(together)).max() <= 2


async def test_of_100_requests_at_once_16_are_drawn_and_84_cleanly_refused(
    slow_flux: FluxServer,
) -> None:
    batches = slow_flux.metric("images_batches_total")
    port = port_of(slow_flux)
    bodies = (json.dumps({"prompt": f"cat {number}"}).encode() for number in range(100))

    replies = await asyncio.gather(*(ask(port, post(GENERATIONS, body)) for body in bodies))

    drawn = [reply.json["data"] for reply in replies if reply.status == HTTPStatus.OK]
    refused = [reply for reply in replies if reply.status == HTTPStatus.SERVICE_UNAVAILABLE]
    assert (len(drawn), len(refused)) == (16, 84)
    assert len({str(pictures) for pictures in drawn}) == 16
    assert all(b'"code": "queue_full"' in reply.body for reply in refused)
    assert all(int(reply.headers["retry-after"]) >= 1 for reply in refused)
    assert slow_flux.metric("images_batches_total") - batches <= 4


async def test_a_client_that_leaves_frees_the_pipeline_within_one_step(
    slow_flux: FluxServer,
) -> None:
    before = await asyncio.to_thread(slow_flux.metric, "images_steps_total")
    body = json.dumps({"prompt": "a cat", "n": 8, "stream": True, "size": "128x128"}).encode()
    async with RawClient(port_of(slow_flux)) as client:
        await client.send(post(GENERATIONS, body))
        await client.read_until(b'"step":24,')  # 3 steps, 8 pictures each
    await wait_for(lambda: slow_flux.metric("images_running") == 0, 30)
    steps = await asyncio.to_thread(slow_flux.metric, "images_steps_total")

    assert steps - before <= 4
    assert slow_flux.metric("images_cancelled_total") >= 8


async def test_after_a_departure_the_next_picture_is_as_ever(slow_flux: FluxServer) -> None:
    async with RawClient(port_of(slow_flux)) as client:
        await client.send(post(GENERATIONS, b'{"prompt": "a cat", "stream": true}'))
        await client.read_until(b'"step":5,')
    with openai.OpenAI(base_url=slow_flux.api, api_key="local", timeout=120) as openai_client:
        again = [draw(openai_client, 9) for _ in range(2)]

    assert again[0] == again[1]


def test_what_cannot_be_loaded_says_what_to_do(flux_servers: object, tmp_path: Path) -> None:
    wrong = (
        {"model": str(tmp_path / "nowhere")},
        {"model": "nobody/nothing"},
        {"offload": "model_cpu_offload", "device": "cpu"},
    )
    told = subprocess.run(
        [str(PYTHON), "-c", LOAD, json.dumps(wrong)],
        check=True,
        env=os.environ | QUIET,
        capture_output=True,
        text=True,
    )

    nowhere, unknown, offload = json.loads(told.stdout)
    assert "has no model_index.json" in nowhere
    assert "Nie ma wag modelu" in nowhere
    assert "images.server.download = true" in unknown
    assert "needs a graphics card" in offload
