"""The engine faults as a client of the gateway meets them, and how it reads what it hears."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass

from scripted.gateway_under_test import ENGINE, Gateway
from scripted.http_client import Reply, ask, post

SECRETS = ("sk-upstream", "10.0.0.7", "Traceback", "127.0.0.1:")
HEARTBEAT_S, FIRST_TOKEN_S, IDLE_S = 10.0, 30.0, 15.0
OK = ("ok", 200)
TIMEOUT = ("engine_timeout", 504)
LOST = ("engine_lost", 502)
DOWN = ("engine_unavailable", 503)
BUSY = ("rate_limit_exceeded", 429)
INVALID = ("invalid_request", 400)
TOO_LONG = ("context_length_exceeded", 400)

FAULTS: Mapping[str, tuple[str, int]] = {
    "none": OK,
    "silent": TIMEOUT,
    "headers": TIMEOUT,
    "heartbeats": TIMEOUT,
    "stall:after=1": TIMEOUT,
    "stall:after=17": TIMEOUT,
    "stall:after=19": TIMEOUT,
    "heartbeats:after=3": TIMEOUT,
    "cut:how=rst": LOST,
    "cut:how=fin": LOST,
    "cut:how=end": LOST,
    "cut:how=end:after=0": DOWN,
    "no_done": OK,
    "no_done:how=fin": OK,
    "no_done:how=hang": OK,
    "malformed": OK,
    "malformed:then=cut": LOST,
    "split:by=1": OK,
    "split:by=3:ends=crlf:bom=1:comments=2:lines=1": OK,
    "split:by=2:ends=cr:bom=1": OK,
    "endless:of=line": LOST,
    "endless:of=event": LOST,
    "big_event": LOST,
    "error_event": LOST,
    "error_event:after=0": DOWN,
    "status:code=500": DOWN,
    "status:code=502": DOWN,
    "status:code=503:after=30": DOWN,
    "status:code=400": INVALID,
    "status:code=400:say=maximum_context_length": TOO_LONG,
    "status:code=401": LOST,
    "status:code=404": LOST,
    "status:code=429:after=1": BUSY,
    "status:code=429:after=3600": BUSY,
    "status:code=429:after=x": BUSY,
    "status:code=429:after=-5": BUSY,
    "usage:kind=missing": OK,
    "usage:kind=zero": OK,
    "usage:kind=negative": OK,
    "usage:kind=twice": OK,
    "usage:kind=huge": OK,
    "html": LOST,
    "wrong_type": LOST,
    "bomb": LOST,
    "redirect": LOST,
    "http09": LOST,
    "huge_headers": LOST,
    "huge_headers:of=many": LOST,
}
"""What the engine does, and the code and status with which a client must hear of it."""
CALLS: Mapping[str, tuple[str, str | None]] = {
    "sum": ("called", "calculate"),
    "plain": ("unknown_tool", None),
    "duplicate": ("unknown_tool", None),
    "reordered": ("called", "calculate"),
    "invalid": ("unknown_tool", None),
    "unknown": ("unknown_tool", None),
    "tag": ("unknown_tool", None),
    "bare": ("plain_text", None),
    "python": ("unusable_call", None),
    "think": ("default_function", None),
    "default": ("default_function", None),
}
"""What the router model writes, and the reason and tool with which it must be told."""
WAYS = [(model, stream) for model in ("zwrotnica", ENGINE) for stream in (True, False)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """What a client makes of a reply, whichever way it asked."""

    code: str
    status: int
    text: str
    usage: object
    error: dict[str, object]


def request(fault: str, *, model: str, stream: bool) -> bytes:
    body: dict[str, object] = {
        "model": model,
        "messages": [{"role": "user", "content": f"Ułóż fraszkę o jesieni. fault={fault}"}],
        "stream": stream,
    }
    if stream:
        body["stream_options"] = {"include_usage": True}
    return post("/v1/chat/completions", json.dumps(body).encode())


def hear(reply: Reply) -> Heard:
    """Read a reply, asserting that it ends as the contract says for its kind (I4, I5, I6, I9)."""
    assert not any(secret in reply.body.decode() for secret in SECRETS)
    assert reply.headers["x-request-id"]
    if "event-stream" not in reply.headers["content-type"]:
        return hear_whole(reply)
    assert reply.is_whole
    *events, last = reply.events
    chunks = [json.loads(event) for event in events]
    if last != "[DONE]":
        chunks, last = [*chunks, json.loads(last)], ""
    error = chunks[-1].get("error", {})
    choices = [choice for chunk in chunks for choice in chunk.get("choices", [])]
    finishes = [choice["finish_reason"] for choice in choices if choice.get("finish_reason")]
    assert (finishes == ["stop"]) == (last == "[DONE]") == (not error)
    assert bool(error) == (not last)
    assert not error or error["request_id"] == reply.headers["x-request-id"]
    return Heard(
        code=error.get("code", "ok"),
        status=reply.status,
        text="".join(choice["delta"].get("content") or "" for choice in choices),
        usage=next((chunk["usage"] for chunk in chunks if chunk.get("usage")), None),
        error=error,
    )


def hear_whole(reply: Reply) -> Heard:
    body = json.loads(reply.body)
    if "error" not in body:
        choice = body["choices"][0]
        assert choice["finish_reason"] == "stop"
        text, usage = choice["message"]["content"], body.get("usage")
        return Heard(code="ok", status=reply.status, text=text, usage=usage, error={})
    error = body["error"]
    assert error["request_id"] == reply.headers["x-request-id"]
    return Heard(code=error["code"], status=reply.status, text="", usage=None, error=error)


async def play(gateway: Gateway, fault: str, *, seed: int = 0) -> list[tuple[Heard, Reply]]:
    """Ask for ``fault`` in all four ways at the same time."""
    told = f"{fault};tokens=20;seed={seed}"
    replies = await asyncio.gather(
        *(ask(gateway.port, request(told, model=model, stream=stream)) for model, stream in WAYS)
    )
    return [(hear(reply), reply) for reply in replies]
