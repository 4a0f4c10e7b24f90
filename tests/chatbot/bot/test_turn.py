import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import anyio
import pytest

from chatbot.bot import Chatbot, TurnLimits
from chatbot.errors import (
    EngineBusy,
    EngineLost,
    EngineUnavailable,
    ErrorCode,
    InvalidRequest,
    ToolError,
)
from chatbot.events import (
    AttributionEvent,
    DoneEvent,
    ErrorEvent,
    Event,
    ImageEvent,
    QuestionEvent,
    RouteEvent,
    TextEvent,
    ToolCallEvent,
    ToolProgressEvent,
    ToolResultEvent,
    UsageEvent,
)
from chatbot.testing import Pause, ScriptedEngine
from chatbot.types import Artifact, Delta, Image, Leg, TurnRequest

E = TypeVar("E", bound=Event)
Build = Callable[..., Chatbot]
Play = Callable[[Chatbot, TurnRequest], Awaitable[list[Event]]]
Ask = Callable[..., TurnRequest]

DEFAULT_CALL = '{"name": "default_function", "parameters": {}}'


def calls(*bodies: str) -> ScriptedEngine:
    return ScriptedEngine(script=["<|python_tag|>", "; ".join(bodies)], name="router")


def call(name: str, arguments: str) -> str:
    return f'{{"name": "{name}", "parameters": {arguments}}}'


def names(events: Sequence[Event]) -> list[str]:
    return [event.name for event in events]


def text(events: Sequence[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextEvent))


def only(events: Sequence[Event], kind: type[E]) -> E:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


async def test_default_turn_streams_the_default_model(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(DEFAULT_CALL)), request_turn("Cześć"))

    assert names(events) == ["route", "text", "text", "usage", "done"]
    assert text(events) == "Dzień dobry"
    assert only(events, RouteEvent).reason == "default_function"
    assert only(events, DoneEvent).finish_reason == "stop"


async def test_events_are_numbered_and_belong_to_their_message(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(DEFAULT_CALL)), request_turn())

    assert [event.seq for event in events] == list(range(len(events)))
    assert {(event.v, event.message_id) for event in events} == {(1, "m1")}


async def test_tool_turn_shows_call_result_text_and_source(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(call("rate", '{"currency": "EUR"}'))), request_turn())

    assert names(events) == [
        *("route", "tool_call", "tool_result", "text", "attribution", "usage", "done")
    ]
    assert only(events, RouteEvent).tools == ("rate",)
    assert only(events, ToolCallEvent).title == "Kurs"
    assert text(events) == "**EUR**: 4,26 zł"
    assert only(events, AttributionEvent).source == "NBP"


async def test_terminal_reads_plain_results(build: Build, play: Play, request_turn: Ask) -> None:
    chatbot = build(calls(call("rate", '{"currency": "EUR"}')))

    assert text(await play(chatbot, request_turn(markup="plain"))) == "EUR: 4,26 zł"


async def test_calls_run_together_and_are_shown_in_the_order_asked(
    build: Build, play: Play, request_turn: Ask
) -> None:
    slow, quick = call("wait", '{"seconds": 0.4}'), call("wait", '{"seconds": 0.35}')
    start = time.monotonic()

    events = await play(build(calls(slow, quick)), request_turn())

    assert time.monotonic() - start < 0.7
    assert text(events) == "minęło 0.4 s\n\nminęło 0.35 s"
    ids = [event.call_id for event in events if isinstance(event, ToolCallEvent)]
    assert [e.call_id for e in events if isinstance(e, ToolResultEvent)] == ids


async def test_progress_that_nobody_can_read_is_left_out(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(call("chatter", "{}"))), request_turn())

    progress = [event.text for event in events if isinstance(event, ToolProgressEvent)]
    assert progress[0] == "krok 0"
    assert len(progress) < 1000
    assert text(events) == "dość"


async def test_failed_call_tells_the_user_and_the_turn_goes_on(
    build: Build, play: Play, request_turn: Ask
) -> None:
    chatbot = build(calls(call("broken", "{}"), call("rate", '{"currency": "EUR"}')))

    events = await play(chatbot, request_turn())

    failed, worked = [event for event in events if isinstance(event, ToolResultEvent)]
    assert (failed.status, worked.status) == ("failed", "ok")
    assert failed.error is not None
    assert failed.error in text(events)
    assert "ZeroDivisionError" not in text(events)
    assert only(events, DoneEvent).finish_reason == "stop"


