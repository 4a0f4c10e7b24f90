from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio
import pytest
from scripted.patience import NEVER_S
from scripted.turn_events import call, calls, names, only, text

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
    ToolCallEvent,
    ToolProgressEvent,
    ToolResultEvent,
    UsageEvent,
)
from chatbot.testing import InlineWorkers, ManualClock, Pause, ScriptedEngine
from chatbot.tools import Registry, tool
from chatbot.types import Artifact, Delta, Image, Leg, TurnRequest

Build = Callable[..., Chatbot]
Play = Callable[[Chatbot, TurnRequest], Awaitable[list[Event]]]
Ask = Callable[..., TurnRequest]

DEFAULT_CALL = '{"name": "default_function", "parameters": {}}'


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
    quick_has_ended = anyio.Event()

    @tool()
    async def slow() -> str:
        await quick_has_ended.wait()
        return "wolne"

    @tool()
    async def quick() -> str:
        quick_has_ended.set()
        return "szybkie"

    registry = Registry(tools=[slow, quick], workers=InlineWorkers(), clock=ManualClock())
    async with registry as tools:
        chatbot = replace(build(calls(call("slow", "{}"), call("quick", "{}"))), tools=tools)
        events = await play(chatbot, request_turn())

    assert text(events) == "wolne\n\nszybkie"
    results = [event.call_id for event in events if isinstance(event, ToolResultEvent)]
    assert results == ["call-1", "call-2"]


async def test_progress_that_nobody_can_read_is_left_out(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(call("chatter", "{}"))), request_turn())

    progress = [event.text for event in events if isinstance(event, ToolProgressEvent)]
    assert progress[0] == "krok 0"
    assert len(progress) < 1000
    assert text(events) == "dość"


async def test_progress_goes_from_0_to_1_whatever_a_tool_counts(
    build: Build, play: Play, request_turn: Ask
) -> None:
    events = await play(build(calls(call("reckon", "{}"))), request_turn())

    shares = [event.fraction for event in events if isinstance(event, ToolProgressEvent)]
    assert shares == [0.5, 0.0, 1.0, None, None, None]


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
    slow = ScriptedEngine(script=[Pause(seconds=NEVER_S), "x"])

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


async def test_picture_that_cannot_be_kept_is_told(
    build: Build, play: Play, request_turn: Ask
) -> None:
    chatbot = build(calls(call("draw", '{"description": "kropka"}')))
    full = replace(chatbot, images=FullStore())

    events = await play(full, request_turn())

    assert text(events) == "Brak miejsca na obrazy."
    assert only(events, ToolResultEvent).status == "failed"
    assert not any(isinstance(event, AttributionEvent) for event in events)
    assert only(events, DoneEvent).finish_reason == "stop"


async def test_a_picture_that_a_model_drew_is_a_leg_of_the_turn(
    build: Build, play: Play, request_turn: Ask
) -> None:
    chatbot = build(calls(call("draw", '{"description": "kropka"}')))

    legs = only(await play(chatbot, request_turn()), UsageEvent).legs

    assert [(leg.engine, leg.role) for leg in legs][1:] == [("kropki", "image")]


class FullStore:
    async def save(self, artifact: Artifact, *, account: str) -> Image:
        raise ToolError("Brak miejsca na obrazy.")


async def test_busy_engine_says_when_to_come_back(
    build: Build, play: Play, request_turn: Ask
) -> None:
    busy = ScriptedEngine(script=[EngineBusy("429", engine="x", retry_after_s=40)])

    error = only(await play(build(None, busy), request_turn()), ErrorEvent)

    assert (error.code, error.retry_after_s) == (ErrorCode.QUEUE_FULL, 40)
