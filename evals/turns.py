"""Solves cases with the whole chatbot: a turn's events are read, and no tool does anything."""

import copy
from collections.abc import Callable, Iterable
from dataclasses import replace

from chatbot.bot import Chatbot
from chatbot.events import Event, QuestionEvent, RouteEvent, ToolCallEvent
from chatbot.ports import Clock, Workers
from chatbot.tools import Registry
from chatbot.tools.tool import Tool
from chatbot.types import ToolResult
from evals.cases import Case
from evals.solver import DecidedCall, Solution, request_of
from serving.settings import EMBEDDED


def with_idle_tools(chatbot: Chatbot, *, workers: Workers, clock: Clock) -> Chatbot:
    """The same chatbot, whose tools take their calls and answer with nothing."""
    tools = (chatbot.tools.get(name) for name in chatbot.tools.names)
    registry = Registry(tools=tuple(map(_idle, tools)), workers=workers, clock=clock)
    return replace(chatbot, tools=registry)


class TurnSolver:
    """Plays the turn of a case, until it is known which tools are called or what is asked."""

    def __init__(self, chatbot: Chatbot, monotonic: Callable[[], float]) -> None:
        """Take turns with ``chatbot``; ``monotonic`` gives seconds."""
        self._chatbot = chatbot
        self._monotonic = monotonic

    async def solve(self, case: Case) -> Solution:
        """Decide for the case's prompt, said after its history."""
        request = request_of(case)
        started = self._monotonic()
        took, events = 0.0, list[Event]()
        async with self._chatbot.turn(request) as turn:
            async for event in turn:
                events.append(event)
                if isinstance(event, RouteEvent | ToolCallEvent | QuestionEvent):
                    took = 1000 * (self._monotonic() - started)
                if isinstance(event, RouteEvent) and event.decision == "default":
                    break
        legs = tuple(leg for leg in turn.legs if leg.engine != EMBEDDED)
        return replace(_read(events), decision_ms=took, legs=legs)


def _read(events: Iterable[Event]) -> Solution:
    solution = Solution(tool=None, reason="router_down", verdict_ms=0, decision_ms=0.0)
    for event in events:
        match event:
            case RouteEvent(tools=tools):
                solution = replace(
                    solution,
                    tool=tools[0] if tools else None,
                    reason=event.reason,
                    verdict_ms=event.verdict_ms,
                    confirmed=event.confirmed,
                    verified=event.verified,
                )
            case ToolCallEvent():
                call = DecidedCall(
                    tool=event.tool, arguments=event.arguments, raw_arguments=event.raw_arguments
                )
                solution = replace(solution, calls=(*solution.calls, call))
            case QuestionEvent():
                solution = replace(solution, asked=event.argument)
            case _:
                pass
    return solution


def _idle(tool: Tool) -> Tool:
    other = copy.copy(tool)
    other.function = _do_nothing
    other.answer = "verbatim"
    other.prepare(lambda: None)
    return other


async def _do_nothing(**_: object) -> ToolResult:
    return ToolResult(content="–")
