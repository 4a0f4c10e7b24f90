"""What every `POST /v1/images/generations` of ours reads alike: fields, prompt, sides."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field, StrictInt

from chatbot.errors import InvalidRequest
from chatbot.types import JsonValue
from serving.http.body import Body
from serving.http.strict_json import read_json
from serving.settings import LimitsSettings

SEEDS: Final = 2**63
"""Seeds go from 0 to below this."""
_MEANINGLESS: Final = frozenset({"moderation", "safety_identifier", "user"})
"""Fields that OpenAI's clients may always send and that change nothing here."""


class PictureBody(Body):
    """The fields of every endpoint; ``seed`` is our extension, for pictures that come again.

    Source: OpenAI's API reference, images, create.
    """

    prompt: str = Field(min_length=1)
    model: str | None = Field(default=None, max_length=256)
    n: StrictInt = Field(default=1, ge=1)
    size: str = Field(default="auto", max_length=16)
    response_format: Literal["url", "b64_json"] = "b64_json"
    seed: StrictInt | None = Field(default=None, ge=0, lt=SEEDS)


def read_wanted(
    body: bytes, limits: LimitsSettings, nothing: Mapping[str, tuple[JsonValue, ...]]
) -> dict[str, JsonValue]:
    """The fields of ``body`` that ask for something.

    ``nothing`` maps fields that are not supported to the values that are accepted all the same,
    because they ask for what is done anyway.

    Raises:
        InvalidRequest: no JSON object, or beyond the limits.
    """
    return {
        name: value
        for name, value in read_json(body, limits).items()
        if value is not None and name not in _MEANINGLESS and value not in nothing.get(name, ())
    }


def check_wish(read: PictureBody, *, longest: int, most: int) -> None:
    """A prompt of at most ``longest`` characters, for at most ``most`` pictures.

    Raises:
        InvalidRequest: ``param`` names the field at fault.
    """
    if not read.prompt.strip():
        raise InvalidRequest("prompt is empty", param="prompt")
    if len(read.prompt) > longest:
        raise InvalidRequest(
            f"prompt has {len(read.prompt)} characters; at most {longest} fit", param="prompt"
        )
    if read.n > most:
        raise InvalidRequest(f"n is at most {most}", param="n")


def read_sides(size: str) -> tuple[int, int]:
    """Width and height of ``"1024x768"``, in pixels.

    Raises:
        InvalidRequest: it is something else.
    """
    wide, _, high = size.partition("x")
    if not all(side.isascii() and side.isdigit() for side in (wide, high)):
        raise InvalidRequest("size is 'auto' or pixels such as '1024x768'", param="size")
    return int(wide), int(high)
