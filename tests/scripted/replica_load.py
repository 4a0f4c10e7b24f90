"""Streams kept open to a gateway, each noting when its first token came and how it ended."""

import asyncio
import json
import re
from dataclasses import dataclass
from itertools import count

from scripted.http_client import RawClient, post

EVENT = re.compile(rb"data: (.+)\n\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class Stream:
    """One stream; times are the event loop's, in seconds; ``first_at`` is its first token's."""

    began_at: float
    first_at: float | None
    text: str
    code: str
    is_finished: bool


async def keep_streaming(
    port: int, model: str, *, streams: int, until: asyncio.Event
) -> list[Stream]:
    """So many streams at any time, one after the other, until the event; gives them all."""
    numbers, heard = count(), list[Stream]()

    async def work() -> None:
        while not until.is_set():
            heard.append(await _stream(port, model, next(numbers)))

    await asyncio.gather(*(work() for _ in range(streams)))
    return heard


async def _stream(port: int, model: str, number: int) -> Stream:
    body = {
        "model": model,
        "stream": True,
        "messages": [{"role": "user", "content": f"Pytanie {number}."}],
    }
    clock = asyncio.get_running_loop().time
    began_at, first_at, raw = clock(), None, bytearray()
    async with RawClient(port) as client:
        await client.send(post("/v1/chat/completions", json.dumps(body).encode()))
        while first_at is None and (event := await _read_event(client)):
            raw += event
            first_at = clock() if _text(event) else None
        raw += await client.read_some(1_000_000)
    said = [json.loads(one) for one in EVENT.findall(bytes(raw)) if one != b"[DONE]"]
    return Stream(
        began_at=began_at,
        first_at=first_at,
        text=_text(bytes(raw)),
        code=next((one["error"]["code"] for one in said if "error" in one), "ok"),
        is_finished=b"[DONE]" in raw,
    )


async def _read_event(client: RawClient) -> bytes:
    try:
        return await client.read_until(b"\n\n")
    except asyncio.IncompleteReadError as error:
        return error.partial


def _text(raw: bytes) -> str:
    said = (json.loads(one) for one in EVENT.findall(raw) if one != b"[DONE]")
    choices = [choice for one in said for choice in one.get("choices", [])]
    return "".join(choice["delta"].get("content") or "" for choice in choices)
