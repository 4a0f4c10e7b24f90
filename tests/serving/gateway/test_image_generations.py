"""`POST /v1/images/generations` through the unmodified OpenAI client."""

import base64
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
import requests
from PIL import Image
from scripted.http_client import RawClient, post, wait_for
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.picture_faults import png
from scripted.picture_gateway import MODEL, Gallery, open_gallery
from scripted.rules import PESEL

from serving.settings import SafetySettings
from serving.storage.picture_marks import GENERATED_BY_AI

STEPS = "fault=picture_steps:of=2:side=64"


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    with open_gallery(tmp_path_factory.mktemp("gallery"), deadline_s=PATIENCE_S) as served:
        yield served


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    with open_gallery(tmp_path_factory.mktemp("silence"), deadline_s=0.5) as served:
        yield served


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """PESEL numbers and, of what is shown, addresses are masked, one word is refused."""
    rules = {
        "pesel": {"find": "pesel"},
        "poczta": {"find": "email", "direction": "out"},
        "tajne": {"find": "words", "words": ["tajn*"], "action": "refuse"},
    }
    folder = tmp_path_factory.mktemp("guarded")
    safety = SafetySettings.model_validate({"rules": rules})
    with open_gallery(folder, deadline_s=PATIENCE_S, safety=safety) as served:
        yield served


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Gallery]:
    with open_gallery(tmp_path, has_engine=False) as served:
        yield served


def opened(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def test_a_picture_comes_in_base64_marked_as_generated(gallery: Gallery) -> None:
    reply = gallery.client.images.generate(prompt=STEPS, model=MODEL, size="64x64")
    assert reply.data is not None
    data = base64.b64decode(reply.data[0].b64_json or "")
    assert opened(data).tobytes() == opened(png(64, 64)).tobytes()
    assert GENERATED_BY_AI.encode() in data


def test_a_picture_comes_as_a_link_that_leads_to_it(gallery: Gallery) -> None:
    reply = gallery.client.images.generate(prompt=STEPS, response_format="url")
    assert reply.data is not None
    url = reply.data[0].url or ""
    assert url.startswith(f"{gallery.url}/images/")
    found = requests.get(url, timeout=PATIENCE_S)
    assert (found.status_code, found.headers["content-type"]) == (200, "image/png")
    assert opened(found.content).size == (64, 64)


def test_several_pictures_have_seeds_that_count_up(gallery: Gallery) -> None:
    asked = len(gallery.engine.exchanges)
    reply = gallery.client.images.generate(prompt=STEPS, n=3, size="128x64", extra_body={"seed": 5})
    assert reply.data is not None
    assert len(reply.data) == 3
    sent = [exchange.json for exchange in gallery.engine.exchanges[asked:]]
    assert sorted(str(one["seed"]) for one in sent) == ["5", "6", "7"]
    assert {one["size"] for one in sent} == {"128x64"}


@pytest.mark.parametrize(("wanted", "form"), [("jpeg", "JPEG"), ("webp", "WEBP")])
def test_another_format_is_given_where_it_is_wanted(
    gallery: Gallery, wanted: str, form: str
) -> None:
    reply = gallery.client.images.generate(prompt=STEPS, extra_body={"output_format": wanted})
    assert reply.data is not None
    data = base64.b64decode(reply.data[0].b64_json or "")
    assert opened(data).format == form
    assert GENERATED_BY_AI.encode() in data


def test_what_was_really_drawn_is_told(gallery: Gallery) -> None:
    reply = gallery.client.images.generate(prompt="fault=picture_steps:prompt=a_dog")
    assert reply.data is not None
    assert reply.data[0].revised_prompt == "a dog"


def test_a_description_is_masked_before_the_engine_reads_it(guarded: Gallery) -> None:
    guarded.client.images.generate(prompt=f"{STEPS} legitymacja {PESEL}", n=2)
    sent = [str(exchange.json["prompt"]) for exchange in guarded.engine.exchanges[-2:]]
    assert sent == [f"{STEPS} legitymacja [PESEL]"] * 2


def test_a_description_that_a_rule_refuses_reaches_no_engine(guarded: Gallery) -> None:
    asked = len(guarded.engine.exchanges)
    with pytest.raises(openai.BadRequestError) as caught:
        guarded.client.images.generate(prompt="tajny projekt")
    assert (caught.value.code, caught.value.param) == ("content_refused", "prompt")
    assert len(guarded.engine.exchanges) == asked


def test_what_was_really_drawn_is_told_as_people_may_read_it(guarded: Gallery) -> None:
    reply = guarded.client.images.generate(prompt="fault=picture_steps:prompt=do_jan@example.com")
    assert reply.data is not None
    assert reply.data[0].revised_prompt == "do [E-MAIL]"


def test_fields_that_ask_for_nothing_are_accepted(gallery: Gallery) -> None:
    reply = gallery.client.images.generate(
        prompt=STEPS,
        n=1,
        quality="high",
        style="vivid",
        background="auto",
        moderation="low",
        output_compression=100,
        stream=False,
        user="ktoś",
    )
    assert reply.data is not None


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({"prompt": " "}, "prompt", "invalid_request"),
        ({"prompt": "a" * 4_001}, "prompt", "invalid_request"),
        ({"n": 0}, "n", "invalid_request"),
        ({"n": 10**9}, "n", "invalid_request"),
        ({"size": "63x64"}, "size", "invalid_request"),
        ({"size": "64x2049"}, "size", "invalid_request"),
        ({"size": "٦٤x٦٤"}, "size", "invalid_request"),
        ({"size": "big"}, "size", "invalid_request"),
        ({"response_format": "png"}, "response_format", "invalid_request"),
        ({"output_format": "svg"}, "output_format", "invalid_request"),
        ({"seed": -1}, "seed", "invalid_request"),
        ({"stream": True}, "stream", "unsupported_parameter"),
        ({"background": "transparent"}, "background", "unsupported_parameter"),
        ({"num_inference_steps": 10**9}, "num_inference_steps", "unsupported_parameter"),
    ],
)
def test_a_field_out_of_bounds_is_refused_by_name(
    gallery: Gallery, fields: dict[str, object], param: str, code: str
) -> None:
    asked = len(gallery.engine.exchanges)
    body = {"prompt": STEPS, **fields}
    reply = requests.post(f"{gallery.url}/v1/images/generations", json=body, timeout=PATIENCE_S)
    error = reply.json()["error"]
    assert (reply.status_code, error["param"], error["code"]) == (400, param, code)
    assert len(gallery.engine.exchanges) == asked


