"""The engine adapter against every fault, with short limits where they are waited out."""

import asyncio
import tracemalloc
from collections.abc import AsyncIterator
from datetime import UTC, timedelta
from email.utils import format_datetime

import pytest
from scripted.engine_under_test import SPEED, Outcome, engine_against, engine_settings, generate
from scripted.fault_server import Exchange
from scripted.patience import PATIENCE_S
from scripted.ports import free_port

from chatbot.errors import (
    EngineBusy,
    EngineError,
    EngineLost,
    EngineTimeout,
    EngineUnavailable,
    ErrorCode,
    InvalidRequest,
)
from chatbot.testing import ManualClock
from serving.engines.kinds import ENGINE_KINDS
from serving.engines.openai_api import OpenAIEngine

FIRST_TOKEN_S = 30.0 / SPEED
IDLE_S = 15.0 / SPEED


async def play_all(
    faults: list[str], first_token_s: float = FIRST_TOKEN_S
) -> AsyncIterator[tuple[Outcome, Exchange]]:
    """Play the faults at the same time, each on a server of its own; one exchange each."""

    async def play(fault: str) -> tuple[Outcome, Exchange]:
        async with engine_against(fault, speed=SPEED, first_token_s=first_token_s) as (
            engine,
            server,
        ):
            outcome = await generate(engine)
            await server.wait_idle()
            (exchange,) = server.exchanges
            return outcome, exchange

    for found in await asyncio.gather(*(play(fault) for fault in faults)):
        yield found


async def test_e1_a_refused_connection_is_unavailable_and_the_breaker_opens_after_five() -> None:
    settings = engine_settings(f"http://127.0.0.1:{free_port()}/v1")
    kind, clock = ENGINE_KINDS["vllm"], ManualClock()
    async with OpenAIEngine(name="e", settings=settings, kind=kind, clock=clock) as engine:
        outcomes = [await generate(engine) for _ in range(7)]

        assert all(isinstance(outcome.error, EngineUnavailable) for outcome in outcomes)
        assert max(outcome.seconds for outcome in outcomes) < settings.first_token_s
        assert engine.oddities == {"breaker_opened": 1}
        assert "left alone" in str(outcomes[5].error)


async def test_an_opened_breaker_tries_again_later_and_closes_on_success() -> None:
    clock = ManualClock()
    async with engine_against("fault=status:code=500", clock=clock) as (engine, server):
        for _ in range(6):
            await generate(engine)
        requests = len(server.exchanges)
        server.default = "fault=none"
        engine._settings = engine_settings(server.url)
        clock.advance(6.0)
        outcomes = [await generate(engine) for _ in range(2)]

        assert (requests, [outcome.error for outcome in outcomes]) == (10, [None, None])


async def test_e2_e3_silence_ends_at_the_first_token_limit() -> None:
    faults = ["fault=silent", "fault=headers", "fault=heartbeats"]
    async for outcome, exchange in play_all(faults):
        assert isinstance(outcome.error, EngineTimeout)
        assert FIRST_TOKEN_S <= outcome.seconds < FIRST_TOKEN_S + PATIENCE_S
        assert (outcome.deltas, exchange.client_left_at is not None) == ((), True)


async def test_e4_a_stall_ends_at_the_idle_limit_with_what_came() -> None:
    faults = [
        f"fault={name}:after={after}" for name in ("stall", "heartbeats") for after in (1, 17, 19)
    ]
    async for outcome, exchange in play_all(faults, first_token_s=PATIENCE_S):
        assert isinstance(outcome.error, EngineTimeout)
        assert IDLE_S <= outcome.seconds < IDLE_S + PATIENCE_S
        assert outcome.text
        assert exchange.script.text.startswith(outcome.text)


@pytest.mark.parametrize("how", ["rst", "fin", "end"])
@pytest.mark.parametrize("after", [1, 17])
async def test_e5_a_cut_is_lost_and_never_finished(how: str, after: int) -> None:
    async with engine_against(f"fault=cut:how={how}:after={after}") as (engine, server):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineLost)
        assert outcome.finish is None
        assert len(server.exchanges) == 1


