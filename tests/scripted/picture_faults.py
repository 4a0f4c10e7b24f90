"""The faults of image servers that the fault server plays, each a function for one client."""

import base64
import json
import struct
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from scripted.line import EVENTS, JSON, Line

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q"
    "DwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A picture of one pixel, in base64."""


def png(width: int, height: int) -> bytes:
    """A valid PNG of one colour."""
    rows = (b"\0" + b"\x2a\x6f\xdb" * width) * height
    return pack_png(width, height, zlib.compress(rows))


def pack_png(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG whose check sums are right, whatever its compressed ``pixels`` are worth."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def spoil(picture: bytes, how: str) -> bytes:
    """A picture as it must not be shown.

    ``how``: flip (one bit), cut (half of it), pixels (right sums around garbage), huge (sides that
    no memory holds), html, words.
    """
    match how:
        case "flip":
            place = len(picture) // 2
            return picture[:place] + bytes([picture[place] ^ 1]) + picture[place + 1 :]
        case "cut":
            return picture[: len(picture) // 2]
        case "pixels":
            return pack_png(64, 64, b"no pixels at all")
        case "huge":
            return pack_png(16_000, 16_000, zlib.compress(b"\0" * 1_000))
        case "html":
            return b"<html><script>alert(1)</script></html>"
        case _:
            return how.encode()


async def play_picture_link(line: Line) -> None:
    """``to``: the link, with | for colons; unset: one to this server, which gives the picture.

    ``then``: with which status the picture is refused that was promised.
    """
    if line.is_get and (status := line.script.number("then", 200)) != 200:
        await line.reply(status, b'{"error": {"message": "No such file."}}')
    elif line.is_get:
        await line.reply(200, base64.b64decode(PNG), content_type="image/png")
    else:
        link = line.script.word("to").replace("|", ":") or f"http://{line.host}/v1/picture.png"
        await line.reply(200, json.dumps({"data": [{"url": link}]}).encode())


async def play_picture_raw(line: Line) -> None:
    """``of``: what is done to the picture, or stands in its place; see `spoil`."""
    await _give(line, spoil(png(64, 64), line.script.word("of")))


async def play_picture_picky(line: Line) -> None:
    if b"response_format" in line.body:
        said = {"error": {"message": "Unknown parameter: 'response_format'."}}
        await line.reply(400, json.dumps(said).encode())
    else:
        await _give(line, base64.b64decode(PNG))


async def play_picture_endless(line: Line) -> None:
    await line.head(200, {"content-type": JSON, "transfer-encoding": "chunked"})
    for _ in range(1_000):
        await line.chunked(b"a" * 8_192)


async def play_picture_drip(line: Line) -> None:
    await line.head(200, {"content-type": JSON, "transfer-encoding": "chunked"})
    while True:
        await line.chunked(b" ")
        await line.pause(0.02)


async def play_picture_full(line: Line) -> None:
    """``code``, ``after``: status and Retry-After of a full queue."""
    said = {"error": {"message": "16 pictures wait", "code": "queue_full", "type": "server_error"}}
    after = line.script.word("after", "300")
    await line.reply(line.script.number("code", 503), json.dumps(said).encode(), retry_after=after)


async def play_picture_refused(line: Line) -> None:
    """``code``: the code by which the server refuses what shall be drawn."""
    code = line.script.word("code", "content_policy_violation")
    said = {"message": "Rejected by our safety system. req_1 at http://10.0.0.7", "code": code}
    await line.reply(400, json.dumps({"error": said}).encode())


async def play_picture_revised(line: Line) -> None:
    """``prompt``: what the model says it has drawn, with _ for spaces."""
    prompt = line.script.word("prompt").replace("_", " ")
    picture = {"b64_json": PNG, "revised_prompt": prompt}
    await line.reply(200, json.dumps({"data": [picture]}).encode())


async def play_picture_steps(line: Line) -> None:
    """Events for ``of`` steps, one each ``every_ms``, then the picture.

    ``stop``: after which step it goes wrong, and ``how``: hang (lost, but still connected), fin,
    rst, end (the chunk terminator), full, refused, failed (an event that says so). ``prompt``: as
    in `play_picture_revised`; ``side``: of the picture, in pixels;
    ``model``: what is said to have drawn it.
    """
    script = line.script
    of = script.number("of", 4)
    await line.head(200, {"content-type": EVENTS, "transfer-encoding": "chunked"})
    for step in range(1, of + 1):
        if step > script.number("stop", of):
            await _go_wrong(line)
            return
        await _tell(line, {"type": "image_generation.step", "step": step, "of": of})
        await line.pause(script.number("every_ms", 1) / 1_000)
    side = script.number("side", 64)
    event = {
        "type": "image_generation.completed",
        "b64_json": base64.b64encode(png(side, side)).decode(),
        "created_at": 1_768_478_400,
        "size": f"{side}x{side}",
    }
    if model := script.word("model"):
        event["model"] = model
    if prompt := script.word("prompt"):
        event["revised_prompt"] = prompt.replace("_", " ")
    await _tell(line, event)
    await line.write(b"0\r\n\r\n")


async def _go_wrong(line: Line) -> None:
    how = line.script.word("how", "hang")
    codes = {"full": "queue_full", "refused": "moderation_blocked", "failed": "internal_error"}
    match how:
        case "hang":
            await line.hang()
        case "rst":
            await line.reset()
        case "fin":
            await line.hang_up()
        case "end":
            await line.write(b"0\r\n\r\n")
        case _:
            await _tell(line, {"error": {"message": "no picture", "code": codes[how]}})
            await line.write(b"0\r\n\r\n")


async def _tell(line: Line, event: Mapping[str, object]) -> None:
    name = event.get("type", "error")
    await line.chunked(f"event: {name}\ndata: {json.dumps(event)}\n\n".encode())


async def _give(line: Line, picture: bytes) -> None:
    encoded = base64.b64encode(picture).decode()
    await line.reply(200, json.dumps({"data": [{"b64_json": encoded}]}).encode())


Play: TypeAlias = Callable[[Line], Awaitable[None]]
PICTURE_FAULTS: Mapping[str, Play] = {
    name.removeprefix("play_"): play for name, play in globals().items() if name[:5] == "play_"
}
"""Every fault by name: the function ``play_NAME``."""
