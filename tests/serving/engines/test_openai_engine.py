"""The engine adapter against a server that behaves: what is sent, what comes back, how it ends."""

import asyncio

import pytest
from scripted.engine_under_test import QUESTION, engine_against, engine_settings, generate
from scripted.fault_server import FaultServer
from scripted.patience import PATIENCE_S

from chatbot.testing import ManualClock
from chatbot.types import CallDelta, ChatMessage, ChatRequest, Delta, Sampling, ToolSpec, Usage
from serving.engines.kinds import ENGINE_KINDS
from serving.engines.openai_api import OpenAIEngine

FOR_80_S = "fault=none;tokens=4000;pace=20"
WEATHER = ToolSpec(
    name="get_weather",
    title="Pogoda",
    description="Weather.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string", "x-name": "place"}},
        "required": ("city",),
    },
)


async def test_the_text_arrives_whole_with_finish_and_usage() -> None:
    async with engine_against("fault=none;seed=4;tokens=50") as (engine, server):
        outcome = await generate(engine)

        assert (outcome.text, outcome.finish, outcome.usages) == (
            server.last.script.text,
            "stop",
            (Usage(prompt_tokens=7, completion_tokens=50),),
        )


async def test_what_one_read_held_is_one_delta() -> None:
    async with engine_against("fault=split:by=1000000;tokens=50") as (engine, _):
        outcome = await generate(engine)

        assert len(outcome.deltas) == 1


@pytest.mark.parametrize("by", [1, 7])
@pytest.mark.parametrize("ends", ["lf", "crlf", "cr"])
async def test_every_way_of_splitting_gives_the_same_text(by: int, ends: str) -> None:
    fault = f"fault=split:by={by}:ends={ends}:bom=1:comments=1:lines=1;tokens=8"
    async with engine_against(fault) as (engine, server):
        outcome = await generate(engine)

        assert (outcome.text, outcome.finish) == (server.last.script.text, "stop")


async def test_the_connection_is_used_again_after_a_whole_answer() -> None:
    async with engine_against("fault=none") as (engine, server):
        for _ in range(5):
            await generate(engine)

        assert (server.connections, len(server.exchanges)) == (1, 5)


async def test_leaving_the_context_closes_the_socket_at_once() -> None:
    async with engine_against(FOR_80_S) as (engine, server):
        async with engine.stream(QUESTION) as stream:
            await anext(stream)
        left_at = asyncio.get_running_loop().time()
        await server.wait_idle()

        assert server.last.client_left_at is not None
        assert server.last.client_left_at - left_at < PATIENCE_S
        assert server.last.sent_tokens < 2000


@pytest.mark.parametrize("fault", [FOR_80_S, "fault=silent"])
async def test_cancelling_the_reader_closes_the_socket_at_once(fault: str) -> None:
    async with engine_against(fault) as (engine, server):
        task = asyncio.create_task(generate(engine))
        await server.wait_exchanges(1)
        task.cancel()
        await asyncio.wait([task])
        left_at = asyncio.get_running_loop().time()
        await server.wait_idle()

        assert task.cancelled()
        assert server.last.client_left_at is not None
        assert server.last.client_left_at - left_at < PATIENCE_S


async def test_two_hundred_and_fifty_six_streams_run_at_once() -> None:
    barrier = asyncio.Barrier(256)

    async def meet(engine: OpenAIEngine) -> Delta:
        async with engine.stream(QUESTION) as stream:
            delta = await anext(stream)
            await barrier.wait()
        return delta

    async with engine_against("fault=stall:after=3", speed=1.0) as (engine, server):
        deltas = await asyncio.gather(*(meet(engine) for _ in range(256)))

        assert all(delta.text for delta in deltas)
        assert server.connections == 256


async def test_leaving_the_engine_closes_its_connections() -> None:
    async with FaultServer() as server:
        settings = engine_settings(server.url, model="fault=none")
        kind = ENGINE_KINDS["vllm"]
        async with OpenAIEngine(
            name="e", settings=settings, kind=kind, clock=ManualClock()
        ) as engine:
            await generate(engine)

        await server.wait_disconnected()


async def test_tool_call_deltas_arrive_as_the_wire_brings_them() -> None:
    async with engine_against("fault=calls:kind=plain") as (engine, _):
        outcome = await generate(engine)
        calls = [call for delta in outcome.deltas for call in delta.calls]

        assert calls == [
            CallDelta(index=0, call_id="c0", name="get_weather"),
            CallDelta(index=0, arguments='{"city": "Łódź"}'),
        ]
        assert outcome.finish == "tool_calls"


async def test_everything_that_vllm_takes_is_sent() -> None:
    sampling = Sampling(
        temperature=0.0,
        top_k=40,
        min_p=0.05,
        max_tokens=5,
        repetition_penalty=1.1,
        seed=7,
        stop=("a", "b"),
    )
    request = ChatRequest(
        messages=(ChatMessage(role="system", text="S"), ChatMessage(role="user", text="Zażółć")),
        sampling=sampling,
        tools=(WEATHER,),
        keep_special_tokens=True,
        token_ids=True,
        priority=-1,
    )
    async with engine_against("fault=none") as (engine, server):
        await generate(engine, request)
        body = server.last.json

    tool = {
        "name": "get_weather",
        "description": "Weather.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    }
    assert body == {
        "model": "fault=none",
        "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "Zażółć"}],
        "temperature": 0.0,
        "top_k": 40,
        "min_p": 0.05,
        "max_tokens": 5,
        "repetition_penalty": 1.1,
        "seed": 7,
        "stop": ["a", "b"],
        "tools": [{"type": "function", "function": tool}],
        "tool_choice": "auto",
        "skip_special_tokens": False,
        "return_token_ids": True,
        "priority": -1,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


@pytest.mark.parametrize("kind", [name for name in ENGINE_KINDS if name != "embedded"])
async def test_no_kind_is_sent_a_field_it_does_not_take(kind: str) -> None:
    request = ChatRequest(
        messages=QUESTION.messages,
        sampling=Sampling(top_k=40, min_p=0.05, repetition_penalty=1.1, seed=7),
        keep_special_tokens=True,
        token_ids=True,
        priority=3,
    )
    row = ENGINE_KINDS[kind]
    extras = {
        "skip_special_tokens": row.keeps_special_tokens,
        "return_token_ids": row.reports_token_ids,
        "priority": row.takes_priority,
        "stream_options": row.takes_usage_option,
    }
    async with engine_against("fault=none", kind=kind) as (engine, server):
        await generate(engine, request)
        sent = set(server.last.json)

    known = {row.renamed.get(field, field) for field in row.forwarded} | {"model", "stream"}
    assert sent <= known | {field for field, is_taken in extras.items() if is_taken}
    assert all((field in sent) == is_taken for field, is_taken in extras.items())


async def test_the_key_and_no_compression_are_sent_and_no_organisation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    async with engine_against("fault=none") as (engine, server):
        await generate(engine)
        headers = server.last.headers

        assert headers["authorization"] == "Bearer none"
        assert headers["accept-encoding"] == "identity"
        assert "openai-organization" not in headers


async def test_the_models_are_listed() -> None:
    async with engine_against("fault=none") as (engine, _):
        assert await engine.list_models() == ("fault=none",)


async def test_each_token_is_given_as_it_comes() -> None:
    async with engine_against("fault=none;tokens=5") as (engine, server):
        server.permits = permits = asyncio.Semaphore(0)  # the next one when this one has come
        outcome = await generate(engine, on_delta=lambda _: permits.release())

        assert (outcome.error, outcome.text) == (None, server.last.script.text)
