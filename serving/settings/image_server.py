"""The settings of our own image server: what it draws with, for whom, and how much at once."""

from typing import Literal, TypeAlias

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt, SecretStr, model_validator

from serving.settings.sections import HttpUrl, Section, is_loopback

Device: TypeAlias = Literal["auto", "cuda", "cpu"]
Dtype: TypeAlias = Literal["auto", "bfloat16", "float16", "float32"]
Offload: TypeAlias = Literal["none", "model_cpu_offload", "sequential_cpu_offload"]

FLUX = "black-forest-labs/FLUX.1-schnell"
SIDE_STEP = 16
"""Sides of pictures go by this many pixels: a latent pixel is 8 × 8, a patch 2 × 2 of them."""


class ImageServerSettings(Section):
    """Our own image server, `zwrotnica images serve`: FLUX behind OpenAI's images endpoint."""

    host: str = Field(
        default="127.0.0.1", description="Address to listen on; without `api_key` only loopback."
    )
    port: int = Field(default=7870, ge=0, le=65_535, description="Port to listen on; 0: any free.")
    api_key: SecretStr | None = Field(
        default=None, description="Key that clients must send, at least 16 characters; unset: none."
    )
    public_url: HttpUrl | None = Field(
        default=None, description="Address in links to pictures; unset: the one in the request."
    )
    model: str = Field(
        default=FLUX, description="The model's folder, or its id among the downloaded ones."
    )
    name: str | None = Field(
        default=None, description="Name that clients use; unset: the last part of `model`."
    )
    download: bool = Field(
        default=False, description="Whether the weights may be downloaded (some 34 GB for FLUX.1)."
    )
    device: Device = Field(default="auto", description="`auto`: the graphics card if there is one.")
    dtype: Dtype = Field(
        default="auto", description="Numbers of the weights; `auto`: bfloat16, float32 on the CPU."
    )
    offload: Offload = Field(
        default="none",
        description="What waits in main memory, for smaller cards: `none` (all is on the card), "
        "`model_cpu_offload` (one part at a time), `sequential_cpu_offload` (one layer at a time, "
        "slow).",
    )
    vae_tiling: bool = Field(
        default=False, description="Decode a picture in tiles: less memory, faint seams."
    )
    vae_slicing: bool = Field(
        default=False, description="Decode the pictures of a batch one by one: less memory."
    )
    steps: PositiveInt = Field(default=4, le=100, description="Steps of a picture.")
    guidance: NonNegativeFloat = Field(
        default=0.0, description="Guidance; 0 for models that were distilled without."
    )
    prompt_tokens: PositiveInt = Field(
        default=256, le=512, description="Tokens of a prompt that the model reads; the rest is cut."
    )
    prompt_chars: PositiveInt = Field(default=32_000, description="Characters of a prompt.")
    default_size: str = Field(
        default="1024x1024",
        pattern=r"^[1-9]\d{1,4}x[1-9]\d{1,4}$",
        description="Pixels of a picture whose size is left open.",
    )
    min_side: PositiveInt = Field(default=64, description="Least pixels of a side.")
    max_side: PositiveInt = Field(default=2048, description="Most pixels of a side.")
    max_pixels: PositiveInt = Field(
        default=2_097_152, description="Most pixels of a picture, width × height."
    )
    pictures: PositiveInt = Field(default=4, le=10, description="Largest `n` of one request.")
    queue: PositiveInt = Field(
        default=16,
        description="Pictures that may wait or be drawn at once; more are refused, `queue_full`.",
    )
    batch: PositiveInt = Field(
        default=4, description="Pictures of one size that are drawn together."
    )
    seeds_alone: bool = Field(
        default=True,
        description="Draw pictures with a client's seed alone, so that they are the same to the "
        "byte; in a batch a few colours differ by one level of 255.",
    )
    link_s: PositiveFloat = Field(
        default=600.0, description="Seconds for which a link to a picture is valid."
    )
    link_bytes: int = Field(
        default=268_435_456,
        ge=67_108_864,
        description="Memory for pictures behind links; the oldest go first, bytes.",
    )

    @model_validator(mode="after")
    def _check_binding(self) -> "ImageServerSettings":
        if self.api_key is None and not is_loopback(self.host):
            raise ValueError(f"host {self.host!r} can be reached by others: set 'api_key'")
        if self.api_key is not None and len(self.api_key.get_secret_value()) < 16:  # noqa: PLR2004 - as the description says
            raise ValueError("'api_key' has fewer than 16 characters")
        return self

    @model_validator(mode="after")
    def _check_amounts(self) -> "ImageServerSettings":
        width, height = self.default_sides
        if any(
            side % SIDE_STEP or not self.min_side <= side <= self.max_side
            for side in (width, height)
        ):
            raise ValueError(
                f"'default_size' needs sides of {self.min_side} to {self.max_side} that are "
                f"multiples of {SIDE_STEP}"
            )
        if width * height > self.max_pixels:
            raise ValueError("'default_size' has more than 'max_pixels'")
        if self.pictures > self.queue:
            raise ValueError("'pictures' of one request must fit into the 'queue'")
        return self

    @property
    def default_sides(self) -> tuple[int, int]:
        """Width and height of a picture whose size is left open."""
        width, _, height = self.default_size.partition("x")
        return int(width), int(height)

    @property
    def served_name(self) -> str:
        """The name under which clients ask for the model."""
        return self.name or self.model.rstrip("/").rpartition("/")[2]
