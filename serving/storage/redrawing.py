"""What is asked of the module that decodes pictures, what it gives, and how it fails.

Apart from that module because it imports Pillow, which nobody pays for before the first picture.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class BrokenPicture(Exception):
    """The bytes are no picture of their type, damaged, or larger than allowed."""


class LabelNotDrawn(Exception):
    """The label's font cannot be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """Words for a picture's corner; without a ``font`` only ASCII letters can be drawn."""

    words: str
    font: Path | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Redrawn:
    """A whole picture with its true size in pixels."""

    data: bytes
    width: int
    height: int


class Redraw(Protocol):
    """See `serving.storage.pixels.redraw`."""

    def __call__(
        self, data: bytes, media_type: str, *, max_pixels: int, label: Label | None, wanted: str
    ) -> Redrawn:
        """Decode a picture; draw the label and change the type where asked."""
        ...
