"""Pictures decoded within bounds, labelled in a corner, given in another type."""

import io
import subprocess
import sys

import pytest
from PIL import Image
from scripted.picture_faults import png, spoil
from scripted.tables import every_row

from serving.storage.pixels import redraw
from serving.storage.redrawing import BrokenPicture, Label, Redrawn

LABEL = Label(words="obraz wygenerowany przez AI")
PNG = "image/png"


def redrawn(
    data: bytes, *, label: Label | None = None, wanted: str = PNG, max_pixels: int = 1_000_000
) -> Redrawn:
    return redraw(data, PNG, max_pixels=max_pixels, label=label, wanted=wanted)


def opened(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def test_a_picture_that_needs_nothing_stays_byte_for_byte() -> None:
    data = png(64, 32)
    assert redrawn(data) == Redrawn(data=data, width=64, height=32)


@every_row("how", ["flip", "cut", "pixels", "huge", "html"])
def test_a_broken_picture_is_found_out(how: str) -> None:
    with pytest.raises(BrokenPicture):
        redrawn(spoil(png(64, 64), how))


def test_more_pixels_than_allowed_are_not_decoded() -> None:
    with pytest.raises(BrokenPicture, match="64 × 64 pixels"):
        redrawn(png(64, 64), max_pixels=64 * 64 - 1)


@pytest.mark.parametrize("side", [256, 512])
def test_the_label_stands_in_the_lower_right_corner_and_nowhere_else(side: int) -> None:
    plain, labelled = opened(png(side, side)), opened(redrawn(png(side, side), label=LABEL).data)
    half = (0, 0, side, side // 2)
    corner = (side // 2, side * 7 // 8, side, side)
    assert labelled.size == (side, side)
    assert labelled.crop(half).tobytes() == plain.crop(half).tobytes()
    brightest = labelled.crop(corner).convert("L").getextrema()[1]
    assert isinstance(brightest, int)
    assert brightest > 200


@every_row("mode", ["L", "P", "LA", "RGBA", "1", "I;16"])
def test_any_kind_of_png_can_be_labelled(mode: str) -> None:
    out = io.BytesIO()
    Image.new(mode, (64, 64)).save(out, "PNG")
    assert opened(redrawn(out.getvalue(), label=LABEL).data).size == (64, 64)


def test_a_picture_that_can_be_seen_through_stays_so() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (64, 64), (0, 0, 0, 0)).save(out, "PNG")
    assert opened(redrawn(out.getvalue(), label=LABEL).data).getpixel((0, 0)) == (0, 0, 0, 0)


@pytest.mark.parametrize(("wanted", "form"), [("image/jpeg", "JPEG"), ("image/webp", "WEBP")])
def test_a_picture_is_given_in_another_type(wanted: str, form: str) -> None:
    picture = opened(redrawn(png(64, 32), wanted=wanted).data)
    assert (picture.format, picture.size) == (form, (64, 32))


def test_a_server_starts_without_pillow() -> None:
    program = "import sys, serving.cli, serving.app; print('PIL' in sys.modules)"
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