async def test_picture_is_stored_and_tool_text_is_guarded(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(call("draw", '{"description": "kropka"}'))), request_turn())

    assert only(events, ImageEvent).alt == "kropka"
    assert text(events) == "Gotowe ! [x](//e.example)"
    assert only(events, AttributionEvent).title == "[[źródło]] ! [x](//e.example) < b>"


async def test_arguments_that_the_summary_echoes_are_guarded(
    build: Build, play: Play, request_turn: Ask
) -> None:
    chatbot = build(calls(call("draw", '{"description": "![x](//e.example)"}')))

    events = await play(chatbot, request_turn())

    assert "![" not in only(events, ToolCallEvent).summary
    assert only(events, ImageEvent).alt == "! [x](//e.example)"


async def test_missing_argument_is_asked_for(build: Build, play: Play, request_turn: Ask) -> None:
    events = await play(build(calls(call("rate", "{}"))), request_turn())

    question = only(events, QuestionEvent)
    assert (question.tool, question.argument) == ("rate", "currency")
    assert text(events) == question.text
    assert only(events, RouteEvent).reason == "missing_argument"


async def test_invalid_arguments_fall_back_to_the_default_model(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(call("wait", '{"seconds": -1}'))), request_turn())

    assert only(events, RouteEvent).reason == "invalid_arguments"
    assert text(events) == "Dzień dobry"


async def test_dead_router_is_told_and_the_default_model_answers(
    build: Build, play: Play, request_turn: Ask
) -> None:
    dead = ScriptedEngine(script=[EngineUnavailable("refused", engine="router")])

    events = await play(build(dead), request_turn())

    assert only(events, RouteEvent).reason == "router_down"
    assert text(events) == "Dzień dobry"


async def test_slow_router_loses_its_say(build: Build, play: Play, request_turn: Ask) -> None:
    slow = ScriptedEngine(script=[Pause(seconds=30), "x"])

    events = await play(build(slow, verdict_s=0.05), request_turn())

    assert only(events, RouteEvent).reason == "timeout"
    assert slow.aborted == 1


async def test_both_dead_end_in_one_clear_polish_error(
    build: Build, play: Play, request_turn: Ask
) -> None:
    dead = ScriptedEngine(script=[EngineUnavailable("refused: 10.0.0.1", engine="x")])

    events = await play(build(dead, dead), request_turn())

    assert names(events) == ["route", "usage", "error"]
    error = only(events, ErrorEvent)
    assert error.code is ErrorCode.ENGINE_UNAVAILABLE
    assert error.message.startswith("Model językowy jest teraz niedostępny")
    assert error.request_id == "r1"


async def test_broken_answer_is_closed_and_ends_in_an_error(
    build: Build, play: Play, request_turn: Ask
) -> None:
    lost = EngineLost("cut", engine="answers")
    engine = ScriptedEngine(script=[Delta(text="```c\nint"), lost])

    events = await play(build(None, engine), request_turn())

    assert text(events) == "```c\nint\n```"
    assert only(events, ErrorEvent).code is ErrorCode.ENGINE_LOST
    assert only(events, UsageEvent).legs[-1] == Leg(
        engine="scripted", role="answer", prompt_tokens=6, completion_tokens=3, source="estimate"
    )


async def test_forced_default_does_not_ask_the_router(
    build: Build, play: Play, request_turn: Ask
) -> None:
    router = calls(DEFAULT_CALL)

    events = await play(build(router), request_turn(force="default"))

    assert router.requests == []
    assert only(events, RouteEvent).reason == "forced"


async def test_forced_tool_is_run_with_the_routers_arguments(
    build: Build, play: Play, request_turn: Ask
) -> None:
    chatbot = build(calls(call("rate", '{"currency": "USD"}')))

    events = await play(chatbot, request_turn(force="rate"))

    assert only(events, RouteEvent).reason == "forced"
    assert "USD" in text(events)


async def test_forced_tool_without_arguments_asks(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(DEFAULT_CALL)), request_turn(force="rate"))

    assert only(events, QuestionEvent).argument == "currency"


async def test_unknown_tool_in_the_request_is_refused(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(DEFAULT_CALL)), request_turn(tools=("ratte",)))

    error = only(events, ErrorEvent)
    assert error.code is ErrorCode.INVALID_REQUEST
    assert "rate" in error.message


