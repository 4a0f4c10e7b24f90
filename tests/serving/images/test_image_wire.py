import json

import pytest
from scripted.tables import every_row

from chatbot.errors import ErrorCode, InvalidRequest
from serving.images.wire import Asked, read_asked
from serving.settings import ImageServerSettings, LimitsSettings

SETTINGS = ImageServerSettings()


def read(**fields: object) -> Asked:
    return read_for(SETTINGS, **fields)


def read_for(settings: ImageServerSettings, **fields: object) -> Asked:
    body = json.dumps({"prompt": "a cat", **fields}).encode()
    return read_asked(body, settings, LimitsSettings())


def test_a_prompt_alone_asks_for_one_picture_of_the_default_size_as_png_in_the_reply() -> None:
    asked = read()

    assert [wish.prompt for wish in asked.wishes] == ["a cat"]
    assert (asked.canvas.width, asked.canvas.height, asked.canvas.steps) == (1024, 1024, 4)
    assert (asked.form, asked.is_link, asked.is_streamed) == ("png", False, False)


def test_seeds_count_up_from_the_clients() -> None:
    assert [wish.seed for wish in read(n=3, seed=41).wishes] == [41, 42, 43]


def test_without_a_seed_each_request_has_another() -> None:
    assert read().wishes[0].seed != read().wishes[0].seed


def test_a_seed_at_the_end_of_the_range_goes_round() -> None:
    assert [wish.seed for wish in read(n=2, seed=2**63 - 1).wishes] == [2**63 - 1, 0]


@pytest.mark.parametrize(
    ("size", "sides"),
    [("auto", (1024, 1024)), ("512x768", (512, 768)), ("1792x1024", (1792, 1024))],
)
def test_sizes_are_read(size: str, sides: tuple[int, int]) -> None:
    canvas = read(size=size).canvas

    assert (canvas.width, canvas.height) == sides


@every_row(
    "size",
    [
        "500x500",
        "0x0",
        "32x1024",
        "4096x64",
        "2048x2048",
        "2048x256",
        "1024",
        "1024X1024",
        "x",
        "-512x512",
        "512x512x512",
        "５１２x512",
        "1e3x512",
        " 512x512",
        "",
    ],
)
def test_other_sizes_are_refused_by_name(size: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        read(size=size)

    assert refusal.value.param == "size"


def test_low_quality_takes_half_of_the_steps() -> None:
    assert (read(quality="low").canvas.steps, read(quality="hd").canvas.steps) == (2, 4)


def test_one_step_is_the_least() -> None:
    assert read_for(ImageServerSettings(steps=1), quality="low").canvas.steps == 1


@every_row(
    "fields",
    [
        {"user": "u-1", "safety_identifier": "s-1", "moderation": "low"},
        {"background": "opaque", "style": "vivid", "partial_images": 0},
        {"background": "auto", "output_compression": 100, "n": None, "seed": None},
        {"model": "FLUX.1-schnell"},
        {"model": "black-forest-labs/FLUX.1-schnell"},
    ],
)
def test_what_asks_for_nothing_else_is_accepted(fields: dict[str, object]) -> None:
    assert read(**fields).canvas == read().canvas


@every_row(
    ("fields", "param"),
    [
        ({"n": 0}, "n"),
        ({"n": 5}, "n"),
        ({"n": True}, "n"),
        ({"n": 10**9}, "n"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": " \n"}, "prompt"),
        ({"prompt": "x" * 32_001}, "prompt"),
        ({"prompt": ["a"]}, "prompt"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"output_format": "gif"}, "output_format"),
        ({"output_compression": 50}, "output_compression"),
        ({"output_compression": 101, "output_format": "jpeg"}, "output_compression"),
        ({"quality": "best"}, "quality"),
        ({"response_format": "file"}, "response_format"),
        ({"stream": "yes"}, "stream"),
        ({"model": "dall-e-3"}, "model"),
    ],
)
def test_values_out_of_bounds_are_refused_by_name(fields: dict[str, object], param: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        read(**fields)

    assert refusal.value.param == param


@every_row(
    "fields",
    [
        {"background": "transparent"},
        {"style": "natural"},
        {"partial_images": 2},
        {"steps": 50},
        {"negative_prompt": "dogs"},
        {"frame_count": 9},
    ],
)
def test_what_is_not_supported_is_refused_clearly(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        read(**fields)

    assert refusal.value.code is ErrorCode.UNSUPPORTED_PARAMETER
    assert refusal.value.param == next(iter(fields))


def test_a_misspelt_field_names_the_nearest() -> None:
    with pytest.raises(InvalidRequest, match="did you mean 'quality'"):
        read(qualty="low")


def test_a_stream_carries_its_pictures() -> None:
    assert not read(stream=True, response_format="url").is_link
