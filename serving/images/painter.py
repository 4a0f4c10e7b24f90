"""What draws: the port between the server and a diffusion pipeline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

PictureFormat: TypeAlias = Literal["png", "jpeg", "webp"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Canvas:
    """What pictures of one batch have in common: sides in pixels, steps of the pipeline."""

    width: int
    height: int
    steps: int

    @property
    def work(self) -> int:
        """Pixels times steps: what the time for one picture goes by, to a first approximation."""
        return self.width * self.height * self.steps


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """One picture that somebody wants; the same seed, words and canvas give the same picture."""

    prompt: str
    seed: int


class Picture(Protocol):
    """A drawn picture, still as pixels; encoding it does not hold up the pipeline."""

    def encode(self, form: PictureFormat, quality: int) -> bytes:
        """The picture's file; ``quality`` from 0 to 100 counts for JPEG and WebP."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """A finished picture; ``prompt`` is what the model read of the wish, in ``tokens`` tokens."""

    picture: Picture
    prompt: str
    tokens: int


class Painter(Protocol):
    """A pipeline; its methods block and are called from one thread, one at a time."""

    def load(self) -> None:
        """Bring the weights to where they are needed.

        Raises:
            ZwrotnicaError: they are not there; the message says what to do.
        """
        ...

    def draw(
        self, wishes: Sequence[Wish], canvas: Canvas, on_step: Callable[[int], bool]
    ) -> tuple[Drawing, ...] | None:
        """Draw one picture for each wish in one run of the pipeline.

        ``on_step`` is told the number of each step that is done, 0 when the prompts have been
        read; as soon as it returns false nothing further is computed, and the result is ``None``.

        Raises:
            Refusal: what cannot be drawn here (too large for the card), in words for the client.
        """
        ...
