"""The request for pictures as clients send it, within every bound."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from chatbot.errors import InvalidRequest
from chatbot.types import ImageRequest, JsonValue
from serving.http.body import validate
from serving.http.picture_request import (
    SEEDS,
    PictureBody,
    check_wish,
    read_sides,
    read_wanted,
)
from serving.settings import ImagesSettings, LimitsSettings

SMALLEST_SIDE: Final = 64
_NOTHING: Final[Mapping[str, tuple[JsonValue, ...]]] = MappingProxyType({
    "background": ("auto", "opaque"),
    "output_compression": (100,),
    "partial_images": (0,),
    "quality": ("auto", "standard", "medium", "high", "xhigh", "max", "hd"),
    "stream": (False,),
    "style": ("vivid",),
})
"""Fields not supported, with the values that ask for nothing and are therefore accepted."""


class ImagesBody(PictureBody):
    """`POST /v1/images/generations` of the gateway."""

    output_format: Literal["png", "jpeg", "webp"] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """Pictures that one client wants, one or more of the same description.

    ``media_type`` stands in place of the engine's own, if any.
    """

    model: str | None
    requests: tuple[ImageRequest, ...]
    media_type: str | None
    is_link: bool


def read_order(body: bytes, settings: ImagesSettings, limits: LimitsSettings) -> Order:
    """The request in ``body``, within every bound.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    read = validate(ImagesBody, read_wanted(body, limits, _NOTHING))
    check_wish(read, longest=settings.prompt_chars, most=settings.choices)
    width, height = _choose_sides(read.size, settings.max_side)
    return Order(
        model=read.model,
        requests=tuple(
            ImageRequest(
                prompt=read.prompt,
                width=width,
                height=height,
                seed=None if read.seed is None else (read.seed + number) % SEEDS,
            )
            for number in range(read.n)
        ),
        media_type=None if read.output_format is None else f"image/{read.output_format}",
        is_link=read.response_format == "url",
    )


def _choose_sides(size: str, largest: int) -> tuple[int, int]:
    if size == "auto":
        return ImageRequest(prompt="").width, ImageRequest(prompt="").height
    sides = read_sides(size)
    if not all(SMALLEST_SIDE <= side <= largest for side in sides):
        raise InvalidRequest(f"sides of size go from {SMALLEST_SIDE} to {largest}", param="size")
    return sides
