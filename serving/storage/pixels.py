"""Looks whether a picture can really be drawn, and writes the label into its corner, by Pillow.

Pillow takes 0.13 s to import; `serving.storage.finishing` loads this module with the first picture.
"""

import io
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFile, ImageFont
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from serving.storage.redrawing import BrokenPicture, Label, LabelNotDrawn, Redrawn

Opener: TypeAlias = Callable[[io.BytesIO], ImageFile.ImageFile]

# The format's own class: `Image.open` would try every format that Pillow knows.
_OPENERS: Final[Mapping[str, Opener]] = MappingProxyType({
    "image/png": PngImageFile,
    "image/jpeg": JpegImageFile,
    "image/webp": WebPImageFile,
})
_FORMATS: Final = MappingProxyType({
    "image/png": ("PNG", {"compress_level": 3}),
    "image/jpeg": ("JPEG", {"quality": 92}),
    "image/webp": ("WEBP", {"quality": 92}),
})
_DECODING_ERRORS: Final = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    OverflowError,
    struct.error,
    zlib.error,
)
"""What Pillow raises for damaged files, by format and place."""
_LETTER_SHARE: Final = 1 / 40
_SMALLEST_LETTER: Final = 10
_WIDTH_SHARE: Final = 0.9
_SHADE: Final = (0, 0, 0, 150)
_LETTERS: Final = (255, 255, 255, 255)


def redraw(
    data: bytes, media_type: str, *, max_pixels: int, label: Label | None, wanted: str
) -> Redrawn:
    """The picture as the type ``wanted``, with the label if there is one.

    Where neither asks for a change the bytes stay as they are; they are decoded all the same.

    Raises:
        BrokenPicture: it cannot be decoded, or has more than ``max_pixels`` pixels.
        LabelNotDrawn: the label's font cannot be read.
    """
    picture = _decode(data, media_type, max_pixels)
    width, height = picture.size
    if label is not None or wanted != media_type:
        data = _encode(picture if label is None else _draw_label(picture, label), wanted)
    return Redrawn(data=data, width=width, height=height)


def _decode(data: bytes, media_type: str, max_pixels: int) -> Image.Image:
    try:
        _OPENERS[media_type](io.BytesIO(data)).verify()  # a PNG's check sums, which load() skips
        picture = _OPENERS[media_type](io.BytesIO(data))
        if picture.width * picture.height > max_pixels:
            raise BrokenPicture(f"{picture.width} × {picture.height} pixels")
        picture.load()
    except _DECODING_ERRORS as error:
        raise BrokenPicture(str(error)) from error
    return picture


def _encode(picture: Image.Image, media_type: str) -> bytes:
    name, options = _FORMATS[media_type]
    out = io.BytesIO()
    if media_type == "image/jpeg":
        picture = picture.convert("RGB")
    picture.save(out, name, **options)
    return out.getvalue()


def _draw_label(picture: Image.Image, label: Label) -> Image.Image:
    """White letters on a dark band in the lower right corner, small enough for the width."""
    has_alpha = "A" in picture.getbands() or "transparency" in picture.info
    canvas = picture.convert("RGBA")
    font = _fit_font(label, canvas.width, min(canvas.size))
    size = font.size
    layer = Image.new("RGBA", canvas.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    corner = (canvas.width - size // 2, canvas.height - size // 2)
    left, top, right, bottom = pen.textbbox(corner, label.words, font=font, anchor="rb")
    edge = size / 3
    pen.rectangle((left - edge, top - edge, right + edge, bottom + edge), fill=_SHADE)
    pen.text(corner, label.words, font=font, anchor="rb", fill=_LETTERS)
    labelled = Image.alpha_composite(canvas, layer)
    return labelled if has_alpha else labelled.convert("RGB")


def _fit_font(label: Label, width: int, shorter: int) -> ImageFont.FreeTypeFont:
    """A font in which the words fit into ``width`` pixels."""
    size = max(_SMALLEST_LETTER, round(shorter * _LETTER_SHARE))
    font = _load_font(label.font, size)
    length = font.getlength(label.words)
    if length <= width * _WIDTH_SHARE:
        return font
    return _load_font(label.font, max(1, int(size * width * _WIDTH_SHARE / length)))


def _load_font(path: Path | None, size: int) -> ImageFont.FreeTypeFont:
    try:
        font = ImageFont.load_default(size) if path is None else ImageFont.truetype(path, size)
    except OSError as error:
        raise LabelNotDrawn(str(error)) from error
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise LabelNotDrawn("Pillow was built without FreeType")
    return font
