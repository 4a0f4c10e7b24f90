"""One turn, as an async context manager that is iterated for its events."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from types import TracebackType
from typing import Self, TypeAlias

import anyio

from chatbot.bot.answer import answer
from chatbot.bot.calls import run_calls
from chatbot.bot.equipment import Equipment
from chatbot.bot.record import Record
from chatbot.bot.screening import screen_request
from chatbot.bot.switch import Routing, set_switch
from chatbot.errors import EngineError, ErrorCode, InvalidRequest, ZwrotnicaError
from chatbot.events import (
    DoneEvent,
    ErrorEvent,
    Event,
    QuestionEvent,
    RouteEvent,
    TextEvent,
    UsageEvent,
)
from chatbot.types import Leg, Question, ToolOutcome, TurnRequest

Listen: TypeAlias = Callable[[TextEvent], bool]
"""Takes an event of text the moment it is made; false: it was not taken, and is to be yielded."""

CLOSING_S = 5.0
log = logging.getLogger(__name__)


class Turn:
    """The events of one turn; leaving the block ends everything that the turn had begun.

    The task group is entered and left here, in the caller's own frame; it holds the watch for the
    client's disconnect and the running tool calls. The event generator itself opens no cancel
    scope across a ``yield``. After the block, `legs` tells every engine call made, also when the
    client has left, and `is_abandoned` whether it has.
    """

    def __init__(
        self,
        equipment: Equipment,
        request: TurnRequest,
        *,
        disconnected: Callable[[], Awaitable[object]] | None = None,
        listen: Listen | None = None,
    ) -> None:
        """Nothing begins before the block is entered."""
        self._equipment = equipment
        self._request = request
        self._disconnected = disconnected
        self._group = anyio.create_task_group()
        self._record = Record(
            message_id=request.message_id,
            clock=equipment.clock,
            group=self._group,
            listen=None if listen is None else partial(self._tell, listen),
        )
        self._deadline = equipment.clock.monotonic() + equipment.limits.turn_s
        self._events = self._play()
        self._has_tasks = disconnected is not None
        self.is_abandoned = False

    @property
    def legs(self) -> tuple[Leg, ...]:
        """The engine calls made so far, with their tokens."""
        return tuple(self._record.legs)

    @property
    def outcomes(self) -> tuple[ToolOutcome, ...]:
        """How the tool calls that have ended did, each before the event that tells of it."""
        return tuple(self._record.outcomes)

    async def __aenter__(self) -> Self:
        """Start to watch for the client's disconnect."""
        await self._group.__aenter__()
        if self._disconnected is not None:
            self._group.start_soon(self._watch, self._disconnected)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Close the events, cancel what still runs, and let an exception of the caller pass."""
        with anyio.move_on_after(CLOSING_S, shield=True):
            await self._events.aclose()
            await self._record.resources.aclose()
        if self._has_tasks:
            self._group.cancel_scope.cancel()
        if isinstance(error, Exception):
            await self._group.__aexit__(None, None, None)
            return False
        return await self._group.__aexit__(kind, error, trace)

    def __aiter__(self) -> Self:
        """The turn is its own iterator."""
        return self

    async def __anext__(self) -> Event:
        """The next event."""
        return await anext(self._events)

    async def _watch(self, disconnected: Callable[[], Awaitable[object]]) -> None:
        await disconnected()
        self.is_abandoned = True
        self._group.cancel_scope.cancel()

    async def _play(self) -> AsyncGenerator[Event, None]:
        """The whole turn, top to bottom; it ends in exactly one ``done`` or ``error``."""
        try:
            async for event in await self._closing(self._decide_and_act()):
                yield event
                self._keep_limit()
        except ZwrotnicaError as error:
            log.warning("turn failed", extra={"code": error.code, "error": error.for_log})
            yield self._usage()
            yield self._error(error)
        else:
            yield self._usage()
            yield DoneEvent(**self._record.stamp(), finish_reason=self._record.finish)

    async def _decide_and_act(self) -> AsyncGenerator[Event, None]:
        self._request = await screen_request(self._equipment.safety, self._request)
        routing = await set_switch(self._equipment, self._request)
        self._record.legs.extend(routing.decision.legs)
        yield self._route(routing)
        if routing.question is not None:
            for event in self._ask(routing.question):
                yield event
            return
        self._has_tasks = self._has_tasks or bool(routing.calls)
        steps = (
            run_calls(self._equipment, self._request, self._record, routing.calls)
            if routing.calls
            else answer(self._equipment, self._request, self._record)
        )
        async for event in await self._closing(steps):
            yield event

    async def _closing(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        """``events``, closed with the turn whatever happens."""
        return await self._record.resources.enter_async_context(aclosing(events))

    def _route(self, routing: Routing) -> RouteEvent:
        decision = routing.decision
        return RouteEvent(
            **self._record.stamp(),
            decision="tool" if routing.tools else "default",
            reason=decision.reason,
            tools=routing.tools,
            engine=decision.engine,
            dialect=decision.dialect,
            verdict_ms=decision.verdict_ms,
            confirmed=decision.confirmed,
            verified=decision.verified,
            doubt=decision.doubt,
        )

    def _ask(self, question: Question) -> tuple[Event, ...]:
        """The question for machines, then the same words as ordinary text for every reader."""
        return (
            QuestionEvent(
                **self._record.stamp(),
                tool=question.tool,
                argument=question.argument,
                text=question.text,
            ),
            TextEvent(**self._record.stamp(), text=question.text),
        )

    def _tell(self, listen: Listen, event: TextEvent) -> bool:
        """Whether ``listen`` has taken ``event``; after the turn's limit everything is yielded."""
        return self._equipment.clock.monotonic() <= self._deadline and listen(event)

    def _keep_limit(self) -> None:
        """The limit of the whole turn; waiting itself is bounded by router, tools and engines."""
        if self._equipment.clock.monotonic() > self._deadline:
            limit = self._equipment.limits.turn_s
            message = f"the turn took longer than {limit:g} s"
            raise ZwrotnicaError(message, code=ErrorCode.ENGINE_TIMEOUT)

    def _usage(self) -> UsageEvent:
        return UsageEvent(**self._record.stamp(), legs=self.legs)

    def _error(self, error: ZwrotnicaError) -> ErrorEvent:
        """What the user reads is Polish; a wrong request is told to its developer precisely.

        What a rule refuses is told by the rule's name.

        The precise cause of a server's fault stays in the log.
        """
        is_precise = error.code in {ErrorCode.INVALID_REQUEST, ErrorCode.CONTENT_REFUSED}
        message = error.message if is_precise else error.shape.text
        return ErrorEvent(
            **self._record.stamp(),
            type=error.shape.type,
            code=error.code,
            message=message,
            request_id=self._request.request_id,
            param=error.param if isinstance(error, InvalidRequest) else None,
            retry_after_s=error.retry_after_s if isinstance(error, EngineError) else None,
        )