def test_an_unknown_model_is_not_found(gallery: Gallery) -> None:
    with pytest.raises(openai.NotFoundError, match=MODEL):
        gallery.client.images.generate(prompt=STEPS, model="dall-e-3")


def test_the_model_that_draws_is_listed(gallery: Gallery) -> None:
    assert [model.id for model in gallery.client.models.list()] == ["zwrotnica", MODEL]


def test_without_an_engine_the_error_says_how_to_connect_one(bare: Gallery) -> None:
    with pytest.raises(openai.NotFoundError, match=r"images\.engine\.url"):
        bare.client.images.generate(prompt=STEPS)


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ("fault=picture_full:after=300", 503, "queue_full"),
        ("fault=picture_refused", 400, "content_policy_violation"),
        ("fault=picture_steps:stop=1:how=rst", 502, "engine_lost"),
        ("fault=html", 502, "engine_lost"),
        ("fault=picture_raw:of=flip", 502, "engine_lost"),
        ("fault=picture_raw:of=pixels", 502, "engine_lost"),
        ("fault=picture_raw:of=huge", 502, "engine_lost"),
        ("fault=picture_link:then=404", 502, "engine_lost"),
        ("fault=status:code=500", 503, "engine_unavailable"),
    ],
)
def test_a_failing_engine_is_a_typed_error_without_a_word_of_its_insides(
    gallery: Gallery, fault: str, status: int, code: str
) -> None:
    with pytest.raises(openai.APIStatusError) as caught:
        gallery.client.images.generate(prompt=fault)
    check_refusal(caught.value, status, code)


@pytest.mark.parametrize("fault", ["fault=silent", "fault=picture_steps:stop=1:how=hang"])
def test_an_engine_that_says_nothing_is_a_timeout(hasty: Gallery, fault: str) -> None:
    with pytest.raises(openai.APIStatusError) as caught:
        hasty.client.images.generate(prompt=fault)
    check_refusal(caught.value, 504, "engine_timeout")


def check_refusal(error: openai.APIStatusError, status: int, code: str) -> None:
    assert (error.status_code, error.code) == (status, code)
    assert error.request_id
    assert not re.search(r"językow|10\.0\.0\.7|127\.0\.0\.1", error.message)


def test_a_full_queue_says_when_to_come_back(gallery: Gallery) -> None:
    with pytest.raises(openai.InternalServerError) as caught:
        gallery.client.images.generate(prompt="fault=picture_full:after=300")
    assert caught.value.response.headers["retry-after"] == "300"


def test_one_picture_that_fails_ends_the_others(gallery: Gallery) -> None:
    with pytest.raises(openai.APIStatusError):
        gallery.client.images.generate(prompt="fault=picture_steps:stop=1:how=fin", n=4)
    assert gallery.gateway.turns == 0


async def test_a_client_that_leaves_ends_the_drawing(tmp_path: Path) -> None:
    body = json.dumps({"prompt": "fault=picture_steps:of=90000:every_ms=20"}).encode()
    with open_gallery(tmp_path, deadline_s=NEVER_S) as gallery:
        async with RawClient(gallery.gateway.port) as client:
            await client.send(post("/v1/images/generations", body))
            await wait_for(lambda: len(gallery.engine.exchanges) == 1)
        await wait_for(lambda: gallery.engine.last.client_left_at is not None)
        await wait_for(lambda: gallery.gateway.turns == 0)
