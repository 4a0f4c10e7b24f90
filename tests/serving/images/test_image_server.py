import asyncio
import base64
from collections.abc import Iterator
from http import HTTPStatus
from threading import Semaphore

import openai
import pytest
import requests
from scripted.gateway import wait_until
from scripted.http_client import RawClient, ask, post, wait_for
from scripted.openai_clients import async_client_of, client_of
from scripted.painter import (
    RunningImageServer,
    ScriptedPainter,
    image_settings,
    running_image_server,
)
from scripted.patience import PATIENCE_S

from serving.settings import LimitsSettings

GENERATIONS = "/v1/images/generations"
KEY = "klucz-do-obrazow"
BODY = b'{"prompt": "kot", "seed": 1}'
QUIET = LimitsSettings(heartbeat_s=0.05)


@pytest.fixture
def painter() -> ScriptedPainter:
    return ScriptedPainter()


@pytest.fixture
def server(painter: ScriptedPainter) -> Iterator[RunningImageServer]:
    with running_image_server(painter, image_settings(limits=QUIET)) as server:
        yield server


@pytest.fixture
def client(server: RunningImageServer) -> Iterator[openai.OpenAI]:
    with client_of(server.api, api_key="local") as client:
        yield client


def metric(server: RunningImageServer, name: str) -> float:
    text = requests.get(f"{server.url}/metrics", timeout=PATIENCE_S).text
    lines = [line for line in text.splitlines() if line.startswith(f"zwrotnica_{name}")]
    return sum(float(line.rpartition(" ")[2]) for line in lines)


def decode(picture: openai.types.Image) -> bytes:
    assert picture.b64_json is not None
    return base64.b64decode(picture.b64_json)


def test_the_openai_client_gets_pictures_in_the_reply(client: openai.OpenAI) -> None:
    reply = client.images.generate(
        prompt="kot", n=2, size="128x64", extra_body={"seed": 7}, output_format="webp"
    )

    assert reply.data is not None
    assert [decode(one) for one in reply.data] == [b"webp 100 7 128x64", b"webp 100 8 128x64"]
    assert (reply.size, reply.output_format, reply.background) == ("128x64", "webp", "opaque")
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (6, 2 * 8 * 4)


def test_the_openai_client_gets_links_that_work(client: openai.OpenAI) -> None:
    reply = client.images.generate(
        prompt="kot",
        response_format="url",
        output_format="jpeg",
        output_compression=80,
        extra_body={"seed": 7},
    )

    assert reply.data is not None
    assert reply.data[0].url is not None
    picture = requests.get(reply.data[0].url, timeout=PATIENCE_S)
    assert picture.content == b"jpeg 80 7 64x64"
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.headers["x-content-type-options"] == "nosniff"


def test_a_links_head_can_be_asked_for_alone(client: openai.OpenAI) -> None:
    reply = client.images.generate(prompt="kot", response_format="url")

    assert reply.data is not None
    assert reply.data[0].url is not None
    head = requests.head(reply.data[0].url, timeout=PATIENCE_S)
    assert (head.status_code, head.content) == (200, b"")


def test_a_link_that_was_never_given_is_404(server: RunningImageServer) -> None:
    reply = requests.get(f"{server.api}/images/files/{'0' * 32}.png", timeout=PATIENCE_S)

    assert reply.status_code == HTTPStatus.NOT_FOUND
    assert reply.json()["error"]["code"] == "not_found"


def test_links_follow_the_public_address(painter: ScriptedPainter) -> None:
    settings = image_settings(public_url="https://obrazy.example/flux/")
    with running_image_server(painter, settings) as server:
        body = {"prompt": "kot", "response_format": "url"}
        reply = requests.post(server.url + GENERATIONS, json=body, timeout=PATIENCE_S)

    url = reply.json()["data"][0]["url"]
    assert url.startswith("https://obrazy.example/flux/v1/images/files/")