async def test_e5_a_cut_before_the_first_token_is_unavailable() -> None:
    async with engine_against("fault=cut:how=end:after=0") as (engine, _):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineUnavailable)


@pytest.mark.parametrize("how", ["end", "fin", "hang"])
async def test_e6_a_finish_without_done_is_success_and_counted(how: str) -> None:
    async with engine_against(f"fault=no_done:how={how}") as (engine, server):
        outcome = await generate(engine)

        assert (outcome.error, outcome.finish, outcome.text) == (
            None,
            "stop",
            server.last.script.text,
        )
        assert engine.oddities == {"no_done": 1}


async def test_done_without_a_finish_is_success_and_counted() -> None:
    async with engine_against("fault=no_finish") as (engine, _):
        outcome = await generate(engine)

        assert (outcome.error, outcome.finish) == (None, "stop")
        assert engine.oddities == {"no_finish": 1}


async def test_e7_a_malformed_event_is_skipped_where_the_stream_finishes() -> None:
    async with engine_against("fault=malformed") as (engine, server):
        outcome = await generate(engine)

        assert (outcome.error, outcome.text) == (None, server.last.script.text)
        assert engine.oddities == {"malformed_event": 1}


async def test_e7_a_malformed_event_in_a_cut_stream_is_an_error() -> None:
    async with engine_against("fault=malformed:then=cut") as (engine, _):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineLost)


@pytest.mark.parametrize("fault", ["endless:of=line", "endless:of=event", "big_event"])
async def test_e9_an_event_without_bounds_is_cut_and_memory_stays_bounded(fault: str) -> None:
    async with engine_against(f"fault={fault}") as (engine, server):
        tracemalloc.start()
        outcome = await generate(engine)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        await server.wait_idle()

        assert isinstance(outcome.error, EngineLost)
        assert peak < 8_000_000
        assert server.last.sent_bytes < 16_000_000


@pytest.mark.parametrize(("after", "tries"), [("0", 4), ("1", 1), ("3600", 1), ("-5", 1), ("x", 1)])
async def test_e10_a_busy_engine_is_waited_for_only_so_long(after: str, tries: int) -> None:
    fault = f"fault=status:code=429:after={after}"
    async with engine_against(fault, speed=SPEED) as (engine, server):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineBusy)
        assert (outcome.error.shape.status, len(server.exchanges)) == (429, tries)
        assert outcome.seconds < PATIENCE_S


async def test_e10_a_date_in_retry_after_is_read_with_the_clock() -> None:
    clock = ManualClock()
    moment = (clock.now() + timedelta(seconds=90)).replace(microsecond=0)
    said = format_datetime(moment.astimezone(UTC), usegmt=True).replace(" ", "_").replace(":", ".")
    fault = f"fault=status:code=429:after={said}"
    async with engine_against(fault, clock=clock) as (engine, _):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineBusy)
        assert outcome.error.retry_after_s is not None
        assert 85 < outcome.error.retry_after_s <= 90


@pytest.mark.parametrize("code", [500, 502, 503, 504])
async def test_e11_a_5xx_is_tried_once_more_and_then_unavailable(code: int) -> None:
    async with engine_against(f"fault=status:code={code}") as (engine, server):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineUnavailable)
        assert (outcome.error.shape.status, len(server.exchanges)) == (503, 2)


@pytest.mark.parametrize(
    ("code", "oddity"),
    [(401, "credentials_rejected"), (403, "credentials_rejected"), (404, "address_rejected")],
)
async def test_e11_a_rejection_of_ours_is_no_rejection_of_the_client(
    code: int, oddity: str
) -> None:
    async with engine_against(f"fault=status:code={code}") as (engine, server):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineUnavailable)
        assert (outcome.error.shape.status, len(server.exchanges)) == (502, 1)
        assert engine.oddities == {oddity: 1}


