"""Whoever reads a turn leaves: before the verdict, in mid-answer, with a tool at work."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio
import pytest
from scripted.patience import NEVER_S
from scripted.turn_events import call, calls

from chatbot.bot import Chatbot
from chatbot.events import (
    Event,
)
from chatbot.testing import InlineWorkers, ManualClock, Pause, ScriptedEngine
from chatbot.tools import Registry, tool
from chatbot.types import TurnRequest

Build = Callable[..., Chatbot]
Play = Callable[[Chatbot, TurnRequest], Awaitable[list[Event]]]
Ask = Callable[..., TurnRequest]


async def test_client_that_leaves_before_the_verdict_aborts_the_router(
    build: Build, request_turn: Ask
) -> None:
    router = ScriptedEngine(script=[Pause(seconds=NEVER_S)])
    leave = once(lambda: router.open_streams == 1)

    async with build(router).turn(request_turn(), disconnected=leave) as turn:
        await anext(turn)

    assert turn.is_abandoned
    assert (router.aborted, router.open_streams) == (1, 0)


async def test_client_that_leaves_in_mid_answer_aborts_the_engine_and_keeps_the_leg(
    build: Build, request_turn: Ask
) -> None:
    engine = ScriptedEngine(script=["abc", Pause(seconds=NEVER_S), "x"], name="answers")
    leave = once(lambda: engine.played == 1)

    async with build(None, engine).turn(request_turn(), disconnected=leave) as turn:
        async for _ in turn:
            pass

    assert (engine.aborted, engine.open_streams) == (1, 0)
    assert [(leg.engine, leg.completion_tokens) for leg in turn.legs] == [("answers", 1)]


async def test_client_that_leaves_cancels_a_running_tool(build: Build, request_turn: Ask) -> None:
    has_begun, was_cancelled = anyio.Event(), anyio.Event()

    @tool(deadline_s=NEVER_S)
    async def linger() -> str:
        has_begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            was_cancelled.set()
        return ""

    registry = Registry(tools=[linger], workers=InlineWorkers(), clock=ManualClock())
    async with registry as tools:
        chatbot = replace(build(calls(call("linger", "{}"))), tools=tools)
        async with chatbot.turn(request_turn(), disconnected=has_begun.wait) as turn:
            async for _ in turn:
                pass

    assert turn.is_abandoned
    assert was_cancelled.is_set()


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


def once(is_so: Callable[[], bool]) -> Callable[[], Awaitable[None]]:
    """A client that leaves when it is so and nothing goes on that follows from it."""

    async def leave() -> None:
        while not is_so():  # noqa: ASYNC110 - a scripted engine wakes nobody
            await anyio.sleep(0.001)
        await anyio.wait_all_tasks_blocked()

    return leave