async def test_a_message_too_long_for_the_model_is_told_in_polish(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(None), request_turn("słowo " * 9000))

    error = only(events, ErrorEvent)
    assert error.code is ErrorCode.CONTEXT_LENGTH_EXCEEDED
    assert error.message.startswith("Wiadomość jest za długa")


async def test_client_that_leaves_before_the_verdict_aborts_the_router(
    build: Build, request_turn: Ask
) -> None:
    router = ScriptedEngine(script=[Pause(seconds=30)])
    start = time.monotonic()

    async with build(router).turn(request_turn(), disconnected=_soon) as turn:
        await anext(turn)

    assert turn.is_abandoned
    assert time.monotonic() - start < 1
    assert (router.aborted, router.open_streams) == (1, 0)


async def test_client_that_leaves_in_mid_answer_aborts_the_engine_and_keeps_the_leg(
    build: Build, request_turn: Ask
) -> None:
    engine = ScriptedEngine(script=[Delta(text="abc"), Pause(seconds=30), "x"], name="answers")

    async with build(None, engine).turn(request_turn(), disconnected=_soon) as turn:
        async for _ in turn:
            pass

    assert (engine.aborted, engine.open_streams) == (1, 0)
    assert [(leg.engine, leg.completion_tokens) for leg in turn.legs] == [("answers", 1)]


async def test_client_that_leaves_cancels_a_running_tool(build: Build, request_turn: Ask) -> None:
    start = time.monotonic()

    chatbot = build(calls(call("wait", '{"seconds": 9}')))
    async with chatbot.turn(request_turn(), disconnected=_soon) as turn:
        async for _ in turn:
            pass

    assert time.monotonic() - start < 1


async def test_error_of_the_reader_passes_unwrapped(build: Build, request_turn: Ask) -> None:
    engine = ScriptedEngine(script=["a", "b"])

    async def read_badly() -> None:
        async with build(None, engine).turn(request_turn(), disconnected=anyio.sleep_forever) as t:
            await anext(t)
            raise KeyError

    with pytest.raises(KeyError):
        await read_badly()


async def test_reader_that_stops_early_aborts_the_engine(build: Build, request_turn: Ask) -> None:
    engine = ScriptedEngine(script=["a", "b", "c"])

    async with build(None, engine).turn(request_turn()) as turn:
        await anext(turn)
        await anext(turn)

    assert (engine.aborted, engine.open_streams) == (1, 0)


async def test_turn_over_its_limit_is_cut(build: Build, play: Play, request_turn: Ask) -> None:
    chatbot = build(None, limits=TurnLimits(turn_s=-1))

    events = await play(chatbot, request_turn())

    assert only(events, ErrorEvent).code is ErrorCode.ENGINE_TIMEOUT


async def test_route_tells_the_decision_and_runs_nothing(build: Build, request_turn: Ask) -> None:
    router = calls(call("wait", '{"seconds": "9"}'))

    routing = await build(router).route(request_turn())

    assert (routing.tool, routing.reason, routing.question) == ("wait", "called", None)
    assert routing.calls[0].arguments == {"seconds": 9.0}
    assert routing.calls[0].raw_arguments == {"seconds": "9"}


async def test_route_refuses_an_unknown_tool(build: Build, request_turn: Ask) -> None:
    with pytest.raises(InvalidRequest):
        await build(None).route(request_turn(tools=("nic",)))


async def _soon() -> None:
    await anyio.sleep(0.05)


async def test_picture_that_cannot_be_kept_is_told(
    build: Build, play: Play, request_turn: Ask
) -> None:
    chatbot = build(calls(call("draw", '{"description": "kropka"}')))
    full = replace(chatbot, images=FullStore())

    events = await play(full, request_turn())

    assert text(events).endswith("\n\nBrak miejsca na obrazy.")
    assert only(events, DoneEvent).finish_reason == "stop"


class FullStore:
    async def save(self, artifact: Artifact, *, account: str) -> Image:
        raise ToolError("Brak miejsca na obrazy.")


async def test_busy_engine_says_when_to_come_back(
    build: Build, play: Play, request_turn: Ask
) -> None:
    busy = ScriptedEngine(script=[EngineBusy("429", engine="x", retry_after_s=40)])

    error = only(await play(build(None, busy), request_turn()), ErrorEvent)

    assert (error.code, error.retry_after_s) == (ErrorCode.QUEUE_FULL, 40)