@pytest.mark.parametrize(
    "said",
    [
        "This_model's_maximum_context_length_is_2048_tokens",
        "the_request_exceeds_the_available_context_size",
        "The_input_is_longer_than_the_model's_context_length",
    ],
)
async def test_e11_a_too_long_context_is_the_requests_fault(said: str) -> None:
    async with engine_against(f"fault=status:code=400:say={said}") as (engine, _):
        outcome = await generate(engine)

        assert isinstance(outcome.error, InvalidRequest)
        assert outcome.error.code == ErrorCode.CONTEXT_LENGTH_EXCEEDED


@pytest.mark.parametrize("code", [400, 401, 404, 422, 429, 500])
async def test_i6_no_error_shows_a_key_an_address_or_a_traceback(code: int) -> None:
    async with engine_against(f"fault=status:code={code}") as (engine, server):
        outcome = await generate(engine)

        shown = str(outcome.error)
        assert not any(
            secret in shown for secret in ("sk-upstream", "10.0.0.7", "Traceback", str(server.port))
        )


@pytest.mark.parametrize(("after", "kind"), [(0, EngineUnavailable), (3, EngineLost)])
async def test_an_error_inside_the_stream_ends_it(after: int, kind: type[EngineError]) -> None:
    async with engine_against(f"fault=error_event:after={after}") as (engine, _):
        outcome = await generate(engine)

        assert type(outcome.error) is kind
        assert "10.0.0.7" not in str(outcome.error)


@pytest.mark.parametrize(
    ("kind", "figures", "oddities"),
    [
        ("missing", [], {}),
        ("zero", [(0, 0)], {}),
        ("negative", [], {"absurd_usage": 1}),
        ("twice", [(7, 20)], {}),
        ("huge", [], {"absurd_usage": 1}),
        ("words", [], {"absurd_usage": 1}),
    ],
)
async def test_e13_only_a_sane_usage_counts_and_counts_once(
    kind: str, figures: list[tuple[int, int]], oddities: dict[str, int]
) -> None:
    async with engine_against(f"fault=usage:kind={kind}") as (engine, _):
        outcome = await generate(engine)

        found = [(usage.prompt_tokens, usage.completion_tokens) for usage in outcome.usages]
        assert (outcome.error, found, engine.oddities) == (None, figures, oddities)


@pytest.mark.parametrize(
    "fault",
    [
        "html",
        "wrong_type",
        "wrong_type:type=text/plain",
        "bomb",
        "redirect",
        "redirect:to=http://127.0.0.1:1/",
        "http09",
        "huge_headers",
        "huge_headers:of=many",
    ],
)
async def test_e14_what_is_not_of_the_protocol_is_a_bad_gateway(fault: str) -> None:
    async with engine_against(f"fault={fault}") as (engine, server):
        outcome = await generate(engine)

        assert isinstance(outcome.error, EngineUnavailable)
        assert (outcome.error.shape.status, len(server.exchanges)) == (502, 1)


async def test_e14_a_compressed_refusal_is_not_unpacked() -> None:
    async with engine_against("fault=bomb:code=500") as (engine, _):
        tracemalloc.start()
        outcome = await generate(engine)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert isinstance(outcome.error, EngineUnavailable)
        assert peak < 8_000_000 + 67_108_864  # the server's own copy is made in this process


async def test_i3_no_task_and_no_socket_outlives_a_fault() -> None:
    faults = ["cut:how=rst", "stall:after=1", "status:code=500", "html", "malformed:then=cut"]
    async with engine_against("fault=none", speed=SPEED) as (engine, server):
        before = len(asyncio.all_tasks())
        for fault in faults:
            server.default = f"fault={fault}"
            engine._settings = engine_settings(server.url, speed=SPEED)
            await generate(engine)
        await server.wait_idle()

        assert len(asyncio.all_tasks()) - before <= server.open_connections * 2
        assert server.open_connections <= 1
