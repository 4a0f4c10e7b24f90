"""The size of a picture, read from the header of PNG, JPEG or WebP; anything else is none."""

import zlib
from dataclasses import dataclass

_PNG = b"\x89PNG\r\n\x1a\n"
_STARTS_OF_FRAME = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_LARGEST_SIDE = 16_384


@dataclass(frozen=True, kw_only=True, slots=True)
class PictureHeader:
    """Media type and size in pixels, as the file itself says them."""

    media_type: str
    width: int
    height: int


def read_picture_header(data: bytes) -> PictureHeader | None:
    """What kind of picture ``data`` is; ``None`` where it is none, cut off, or absurdly large.

    A PNG is walked from chunk to chunk, so that one damaged on its way is none.

    Source: PNG (ISO/IEC 15948) 11.2.2, JPEG (ITU-T T.81) B.2.2, WebP (RFC 9649) 2.5 to 2.7.
    """
    if data.startswith(_PNG):
        media_type, size = "image/png", _read_png(data)
    elif data.startswith(b"\xff\xd8\xff"):
        media_type, size = "image/jpeg", _read_jpeg(data)
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        media_type, size = "image/webp", _read_webp(data)
    else:
        return None
    if size is None or not all(1 <= side <= _LARGEST_SIDE for side in size):
        return None
    return PictureHeader(media_type=media_type, width=size[0], height=size[1])


def _read_png(data: bytes) -> tuple[int, int] | None:
    if data[12:16] != b"IHDR":
        return None
    place, kind, view = len(_PNG), b"", memoryview(data)
    while kind != b"IEND":
        body = place + 8
        end = body + int.from_bytes(view[place : place + 4])
        kind = bytes(view[place + 4 : body])
        if end + 4 > len(data) or zlib.crc32(view[place + 4 : end]) != int.from_bytes(
            view[end : end + 4]
        ):
            return None
        place = end + 4
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def _read_jpeg(data: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:  # noqa: PLR2004 - marker byte
        marker = data[place + 1]
        if marker in _STARTS_OF_FRAME:
            height = int.from_bytes(data[place + 5 : place + 7])
            return int.from_bytes(data[place + 7 : place + 9]), height
        place += 1 if marker == 0xFF else 2 + int.from_bytes(data[place + 2 : place + 4])  # noqa: PLR2004 - fill byte
    return None


def _read_webp(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30 or int.from_bytes(data[4:8], "little") + 8 > len(data):  # noqa: PLR2004 - sizes of the format
        return None
    match data[12:16]:
        case b"VP8 ":
            width = int.from_bytes(data[26:28], "little") & 0x3FFF
            return width, int.from_bytes(data[28:30], "little") & 0x3FFF
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            width = int.from_bytes(data[24:27], "little") + 1
            return width, int.from_bytes(data[27:30], "little") + 1
        case _:
            return None
