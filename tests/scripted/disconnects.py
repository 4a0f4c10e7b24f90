"""Clients that leave at every stage of a request, and what the other side then notices."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

from scripted.gateway_under_test import Gateway
from scripted.http_client import RawClient, post, wait_for

TOKENS, PACE_MS = 1000, 40
"""The engine speaks for forty seconds, so that leaving is always earlier."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """Where a client leaves: after ``sent`` of the request's bytes, ``got`` of the reply's.

    ``sent`` None: all. ``mark``: the client reads until it has seen these bytes. ``model``: whom
    it asks. ``is_streamed``: how.
    """

    name: str
    sent: int | None = None
    got: int = 0
    mark: bytes = b""
    wait_s: float = 0.0
    model: str = "zwrotnica"
    is_streamed: bool = True
    tokens: int = TOKENS


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaving:
    """One client's leaving: seconds until the engine saw it, ``None`` where it was never asked."""

    stage: Stage
    noticed_s: float | None


def make_stages() -> tuple[Stage, ...]:
    """About seventy points, from the bare connection to the last event."""
    head = post("/v1/chat/completions", b"").index(b"\r\n\r\n")
    return (
        Stage(name="connected", sent=0),
        *(Stage(name="in the header", sent=head * part // 8) for part in range(1, 8)),
        *(Stage(name="in the body", sent=head + 10 + part * 20) for part in range(5)),
        Stage(name="asked", wait_s=0.0),
        Stage(name="before the first token", wait_s=0.05),
        Stage(name="before the first token, whole", wait_s=0.2, is_streamed=False),
        Stage(name="asked an engine", wait_s=0.2, model="bielik", is_streamed=False),
        *(Stage(name="in the reply", got=size) for size in range(1, 51)),
        *(Stage(name="in an engine's reply", got=size, model="bielik") for size in (1, 20, 400)),
        Stage(name="in the text", mark=b'"content"', wait_s=0.3),
        Stage(name="before done", mark=b'"stop"', tokens=5),
    )


async def leave_all(gateway: Gateway, stages: Sequence[Stage], *, seed: int = 0) -> list[Leaving]:
    """Let a client leave at each of the stages, all at the same time."""
    return await asyncio.gather(
        *(leave(gateway, stage, seed=seed + place) for place, stage in enumerate(stages))
    )


async def leave(gateway: Gateway, stage: Stage, *, seed: int) -> Leaving:
    """Ask, leave at the stage, and see when the engine notices; ``seed`` tells who is who."""
    fault = f"fault=none;tokens={stage.tokens};pace={PACE_MS};seed={seed + 1}"
    body = {
        "model": stage.model,
        "messages": [{"role": "user", "content": f"Ułóż fraszkę o jesieni. {fault}"}],
        "stream": stage.is_streamed,
    }
    raw = post("/v1/chat/completions", json.dumps(body).encode())
    async with RawClient(gateway.port) as client:
        await client.send(raw[: stage.sent])
        if stage.got:
            await client.read_some(stage.got)
        if stage.mark:
            await client.read_until(stage.mark)
        await asyncio.sleep(stage.wait_s)
    left_at = time.monotonic()
    asked = [one for one in gateway.engine.exchanges if one.script.seed == seed + 1]
    if not asked:
        return Leaving(stage=stage, noticed_s=None)
    await wait_for(lambda: asked[0].ended_at is not None)
    if asked[0].client_left_at is None:  # it had said all that it had to say
        return Leaving(stage=stage, noticed_s=0.0)
    return Leaving(stage=stage, noticed_s=max(0.0, asked[0].client_left_at - left_at))