def test_a_prompt_that_was_cut_comes_back_as_drawn(
    painter: ScriptedPainter, client: openai.OpenAI
) -> None:
    painter.prompt_chars = 5

    cut = client.images.generate(prompt="długi opis")
    whole = client.images.generate(prompt="opis")

    assert [one.revised_prompt for one in cut.data or ()] == ["długi"]
    assert [one.revised_prompt for one in whole.data or ()] == [None]


def test_the_openai_client_streams_steps_and_the_picture(client: openai.OpenAI) -> None:
    with client.images.generate(prompt="kot", stream=True, extra_body={"seed": 3}) as stream:
        events = [event.model_dump() for event in stream]

    *steps, completed = events
    assert [event["type"] for event in steps] == ["image_generation.step"] * len(steps)
    assert steps[-1] == {"type": "image_generation.step", "step": 4, "of": 4} | steps[-1]
    assert completed["type"] == "image_generation.completed"
    assert base64.b64decode(completed["b64_json"]) == b"png 100 3 64x64"
    assert completed["size"] == "64x64"


async def test_every_step_is_told_as_it_happens(
    painter: ScriptedPainter, server: RunningImageServer
) -> None:
    painter.permits = Semaphore(0)
    body = b'{"prompt": "kot", "n": 2, "stream": true}'
    async with RawClient(server.port) as client:
        await client.send(post(GENERATIONS, body))
        for step in (0, 2, 4, 6, 8):  # the next is done when this one has been read
            await client.read_until(b'"step":%d,"of":8}' % step)
            painter.permits.release()

        assert await client.read_until(b'"image_generation.completed"')
        assert await client.read_until(b'"image_generation.completed"')


async def test_a_waiting_stream_is_kept_alive(
    painter: ScriptedPainter, server: RunningImageServer
) -> None:
    painter.gate.clear()
    async with RawClient(server.port) as client:
        await client.send(post(GENERATIONS, b'{"prompt": "kot", "stream": true}'))
        await client.read_until(b": \n\n")
        painter.gate.set()

        assert await client.read_until(b"image_generation.completed")


async def test_of_100_requests_at_once_16_are_drawn_and_84_cleanly_refused(
    painter: ScriptedPainter, server: RunningImageServer
) -> None:
    painter.gate.clear()
    async with async_client_of(server.api, api_key="local") as client:
        asked = [
            asyncio.create_task(client.images.generate(prompt=f"kot {number}"))
            for number in range(100)
        ]
        await wait_for(lambda: sum(task.done() for task in asked) == 84)
        painter.gate.set()
        results = await asyncio.gather(*asked, return_exceptions=True)

    drawn = [one for one in results if isinstance(one, openai.types.ImagesResponse)]
    refused = [one for one in results if isinstance(one, openai.InternalServerError)]
    assert (len(drawn), len(refused)) == (16, 84)
    assert all(decode((one.data or [])[0]).startswith(b"png") for one in drawn)
    assert {(one.status_code, one.code, one.type) for one in refused} == {
        (503, "queue_full", "server_error")
    }
    assert all(int(one.response.headers["retry-after"]) >= 1 for one in refused)
    assert metric(server, "images_refused_total") == 84
    assert metric(server, "images_pictures_total") == 16


async def test_a_client_that_leaves_frees_the_pipeline_within_one_step(
    painter: ScriptedPainter,
) -> None:
    painter.permits = Semaphore(2)
    with running_image_server(painter, image_settings(steps=100)) as server:
        async with RawClient(server.port) as client:
            await client.send(post(GENERATIONS, b'{"prompt": "kot", "stream": true}'))
            await client.read_until(b'"step":2')
        await wait_for(lambda: metric(server, 'images_cancelled_total{phase="running"}') == 1)
        painter.permits.release(1000)
        await wait_for(lambda: server.queue.turns == 0)

        assert (painter.stopped, painter.steps) == (1, 3)


