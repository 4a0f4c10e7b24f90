"""The request for pictures as clients send it, after OpenAI's images endpoint."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from pydantic import Field, StrictBool, StrictInt

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import JsonValue
from serving.http.body import validate
from serving.http.picture_request import (
    SEEDS,
    PictureBody,
    check_wish,
    read_sides,
    read_wanted,
)
from serving.images.painter import Canvas, PictureFormat, Wish
from serving.settings import SIDE_STEP, ImageServerSettings, LimitsSettings

_CHOSEN: Final = 2**32
"""Seeds that we choose are below this, which any client can read."""
LARGEST_ASPECT: Final = 4
"""How many times longer one side may be than the other."""
_NOTHING: Final[Mapping[str, tuple[JsonValue, ...]]] = MappingProxyType({
    "background": ("auto", "opaque"),
    "partial_images": (0,),
    "style": ("vivid",),
    "output_compression": (100,),
})
"""Values that ask for what is done anyway, of fields that are not supported otherwise."""
_LOW: Final = "low"
"""The quality that is drawn in half of the steps; every other one takes all of them."""


class ImageGenerationBody(PictureBody):
    """`POST /v1/images/generations` of the image server."""

    output_format: PictureFormat = "png"
    output_compression: StrictInt = Field(default=100, ge=0, le=100)
    quality: Literal["auto", "low", "medium", "high", "standard", "hd"] = "auto"
    stream: StrictBool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a client wants: pictures of one canvas, and how it wants to have them."""

    wishes: tuple[Wish, ...]
    canvas: Canvas
    quality: Literal["low", "high"]
    form: PictureFormat
    compression: int
    has_seed: bool
    is_link: bool
    is_streamed: bool


def read_asked(body: bytes, settings: ImageServerSettings, limits: LimitsSettings) -> Asked:
    """The request in ``body``, within every bound.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    read = validate(ImageGenerationBody, read_wanted(body, limits, _NOTHING))
    _check(read, settings)
    seed = secrets.randbelow(_CHOSEN) if read.seed is None else read.seed
    return Asked(
        wishes=tuple(
            Wish(prompt=read.prompt, seed=(seed + number) % SEEDS) for number in range(read.n)
        ),
        canvas=_read_canvas(read, settings),
        quality="low" if read.quality == _LOW else "high",
        form=read.output_format,
        compression=read.output_compression,
        has_seed=read.seed is not None,
        is_link=read.response_format == "url" and not read.stream,
        is_streamed=read.stream,
    )


def _check(read: ImageGenerationBody, settings: ImageServerSettings) -> None:
    if read.model not in {None, settings.served_name, settings.model}:
        raise InvalidRequest(
            f"there is no model {read.model!r}; the model is {settings.served_name!r}",
            param="model",
            code=ErrorCode.NOT_FOUND,
        )
    check_wish(read, longest=settings.prompt_chars, most=settings.pictures)
    if read.output_compression != 100 and read.output_format == "png":  # noqa: PLR2004 - per cent
        raise InvalidRequest(
            "output_compression is for jpeg and webp; png keeps everything",
            param="output_compression",
        )


def _read_canvas(read: ImageGenerationBody, settings: ImageServerSettings) -> Canvas:
    width, height = settings.default_sides
    if read.size != "auto":
        width, height = _choose_sides(read.size, settings)
    steps = max(1, settings.steps // 2) if read.quality == _LOW else settings.steps
    return Canvas(width=width, height=height, steps=steps)


def _choose_sides(size: str, settings: ImageServerSettings) -> tuple[int, int]:
    sides = read_sides(size)
    least, most = settings.min_side, settings.max_side
    if any(side % SIDE_STEP or not least <= side <= most for side in sides):
        raise InvalidRequest(
            f"sides of size go from {least} to {most} by {SIDE_STEP}", param="size"
        )
    if sides[0] * sides[1] > settings.max_pixels or max(sides) > LARGEST_ASPECT * min(sides):
        raise InvalidRequest(
            f"size is at most {settings.max_pixels} pixels, no side more than "
            f"{LARGEST_ASPECT} times the other",
            param="size",
        )
    return sides
