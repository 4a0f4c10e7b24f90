"""Every engine fault as a client of the gateway meets it, with limits twenty times shorter."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from scripted.gateway_under_test import ENGINE, Gateway, gateway_against
from scripted.http_client import Reply, ask, post, wait_for
from scripted.line import read_script

SECRETS = ("sk-upstream", "10.0.0.7", "Traceback", "127.0.0.1:")
HEARTBEAT_S, FIRST_TOKEN_S, IDLE_S = 10.0 / 20, 30.0 / 20, 15.0 / 20
OK = ("ok", 200)
TIMEOUT = ("engine_timeout", 504)
LOST = ("engine_lost", 502)
DOWN = ("engine_unavailable", 503)
BUSY = ("rate_limit_exceeded", 429)
INVALID = ("invalid_request", 400)
TOO_LONG = ("context_length_exceeded", 400)

FAULTS = {
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
WAYS = [(model, stream) for model in ("zwrotnica", ENGINE) for stream in (True, False)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """What a client makes of a reply, whichever way it asked."""

    code: str
    status: int
    text: str
    usage: object
    error: dict[str, object]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with gateway_against(tmp_path_factory.mktemp("faults")) as served:
        yield served


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


async def play(gateway: Gateway, fault: str) -> list[tuple[Heard, Reply]]:
    """Ask for ``fault`` in all four ways at the same time."""
    replies = await asyncio.gather(
        *(
            ask(gateway.port, request(f"{fault};tokens=20", model=model, stream=stream))
            for model, stream in WAYS
        )
    )
    return [(hear(reply), reply) for reply in replies]


def plain(text: str) -> str:
    """The text without the spaces that the guard may put in."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if FAULTS[fault] != TIMEOUT])
async def test_a_fault_is_told_with_its_code_and_status(gateway: Gateway, fault: str) -> None:
    code, status = FAULTS[fault]
    whole = read_script("fault=none;tokens=20").text if code == "ok" else ""
    heard = await play(gateway, fault)

    assert [found.code for found, _ in heard] == [code] * 4
    assert {found.status for found, _ in heard[1::2]} == {status}
    assert {found.status for found, _ in heard[::2]} <= {status, 200}
    assert code != "ok" or [plain(found.text) for found, _ in heard] == [plain(whole)] * 4


async def test_e2_to_e4_silence_is_told_at_its_limit_after_heartbeats(gateway: Gateway) -> None:
    faults = [fault for fault in FAULTS if FAULTS[fault] == TIMEOUT]
    for fault, heard in zip(
        faults, await asyncio.gather(*(play(gateway, fault) for fault in faults)), strict=True
    ):
        limit = IDLE_S if "after=" in fault else FIRST_TOKEN_S
        assert [found.code for found, _ in heard] == ["engine_timeout"] * 4
        assert [found.status for found, _ in heard] == [200, 504, 200, 504]
        assert all(limit <= reply.seconds < limit * 2 for _, reply in heard)
        if limit == FIRST_TOKEN_S:
            assert all(b": \n\n" in reply.body for _, reply in heard[::2])
            assert HEARTBEAT_S <= heard[0][1].first_byte_s < FIRST_TOKEN_S


@pytest.mark.parametrize("after", ["1", "3600", "x", "-5"])
async def test_e10_a_busy_engine_gives_the_client_a_retry_after_of_ours(
    gateway: Gateway, after: str
) -> None:
    named = after if after.isdigit() else "1"  # a turn's events carry no time, so there it is 1
    heard = await play(gateway, f"status:code=429:after={after}")

    assert [reply.headers["retry-after"] for _, reply in heard] == ["1", "1", named, named]


@pytest.mark.parametrize("kind", ["missing", "negative", "huge"])
async def test_e13_an_unusable_usage_is_never_shown(gateway: Gateway, kind: str) -> None:
    heard = await play(gateway, f"usage:kind={kind}")

    assert not any("1000000000000" in reply.body.decode() for _, reply in heard)
    assert not any("-20" in json.dumps(found.usage) for found, _ in heard)


async def test_i3_i8_nothing_is_left_behind(gateway: Gateway) -> None:
    await play(gateway, "none")
    gateway.portal.call(asyncio.sleep, 0.1)
    before = gateway.tasks()
    await asyncio.gather(*(play(gateway, fault) for fault in FAULTS if FAULTS[fault] != TIMEOUT))
    await wait_for(lambda: gateway.tasks() <= before)

    await wait_for(lambda: all(exchange.ended_at for exchange in gateway.engine.exchanges))
