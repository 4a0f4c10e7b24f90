"""The packaged fonts: which characters they have, in which weights, read from the files."""

import re
import struct
from typing import Final

import brotli  # type: ignore[import-untyped] # a package of one C module, without stubs
import pytest

from ui.look.files import FOLDER

POLISH_LETTERS: Final = "aąbcćdeęfghijklłmnńoóprsśtuwyzźżAĄBCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻqvxQVX"
SIGNS: Final = "0123456789.,;:!?„”«»–—…%°()[]/+−×·’"
STYLES: Final = ("normal", "italic")
TABLES: Final = (
    *("cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt ", "fpgm", "glyf"),
    *("loca", "prep", "CFF ", "VORG", "EBDT", "EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT"),
    *("VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS", "GSUB", "EBSC", "JSTF", "MATH", "CBDT"),
    *("CBLC", "COLR", "CPAL", "SVG ", "sbix", "acnt", "avar", "bdat", "bloc", "bsln", "cvar"),
    *("fdsc", "feat", "fmtx", "fvar", "gvar", "hsty", "just", "lcar", "mort", "morx", "opbd"),
    *("prop", "trak", "Zapf", "Silf", "Glat", "Gloc", "Feat", "Sill"),
)
"""Tags by number, WOFF2 §4.1."""


class Font:
    """The tables of a WOFF2 file that its compression leaves as they are."""

    def __init__(self, packed: bytes) -> None:
        count = struct.unpack_from(">H", packed, 12)[0]
        self._packed, self._place = packed, 48
        sizes = [self._read_entry() for _ in range(count)]
        length = struct.unpack_from(">I", packed, 20)[0]
        unpacked = brotli.decompress(packed[self._place : self._place + length])
        self.tables: dict[str, bytes] = {}
        start = 0
        for tag, size in sizes:
            self.tables[tag] = unpacked[start : start + size]
            start += size

    def _read_entry(self) -> tuple[str, int]:
        flags = self._packed[self._place]
        self._place += 1
        if flags & 63 == 63:
            tag = self._packed[self._place : self._place + 4].decode()
            self._place += 4
        else:
            tag = TABLES[flags & 63]
        size = self._read_number()
        is_plain = flags >> 6 == (3 if tag in {"glyf", "loca"} else 0)
        return tag, size if is_plain else self._read_number()

    def _read_number(self) -> int:
        """UIntBase128, WOFF2 §4.1."""
        value = 0
        while True:
            byte = self._packed[self._place]
            self._place += 1
            value = value << 7 | byte & 127
            if not byte & 128:
                return value

    @property
    def characters(self) -> set[int]:
        """What the `cmap` of format 4 or 12 maps to a glyph."""
        cmap = self.tables["cmap"]
        found: set[int] = set()
        for entry in range(struct.unpack_from(">H", cmap, 2)[0]):
            start = struct.unpack_from(">I", cmap, 8 + 8 * entry)[0]
            form = struct.unpack_from(">H", cmap, start)[0]
            if form == 4:
                found |= _segments(cmap, start)
            elif form == 12:
                found |= _groups(cmap, start)
        return found

    @property
    def weights(self) -> tuple[float, float]:
        """The lowest and highest weight of its `fvar`."""
        fvar = self.tables["fvar"]
        start, _, count, size = struct.unpack_from(">HHHH", fvar, 4)
        for axis in range(count):
            tag, low, _, high = struct.unpack_from(">4siii", fvar, start + axis * size)
            if tag == b"wght":
                return low / 65536, high / 65536
        return 0, 0


def _segments(cmap: bytes, start: int) -> set[int]:
    count = struct.unpack_from(">H", cmap, start + 6)[0] // 2
    ends = struct.unpack_from(f">{count}H", cmap, start + 14)
    starts = struct.unpack_from(f">{count}H", cmap, start + 16 + 2 * count)
    pairs = zip(starts, ends, strict=True)
    return {code for low, high in pairs for code in range(low, high + 1)} - {0xFFFF}


def _groups(cmap: bytes, start: int) -> set[int]:
    count = struct.unpack_from(">I", cmap, start + 12)[0]
    groups = (struct.unpack_from(">III", cmap, start + 16 + 12 * one) for one in range(count))
    return {code for low, high, _ in groups for code in range(low, high + 1)}


def files_of(style: str) -> list[Font]:
    return [Font(path.read_bytes()) for path in (FOLDER / "fonts").glob(f"*-{style}.woff2")]


def faces_of(css: str) -> list[tuple[str, list[tuple[int, int]]]]:
    """Each `@font-face`: its file and the ranges of characters for which a browser asks it."""
    faces = []
    for face in re.findall(r"@font-face \{(.*?)\}", css, re.DOTALL):
        name = re.search(r'url\("([^"]+)"\)', face)
        ranges = re.search(r"unicode-range: ([^;]+);", face)
        assert name
        assert ranges
        bounds = [part.strip().removeprefix("U+").split("-") for part in ranges[1].split(",")]
        faces.append((name[1], [(int(part[0], 16), int(part[-1], 16)) for part in bounds]))
    return faces


@pytest.mark.parametrize("style", STYLES)
def test_every_polish_letter_and_sign_is_in_the_fonts(style: str) -> None:
    known = set[int]().union(*(font.characters for font in files_of(style)))
    assert {sign for sign in POLISH_LETTERS + SIGNS if ord(sign) not in known} == set()


@pytest.mark.parametrize("style", STYLES)
def test_every_weight_of_the_styles_is_in_the_fonts(style: str) -> None:
    css = (FOLDER / "style.css").read_text()
    used = {int(weight) for weight in re.findall(r"font(?:-weight)?: ([1-9]\d\d)\b(?! 900)", css)}
    assert used >= {400, 500, 600}
    for font in files_of(style):
        low, high = font.weights
        assert [weight for weight in used if not low <= weight <= high] == []


@pytest.mark.parametrize("style", STYLES)
def test_a_browser_asks_the_file_that_has_the_letter(style: str) -> None:
    css = (FOLDER / "style.css").read_text()
    faces = [face for face in faces_of(css) if style in face[0]]
    fonts = {name: Font((FOLDER / "fonts" / name).read_bytes()).characters for name, _ in faces}
    for letter in POLISH_LETTERS + SIGNS:
        code = ord(letter)
        asked = [name for name, ranges in faces if any(a <= code <= b for a, b in ranges)]
        assert any(code in fonts[name] for name in asked), letter


def test_text_is_there_before_the_font() -> None:
    css = (FOLDER / "style.css").read_text()
    assert css.count("font-display: swap") == css.count("@font-face {") == 4
