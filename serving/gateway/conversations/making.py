"""Makes one answer: plays its turn for whoever reads, saves it, and always brings it to an end."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

import anyio

from chatbot.bot.turn import Turn
from chatbot.errors import Draining, ZwrotnicaError
from chatbot.events import DoneEvent, ErrorEvent, Event, Stamp, ToolResultEvent, UsageEvent
from chatbot.types import TurnRequest
from serving.billing import Bill
from serving.gateway.admission import Ticket
from serving.gateway.conversations.answer import LiveAnswer
from serving.gateway.conversations.branches import Asked, Plan, text_of
from serving.gateway.conversations.charging import sampling_for, tell_end
from serving.gateway.conversations.encoding import encode_event
from serving.gateway.conversations.history import read_branch
from serving.gateway.conversations.naming import ask_for_title
from serving.gateway.conversations.parameters import (
    read_stored,
    system_of,
    tools_of,
)
from serving.gateway.conversations.saving import Saver
from serving.gateway.conversations.surroundings import Surroundings
from serving.gateway.conversations.survival import survive
from serving.gateway.conversations.transcript import Transcript
from serving.gateway.events import event_fields
from serving.gateway.turn_figures import TurnFigures
from serving.storage.records import StoredMessage
from serving.telemetry import step

End: TypeAlias = DoneEvent | ErrorEvent


class Making:
    """The making of one answer, in a task of the application's own.

    What the turn tells goes to the readers and into the message at once. Its last event is held
    back until the message is saved: who has read it finds all of it stored.
    """

    def __init__(
        self,
        surroundings: Surroundings,
        plan: Plan,
        asked: Asked,
        *,
        ticket: Ticket,
        figures: TurnFigures,
        bill: Bill,
    ) -> None:
        """Question and answer are stored already, the answer still empty."""
        self.live = LiveAnswer(
            owner=asked.owner,
            conversation_id=asked.conversation_id,
            message_id=plan.answer.message_id,
            parent=plan.branch[-1].message_id,
            scope=ticket.scope,
        )
        self._surroundings = surroundings
        self._plan = plan
        self._asked = asked
        self._ticket = ticket
        self._answer = plan.answer
        self._figures = figures
        self._bill = bill
        self._request = self._make_request()
        self._turn: Turn = surroundings.chatbot.turn(self._request)
        self._transcript = Transcript()
        self._saver = Saver(surroundings.conversations, surroundings.settings, self._by_now)
        self._told_end: End | None = None
        self._end: End | None = None

    @property
    def end(self) -> End:
        """The last event, to be told when everything else is done."""
        return self._end or self._fail(Draining("the server is shutting down"))

    async def make(self) -> None:
        """Play the turn, bring it to its end whatever happens in it, and save it."""
        with step("answer"):  # it may outlast the request that asked for it
            await self._make()

    async def _make(self) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self.live.watch_readers, self._surroundings.settings.chat.unread_s)
            group.start_soon(self._save_meanwhile)
            failure = await self._survive(self._play)
            group.cancel_scope.cancel()
        self._figures.count(self._turn.legs, is_abandoned=self.live.is_unread)
        self._bill.use(self._turn.legs)
        self._close()
        end = self._last(failure)
        self._answer = self._finished(end)
        failure = await self._survive(self._saver.finish)
        has_failed_before = isinstance(end, ErrorEvent)
        self._end = end if failure is None or has_failed_before else self._fail(failure)
        tell_end(self._bill, self._end)

    def give_up(self, failure: ZwrotnicaError) -> None:
        """Where even the making has a bug, readers are told of its end all the same."""
        self._end = self._fail(failure)
        tell_end(self._bill, self._end)

    async def name(self) -> None:
        """Ask for a title after the conversation's first good answer."""
        if self._plan.needs_title and self._answer.state == "complete":
            await ask_for_title(
                self._surroundings,
                self._asked,
                self._request,
                text_of(self._answer),
                figures=self._figures,
            )

    def _make_request(self) -> TurnRequest:
        parameters = read_stored(self._plan.answer.parameters)
        return TurnRequest(
            messages=(*system_of(parameters), *read_branch(self._plan.branch)),
            message_id=self._plan.answer.message_id,
            request_id=self._asked.request_id,
            account=self._asked.owner,
            sampling=sampling_for(self._asked, self._plan, self._surroundings.settings),
            tools=tools_of(parameters, self._surroundings.chatbot.tools.names, self._asked.tools),
            force=self._asked.body.force,
        )

    async def _play(self) -> None:
        with self._ticket.scope:
            async with self._turn as turn:
                async for event in turn:
                    self._figures.observe(event)
                    if isinstance(event, DoneEvent | ErrorEvent):
                        self._told_end = event
                    else:
                        self._tell(event)

    async def _save_meanwhile(self) -> None:
        """Where the answer cannot be saved at all any more, its conversation is gone."""
        if await self._survive(self._saver.run) is not None:
            self.live.stop()

    async def _survive(self, step: Callable[[], Awaitable[None]]) -> ZwrotnicaError | None:
        return await survive(step, request_id=self._asked.request_id)

    def _tell(self, event: Event) -> None:
        is_urgent = self._transcript.take(event, self._turn.outcomes)
        if isinstance(event, ToolResultEvent):
            self._bill.use(self._turn.legs)
            self._bill.note()
        self.live.tell(encode_event(event))
        self._saver.note(is_urgent=is_urgent)

    def _close(self) -> None:
        """Tell what a turn that was cut off could not: how its calls ended, and what it cost."""
        now_ms = self._stamp()["at_ms"]
        for call_id, began_ms in tuple(self._transcript.open_calls.items()):
            ms = max(0, now_ms - began_ms)
            self._tell(ToolResultEvent(**self._stamp(), call_id=call_id, status="cancelled", ms=ms))
        if not self._transcript.has_usage:
            self._tell(UsageEvent(**self._stamp(), legs=self._turn.legs))

    def _last(self, failure: ZwrotnicaError | None) -> End:
        """How the answer ends, in the words of the turn where it could still say it."""
        if self._told_end is not None:
            return replace(self._told_end, **self._stamp())
        if failure is not None:
            return self._fail(failure)
        if self.live.is_stopped:
            return DoneEvent(**self._stamp(), finish_reason="cancelled")
        return self._fail(Draining("the server is shutting down"))

    def _fail(self, error: ZwrotnicaError) -> ErrorEvent:
        """The event that tells what a user can know of ``error``."""
        return ErrorEvent(
            **self._stamp(),
            type=error.shape.type,
            code=error.code,
            message=error.shape.text,
            request_id=self._asked.request_id,
        )

    def _stamp(self) -> Stamp:
        return self.live.stamp(self._surroundings.clock)

    def _by_now(self) -> StoredMessage:
        if self._answer.total_ms is not None:
            return self._answer
        return replace(
            self._answer,
            parts=self._transcript.parts(),
            first_text_ms=self._figures.first_text_ms,
        )

    def _finished(self, end: End) -> StoredMessage:
        finish = end.finish_reason if isinstance(end, DoneEvent) else None
        return replace(
            self._by_now(),
            state="incomplete" if finish in {None, "cancelled"} else "complete",
            finish_reason=finish,
            error=event_fields(end) if isinstance(end, ErrorEvent) else None,
            total_ms=self._figures.total_ms,
        )
