"""Readers of the Chat API who leave at every stage, and answers that are stopped at each."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

from scripted.chat_product import WEATHER, Outside, picture, poem
from scripted.chats import Chat
from scripted.fault_server import Exchange
from scripted.http_client import RawClient, post, wait_for

TOKENS = 40
SPOKEN = f"fault=none;tokens={TOKENS};pace=20"
HELD = "fault=stall:after=20;tokens=20"
EVENT = b"event: "
HEAD = b"\r\n\r\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """Where a reader leaves: after ``sent`` of its request, or ``times`` the reply's ``mark``.

    ``sent`` is a share of the request's bytes. ``text`` is what is asked.
    """

    name: str
    text: str = poem(SPOKEN)
    sent: float = 1.0
    mark: bytes = b""
    times: int = 0


STAGES = (
    Stage(name="connected", sent=0.0),
    Stage(name="in the header", sent=0.2),
    Stage(name="in the body", sent=0.9),
    Stage(name="asked"),
    Stage(name="before the first event", mark=HEAD, times=1),
    *(Stage(name=f"after event {count}", mark=EVENT, times=count) for count in range(1, 11)),
    Stage(name="after event 30", mark=EVENT, times=30),
    Stage(name="before done", mark=b"event: usage", times=1),
    Stage(name="in a tool call", text=WEATHER, mark=b"event: tool_call\n", times=1),
    Stage(name="in an image job", text=picture(steps=40), mark=b"event: image_progress", times=1),
)
"""Answers that come to their end whoever leaves."""
ENDLESS = (
    Stage(name="before the first event", text=poem("fault=silent"), mark=HEAD, times=1),
    Stage(name="before the first text", text=poem("fault=silent"), mark=b"event: route", times=1),
    *(
        Stage(
            name=f"after event {count}",
            text=poem("fault=none;tokens=5000;pace=20"),
            mark=EVENT,
            times=count,
        )
        for count in range(2, 11)
    ),
    Stage(name="all said, not ended", text=poem(HELD), mark=b"event: text", times=1),
    Stage(name="in a tool call", text=WEATHER, mark=b"event: tool_call\n", times=1),
    Stage(
        name="in an image job",
        text=picture(steps=900, every_ms=100),
        mark=b"event: image_progress",
        times=1,
    ),
)
"""Answers that do not end by themselves within a test."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """A reader who has left, and when; ``message_id`` where the reply had begun."""

    stage: Stage
    chat: Chat
    seed: int
    left_at: float
    message_id: str


def seeded(stage: Stage, seed: int) -> str:
    """What is asked; the fault server knows it again by ``seed``."""
    return f"{stage.text};seed={seed}" if "fault=" in stage.text else stage.text


async def leave(port: int, stage: Stage, chat: Chat, seed: int) -> Left:
    """Ask, read up to the stage, and leave."""
    body = json.dumps({"text": seeded(stage, seed)}).encode()
    raw = post(f"/api/conversations/{chat.id}/messages", body)
    heard = b""
    async with RawClient(port) as client:
        await client.send(raw[: int(len(raw) * stage.sent)])
        for _ in range(stage.times):
            heard += await client.read_until(stage.mark)
    return Left(
        stage=stage,
        chat=chat,
        seed=seed,
        left_at=time.monotonic(),
        message_id=_message_id(heard) if heard else "",
    )


async def leave_all(
    port: int, stages: Sequence[Stage], chats: Sequence[Chat], *, seed: int
) -> list[Left]:
    """Leave at all stages at once."""
    pairs = enumerate(zip(stages, chats, strict=True), seed)
    return await asyncio.gather(
        *(leave(port, stage, chat, number) for number, (stage, chat) in pairs)
    )


def exchange_of(outside: Outside, left: Left) -> Exchange | None:
    """The other side's part of an answer; calls of the silent weather service look all alike."""
    if left.stage.text == WEATHER:
        return outside.weather.last
    return outside.asked(left.seed)


async def departure_s(outside: Outside, left: Left, since: float) -> float:
    """Seconds from ``since`` until the other side saw the gateway leave."""
    exchange = exchange_of(outside, left)
    assert exchange is not None, left.stage.name
    await wait_for(lambda: exchange.client_left_at is not None)
    return max(0.0, (exchange.client_left_at or since) - since)


def _message_id(heard: bytes) -> str:
    head = heard.partition(HEAD)[0].decode().lower()
    lines = dict(line.partition(": ")[::2] for line in head.split("\r\n"))
    return lines["x-message-id"]
