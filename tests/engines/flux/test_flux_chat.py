import base64
import io
from pathlib import Path

import openai
import pytest
import requests
from engines.flux.flux_server import FluxServer
from PIL import Image
from scripted.gateway_process import serving
from scripted.http_client import RawClient, post, wait_for
from scripted.product import PICTURE

from chatbot.events import Event, ImageEvent, ImageProgressEvent, ToolResultEvent
from chatbot.types import Message, Text, TurnRequest
from serving.assembly import assemble
from serving.settings import Settings, load_settings
from serving.storage.picture_marks import GENERATED_BY_AI

pytestmark = [pytest.mark.engines, pytest.mark.timeout(300)]

STEPS_OF_NEWS = 3
"""Steps of some 50 ms until the news has gone through the gateway, at most; 1 was seen, thrice."""
WISH = "Narysuj latarnię morską o zmierzchu"


def variables(flux: FluxServer) -> dict[str, str]:
    """The environment of a gateway whose pictures come from ``flux``, small ones."""
    return {
        "ZWROTNICA_IMAGES__ENGINE__KIND": "zwrotnica",
        "ZWROTNICA_IMAGES__ENGINE__URL": flux.api,
        "ZWROTNICA_TOOLS__IMAGE__WIDTH": "64",
        "ZWROTNICA_TOOLS__IMAGE__HEIGHT": "128",
    }


def settings_for(flux: FluxServer, folder: Path) -> Settings:
    environ = variables(flux) | {"ZWROTNICA_DATA_DIR": str(folder)}
    config = folder / "zwrotnica.toml"
    config.touch()
    return load_settings(config, environ=environ)


def decode(reply: openai.types.ImagesResponse) -> bytes:
    assert reply.data is not None
    assert reply.data[0].b64_json is not None
    return base64.b64decode(reply.data[0].b64_json)


async def say(settings: Settings, text: str) -> list[Event]:
    request = TurnRequest(
        messages=(Message(role="user", parts=(Text(text=text),)),),
        message_id="message",
        request_id="request",
    )
    async with assemble(settings) as assembly, assembly.chatbot.turn(request) as turn:
        return [event async for event in turn]


def test_the_chat_draws_for_the_openai_client(flux: FluxServer, tmp_path: Path) -> None:
    with (
        serving(tmp_path, variables(flux)) as gateway,
        openai.OpenAI(base_url=f"{gateway.url}/v1", api_key="local", timeout=120) as client,
    ):
        completion = client.chat.completions.create(
            model="zwrotnica", messages=[{"role": "user", "content": WISH}]
        )
        [address] = PICTURE.findall(completion.choices[0].message.content or "")
        file = requests.get(address, timeout=10)

    assert file.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(file.content)).size == (64, 128)
    assert GENERATED_BY_AI.encode() in file.content


def test_the_gateway_draws_what_the_server_would(flux: FluxServer, tmp_path: Path) -> None:
    with serving(tmp_path, variables(flux)) as gateway:
        pictures = []
        for api in (flux.api, f"{gateway.url}/v1"):
            with openai.OpenAI(base_url=api, api_key="local", timeout=120) as client:
                reply = client.images.generate(
                    prompt="a cat",
                    size="64x128",
                    response_format="b64_json",
                    extra_body={"seed": 3},
                )
            pictures.append(Image.open(io.BytesIO(decode(reply))).convert("RGB").tobytes())

    assert pictures[0] == pictures[1]


async def test_who_leaves_the_gateway_frees_the_pipeline(
    slow_flux: FluxServer, tmp_path: Path
) -> None:
    before = slow_flux.metric("images_steps_total")
    with serving(tmp_path, variables(slow_flux)) as gateway:
        async with RawClient(int(gateway.url.rpartition(":")[2])) as client:
            await client.send(
                post("/v1/images/generations", b'{"prompt": "kot", "size": "512x512"}')
            )
            await wait_for(lambda: slow_flux.metric("images_steps_total") - before >= 3, 30)
            done = slow_flux.metric("images_steps_total")
        freed_s = await wait_for(lambda: slow_flux.metric("images_running") == 0, 30)

    assert freed_s < 1
    assert slow_flux.metric("images_steps_total") < before + 100
    assert slow_flux.metric("images_steps_total") - done <= STEPS_OF_NEWS


async def test_every_step_reaches_the_chat(flux: FluxServer, tmp_path: Path) -> None:
    events = await say(settings_for(flux, tmp_path), WISH)

    steps = [(event.step, event.of) for event in events if isinstance(event, ImageProgressEvent)]
    assert steps == sorted(set(steps))
    assert steps[-1] == (4, 4)
    assert len(steps) >= 3
    assert [type(event) for event in events].count(ImageEvent) == 1


async def test_the_chat_says_that_a_description_was_cut(flux: FluxServer, tmp_path: Path) -> None:
    events = await say(settings_for(flux, tmp_path), "Narysuj: " + "latarnia i morze, " * 40)

    notices = [
        text for event in events if isinstance(event, ToolResultEvent) for text in event.notices
    ]
    assert any("narysowano początek" in text for text in notices)
