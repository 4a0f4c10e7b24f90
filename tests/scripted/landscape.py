"""A painter for people to look at: a lighthouse at sunset, whatever is wished."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw, ImageFilter
from scripted.painter import ScriptedPainter

from serving.images.painter import Canvas, Drawing, PictureFormat, Wish

SIDE, TIMES = 256, 4
SKY, SUN, SEA = (34, 40, 84), (255, 214, 138), (22, 58, 92)
GLOW = (240, 122, 84)
ROCK, TOWER, STRIPE = (20, 24, 38), (240, 232, 220), (178, 52, 46)


@dataclass(frozen=True, kw_only=True)
class Painting:
    """One picture of the sea; the ``seed`` is in a corner, so that no two files are the same."""

    canvas: Canvas
    seed: int = 0

    def encode(self, form: PictureFormat, quality: int) -> bytes:
        file = io.BytesIO()
        picture = _paint(self.canvas.width, self.canvas.height)
        picture.putpixel((0, 0), (self.seed >> 16 & 255, self.seed >> 8 & 255, self.seed & 255))
        picture.save(file, form.upper(), quality=quality)
        return file.getvalue()


class SeaPainter(ScriptedPainter):
    """Its pictures are real ones."""

    def draw(
        self, wishes: Sequence[Wish], canvas: Canvas, on_step: Callable[[int], bool]
    ) -> tuple[Drawing, ...] | None:
        drawings = super().draw(wishes, canvas, on_step)
        return drawings and tuple(
            replace(drawing, picture=Painting(canvas=canvas, seed=wish.seed))
            for drawing, wish in zip(drawings, wishes, strict=True)
        )


def _paint(width: int, height: int) -> Image.Image:
    """Drawn larger and made smaller, so that no edge has steps."""
    sky = Image.new("RGB", (SIDE, SIDE))
    drawing = ImageDraw.Draw(sky)
    horizon = 160
    for row in range(SIDE):
        share = row / horizon if row < horizon else (row - horizon) / (SIDE - horizon)
        above, below = (SKY, GLOW) if row < horizon else (GLOW, SEA)
        drawing.line((0, row, SIDE, row), fill=_mix(above, below, share**0.6))
    drawing.ellipse((76, 122, 124, 170), fill=SUN)
    drawing.rectangle((0, horizon, SIDE, horizon + 8), fill=_mix(GLOW, SEA, 0.55))
    for row in range(horizon + 8, SIDE, 7):
        drawing.line((100 - row // 5, row, 100 + row // 5, row), fill=_mix(SUN, SEA, 0.4), width=2)
    sky = sky.filter(ImageFilter.GaussianBlur(1.6))
    large = sky.resize((SIDE * TIMES, SIDE * TIMES), Image.Resampling.BICUBIC)
    _build_lighthouse(ImageDraw.Draw(large))
    return large.resize((width, height), Image.Resampling.LANCZOS)


def _build_lighthouse(drawing: ImageDraw.ImageDraw) -> None:
    def fill(colour: tuple[int, int, int], *points: tuple[float, float]) -> None:
        drawing.polygon([(x * TIMES, y * TIMES) for x, y in points], colour)

    fill(ROCK, (150, 256), (168, 196), (198, 182), (232, 190), (256, 214), (256, 256))
    fill(TOWER, (188, 188), (193, 92), (211, 92), (216, 188))
    for top in (104, 132, 160):
        edge, lower = (top - 92) * 5 / 96, (top + 14 - 92) * 5 / 96
        right, below = (211 + edge, top), (211 + lower, top + 14)
        fill(STRIPE, (193 - edge, top), right, below, (193 - lower, top + 14))
    fill(ROCK, (191, 80), (213, 80), (213, 92), (191, 92))
    fill(SUN, (195, 82), (209, 82), (209, 91), (195, 91))
    fill(STRIPE, (189, 80), (202, 68), (215, 80))


def _mix(
    one: tuple[int, int, int], other: tuple[int, int, int], share: float
) -> tuple[int, int, int]:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
