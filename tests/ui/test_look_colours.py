"""The contrast of every pair of colours that stand on each other, by WCAG 2.2, in both themes."""

import re
from typing import Final

import pytest
from scripted.tables import every_row

from ui.look.files import FOLDER

THEMES: Final = ("light", "dark")
GROUNDS: Final = ("ground", "surface", "side", "code", "said", "hover", "tint")
TEXT: Final = (
    *(("text", ground) for ground in GROUNDS),
    *(("quiet", ground) for ground in ("ground", "surface", "side", "code", "hover")),
    *(("accent", ground) for ground in ("ground", "surface", "code")),
    *(("accent-strong", ground) for ground in ("ground", "surface", "tint")),
    *((f"code-{kind}", "code") for kind in ("comment", "word", "string", "number", "name")),
    ("accent", "tint"),
    ("text", "lifted"),
    ("ground", "text"),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("danger", "surface"),
    ("on-danger", "danger"),
    ("text", "danger-tint"),
    ("quiet", "danger-tint"),
    ("warn", "warn-tint"),
)
PARTS: Final = (
    *(("edge", ground) for ground in ("ground", "surface", "side")),
    *(("focus", ground) for ground in ("ground", "surface", "side", "hover")),
    ("accent", "hover"),
)


def colours_of(theme: str) -> dict[str, str]:
    css = (FOLDER / "style.css").read_text()
    selector = {"light": r":root \{\s+color-scheme: light", "dark": r":root\.dark \{"}[theme]
    block = re.search(selector + r"[^}]*\}", css)
    assert block
    return dict(re.findall(r"--z-([a-z-]+): (#[0-9a-f]{6});", block[0]))


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@every_row("theme", THEMES)
@every_row(("front", "back"), TEXT)
def test_text_can_be_read(theme: str, front: str, back: str) -> None:
    colours = colours_of(theme)
    assert contrast(colours[front], colours[back]) >= 4.5


@every_row("theme", THEMES)
@every_row(("front", "back"), PARTS)
def test_edges_and_focus_can_be_seen(theme: str, front: str, back: str) -> None:
    colours = colours_of(theme)
    assert contrast(colours[front], colours[back]) >= 3


def test_both_themes_define_the_same_colours() -> None:
    assert colours_of("light").keys() == colours_of("dark").keys()


def test_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