async def test_a_client_that_leaves_while_waiting_leaves_the_queue_at_once(
    painter: ScriptedPainter, server: RunningImageServer
) -> None:
    painter.gate.clear()
    first = asyncio.create_task(ask(server.port, post(GENERATIONS, BODY)))
    await wait_for(lambda: len(painter.batches) == 1)
    async with RawClient(server.port) as second:
        await second.send(post(GENERATIONS, BODY))
        await wait_for(lambda: server.queue.turns == 2)
    await wait_for(lambda: server.queue.turns == 1)
    painter.gate.set()

    assert (await first).status == HTTPStatus.OK
    assert len(painter.batches) == 1


def test_a_failing_pipeline_is_an_internal_error_without_its_words(
    painter: ScriptedPainter, client: openai.OpenAI
) -> None:
    painter.draw_error = RuntimeError("secret path /models/flux")

    with pytest.raises(openai.InternalServerError) as failure:
        client.images.generate(prompt="kot")

    assert failure.value.code == "internal_error"
    assert "secret" not in failure.value.response.text


def test_a_pipeline_that_fails_under_a_stream_ends_it_with_an_error(
    painter: ScriptedPainter, client: openai.OpenAI
) -> None:
    painter.draw_error = RuntimeError("secret path")

    with (
        pytest.raises(openai.APIError, match="błąd po naszej stronie") as failure,
        client.images.generate(prompt="kot", stream=True) as stream,
    ):
        list(stream)

    assert "secret" not in str(failure.value.body)


def test_bodies_out_of_bounds_are_typed_errors(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as failure:
        client.images.generate(prompt="kot", size="500x500")

    assert (failure.value.code, failure.value.param) == ("invalid_request", "size")


def test_other_models_are_not_found(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match=r"the model is 'FLUX\.1-schnell'"):
        client.images.generate(prompt="kot", model="dall-e-3")


def test_the_model_is_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["FLUX.1-schnell"]
    assert client.models.retrieve("FLUX.1-schnell").object == "model"


def test_a_set_key_is_needed(painter: ScriptedPainter) -> None:
    with (
        running_image_server(painter, image_settings(api_key=KEY)) as server,
        client_of(server.api, api_key=KEY) as known,
        client_of(server.api, api_key="other") as unknown,
    ):
        assert known.images.generate(prompt="kot").data
        with pytest.raises(openai.AuthenticationError) as refusal:
            unknown.images.generate(prompt="kot")
        with pytest.raises(openai.AuthenticationError):
            unknown.models.list()
        assert (
            requests.post(server.url + GENERATIONS, data=BODY, timeout=PATIENCE_S).status_code
            == 401
        )

    assert refusal.value.code == "invalid_api_key"
    assert KEY not in refusal.value.response.text


def test_until_it_is_warm_the_server_is_not_ready(painter: ScriptedPainter) -> None:
    painter.may_load.clear()
    with running_image_server(painter, image_settings(), is_ready=False) as server:
        assert requests.get(f"{server.url}/livez", timeout=PATIENCE_S).status_code == HTTPStatus.OK
        cold = requests.get(f"{server.url}/readyz", timeout=PATIENCE_S)
        refusal = requests.post(server.url + GENERATIONS, data=BODY, timeout=PATIENCE_S)
        painter.may_load.set()
        wait_until(lambda: server.queue.is_ready)
        warm = requests.get(f"{server.url}/readyz", timeout=PATIENCE_S)

    assert (cold.status_code, warm.status_code) == (503, 200)
    assert refusal.json()["error"]["code"] == "engine_unavailable"
    assert "retry-after" in refusal.headers


def test_the_figures_count_what_happened(client: openai.OpenAI, server: RunningImageServer) -> None:
    client.images.generate(prompt="kot", n=3)

    assert metric(server, "images_pictures_total") == 3
    assert metric(server, "images_batches_total") == 1
    assert metric(server, "images_steps_total") == 4
    assert metric(server, "images_wait_seconds_count") == 3
    assert metric(server, "images_waiting") == metric(server, "images_running") == 0
