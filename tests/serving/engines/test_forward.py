"""A client's own request to an engine: only allowed fields out, events unchanged back."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from scripted.engine_under_test import SPEED, engine_against

from chatbot.errors import EngineLost, EngineTimeout, EngineUnavailable
from chatbot.types import JsonObject, Usage
from serving.engines.deltas import choices_of
from serving.engines.openai_api import OpenAIEngine

BODY: JsonObject = {
    "model": "the-engine",
    "messages": [{"role": "user", "content": "Opowiedz coś."}],
    "temperature": 0.5,
    "logit_bias": {"50256": -100},
    "chat_template_kwargs": {"x": 1},
    "guided_regex": "(a+)+$",
    "priority": -5,
    "user": "somebody",
}
WITH_USAGE: JsonObject = {**BODY, "stream_options": {"include_usage": True}}


async def read(engine: OpenAIEngine, body: JsonObject) -> bytes:
    async with engine.forward(body) as stream:
        return b"".join([events async for events in stream])


async def read_into(seen: list[bytes], stream: AsyncIterator[bytes]) -> None:
    async for events in stream:
        seen.append(events)  # noqa: PERF401 - what came before an error must be kept


async def test_the_events_pass_unchanged_and_end_with_done() -> None:
    async with engine_against("fault=none;tokens=3") as (engine, server):
        raw = await read(engine, WITH_USAGE)
        events = raw.decode().split("\n\n")

    chunks = [json.loads(event.removeprefix("data: ")) for event in events[:-2]]
    text = "".join(
        choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"]
    )
    assert (events[-2:], text) == (["data: [DONE]", ""], server.last.script.text)
    assert chunks[-1]["usage"]["completion_tokens"] == 3
    assert all(chunk["model"] == "scripted" for chunk in chunks)


@pytest.mark.parametrize("kind", ["twice", "spoilt"])
async def test_usage_is_shown_once_and_only_where_it_counts(kind: str) -> None:
    async with engine_against(f"fault=usage:kind={kind};tokens=3") as (engine, _):
        raw = await read(engine, WITH_USAGE)

    assert raw.count(b'"usage"') == 1
    assert b'"completion_tokens": 3' in raw


async def test_usage_is_known_but_not_shown_to_who_did_not_ask() -> None:
    async with (
        engine_against("fault=none;tokens=3") as (engine, _),
        engine.forward(BODY) as stream,
    ):
        raw = b"".join([events async for events in stream])

    assert b"usage" not in raw
    assert (stream.usage, stream.finish) == (Usage(prompt_tokens=7, completion_tokens=3), "stop")


async def test_only_allowed_fields_reach_the_engine_under_its_own_model() -> None:
    async with engine_against("fault=none") as (engine, server):
        await read(engine, BODY)

        assert server.last.json == {
            "model": "fault=none",
            "messages": [{"role": "user", "content": "Opowiedz coś."}],
            "temperature": 0.5,
            "stream": True,
            "stream_options": {"include_usage": True},
        }


@pytest.mark.parametrize("fault", ["cut:how=end", "cut:how=rst", "error_event", "big_event"])
async def test_a_broken_stream_never_ends_in_done(fault: str) -> None:
    seen: list[bytes] = []
    async with engine_against(f"fault={fault}") as (engine, _), engine.forward(BODY) as stream:
        with pytest.raises(EngineLost):
            await read_into(seen, stream)

    assert seen[0].startswith(b"data: ")
    assert b"[DONE]" not in b"".join(seen)


@pytest.mark.parametrize("fault", ["stall:after=3", "headers"])
async def test_a_silent_engine_is_noticed_whether_streamed_or_whole(fault: str) -> None:
    async with engine_against(f"fault={fault}", speed=SPEED) as (engine, _):
        results = await asyncio.gather(
            read(engine, BODY), engine.forward_whole(BODY), return_exceptions=True
        )

        assert [type(result) for result in results] == [EngineTimeout, EngineTimeout]


async def test_a_finish_without_done_gets_its_done() -> None:
    async with engine_against("fault=no_done") as (engine, _):
        assert (await read(engine, BODY)).endswith(b"data: [DONE]\n\n")


async def test_a_whole_reply_is_joined_from_the_stream() -> None:
    async with engine_against("fault=none;tokens=5") as (engine, server):
        reply = await engine.forward_whole(BODY)
        text = server.last.script.text

    assert reply.body == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_763_733_600,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
                "logprobs": None,
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 0},
    }
    assert (reply.usage, reply.finish) == (Usage(prompt_tokens=7, completion_tokens=5), "stop")


async def test_tool_calls_of_a_whole_reply_are_put_together() -> None:
    async with engine_against("fault=calls:kind=plain") as (engine, _):
        reply = await engine.forward_whole(BODY)
        choice = choices_of(reply.body)[0]

    function = {"name": "get_weather", "arguments": '{"city": "Łódź"}'}
    assert choice["message"] == {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "id": "c0", "function": function}],
    }
    assert choice["finish_reason"] == "tool_calls"


async def test_a_refusal_is_the_same_error_as_for_our_own_requests() -> None:
    async with engine_against("fault=status:code=401") as (engine, _):
        with pytest.raises(EngineUnavailable) as caught:
            await engine.forward_whole(BODY)

        assert caught.value.shape.status == 502


async def test_leaving_a_forwarded_stream_closes_the_socket() -> None:
    async with engine_against("fault=none;tokens=400;pace=20") as (engine, server):
        async with engine.forward(BODY) as stream:
            await anext(stream)
        await server.wait_idle()

        assert server.last.client_left_at is not None
