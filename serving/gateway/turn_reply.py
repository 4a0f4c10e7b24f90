"""Plays a turn of the chatbot to one client, streamed or whole, until its end or the client's."""

from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from starlette.responses import Response

from chatbot.errors import Draining
from chatbot.events import AttributionEvent, Event, TextEvent, ToolCallEvent, ToolResultEvent
from chatbot.types import TurnRequest
from serving.billing import Bill, Reservation
from serving.gateway.admission import Ticket
from serving.gateway.completion import Chunks, Told, encode, whole_completion
from serving.gateway.conversations.transcript import Transcript
from serving.gateway.frames import FrameSigner
from serving.gateway.rebuilt_calls import RebuiltCalls
from serving.gateway.reply import Asgi, Reply
from serving.gateway.services import Services
from serving.gateway.turn_figures import TurnFigures
from serving.http.departure import Departure
from serving.http.errors import WireError, event_error, wire_error
from serving.http.sse import DONE, EventStream
from serving.settings import ROUTED_MODEL
from serving.telemetry import step

_KEPT: Final = (ToolCallEvent, ToolResultEvent, AttributionEvent)


class Writer(Protocol):
    """Shows the events of a turn to its client."""

    async def show(self, event: Event, added: str) -> None:
        """Show ``event``, which adds text to the answer; wait for the client."""
        ...

    def show_now(self, event: TextEvent) -> bool:
        """Show it at once; false: it was not shown, because that means to wait."""
        ...


class TurnReply(Reply):
    """The answer to a chat completion by the routed chatbot.

    The turn runs while the reply is sent, in the request's own task, and hears at once when the
    client leaves, also while the router has not said a word.
    """

    def __init__(
        self,
        services: Services,
        turn: TurnRequest,
        *,
        is_streamed: bool,
        with_usage: bool,
        image_base: str,
        reserved: Reservation,
    ) -> None:
        """``with_usage``: the stream ends with a usage chunk; ``image_base`` precedes links."""
        super().__init__(services, reserved)
        self._turn = turn
        self._is_streamed = is_streamed
        self._with_usage = with_usage
        self._signer = FrameSigner(services.keyring, owner=turn.account)
        self._told = Told(message_id=turn.message_id, image_base=image_base)
        self._calls = RebuiltCalls.of(services, self._signer, owner=turn.account)
        self._kept = Transcript()
        self._figures = TurnFigures(services.metrics, engine=services.settings.answering_engine)

    async def _answer(self, ticket: Ticket, stream: EventStream, asgi: Asgi, bill: Bill) -> None:
        """Play the turn, to its end or the client's."""
        await self._recall()
        await bill.confirm()
        if self._is_streamed:
            await self._play_stream(ticket, stream, asgi, bill)
        else:
            await self._play_whole(ticket, stream, asgi, bill)

    async def _play_stream(
        self, ticket: Ticket, stream: EventStream, asgi: Asgi, bill: Bill
    ) -> None:
        created = self._services.clock.now()
        chunks = Chunks(
            told=self._told, model=ROUTED_MODEL, created=created, with_usage=self._with_usage
        )
        writer = _ChunkWriter(stream, chunks)
        async with stream.keep_alive(ticket.scope):  # its end, too, waits for a client that reads
            has_left = await self._play(ticket, asgi, bill, writer)
            if has_left or stream.has_ended:
                return
            if (error := self._failure(ticket)) is not None:
                bill.error = error.code
                await stream.fail(error)
                return
            last = chunks.finish() + (chunks.usage() if self._with_usage else b"") + DONE
            sources = self._append_sources()
            await self._keep_calls()
            await writer.end((chunks.content(sources) if sources else b"") + last)
            bill.finish = self._told.finish

    async def _play_whole(
        self, ticket: Ticket, stream: EventStream, asgi: Asgi, bill: Bill
    ) -> None:
        scope, receive, send = asgi
        if await self._play(ticket, asgi, bill, _NoWriter()):
            return
        if (error := self._failure(ticket)) is not None:
            bill.error = error.code
            await stream.fail(error)
            return
        self._append_sources()
        await self._keep_calls()
        completion = whole_completion(
            self._told, model=ROUTED_MODEL, created=self._services.clock.now()
        )
        await Response(encode(completion), media_type="application/json")(scope, receive, send)
        bill.finish = self._told.finish

    async def _play(
        self,
        ticket: Ticket,
        asgi: Asgi,
        bill: Bill,
        writer: Writer,
    ) -> bool:
        """Run the turn to its end; returns whether the client has left before."""
        scope, receive, _ = asgi
        listen = partial(self._listen, writer)
        turn = self._services.chatbot.turn(self._turn, listen=listen)
        try:
            async with Departure(scope, receive, ticket.scope) as departure:
                with ticket.scope:
                    async with turn:
                        async for event in turn:
                            added = self._told.take(event)
                            self._figures.observe(event)
                            if isinstance(event, _KEPT):
                                self._kept.take(event, turn.outcomes)
                                bill.use(turn.legs)
                                bill.note()
                            await writer.show(event, added)
        finally:
            bill.use(turn.legs)
        self._figures.count(turn.legs, is_abandoned=departure.has_left)
        return departure.has_left

    def _listen(self, writer: Writer, event: TextEvent) -> bool:
        """Take text where it is read, but for the first: its figures are the turn's own task's."""
        is_first = event.channel == "answer" and self._figures.first_text_ms is None
        if is_first or not writer.show_now(event):
            return False
        self._told.take(event)
        return True

    def _append_sources(self) -> str:
        is_shown = self._services.settings.attribution.frame
        return self._told.append_sources(self._signer) if is_shown else ""

    def _failure(self, ticket: Ticket) -> WireError | None:
        """Why the turn gave no whole answer, if so."""
        if self._told.error is not None:
            return event_error(self._told.error)
        if ticket.is_expired or self._told.finish is None:
            return wire_error(Draining("the server is shutting down"), self._turn.request_id)
        return None

    async def _recall(self) -> None:
        """Find out what the history is worth; answers that are trusted get their calls again."""
        recalled = await self._calls.recall(self._turn.messages)
        if recalled.messages is not self._turn.messages:
            self._turn = replace(self._turn, messages=recalled.messages)
        self._told.history, self._told.rebuilt = recalled.trust, recalled.rebuilt
        self._services.metrics.rebuilt.inc(recalled.rebuilt)
        for verdict, number in recalled.trust.counts().items():
            self._services.metrics.frames.labels(verdict).inc(number)

    async def _keep_calls(self) -> None:
        """Keep what was called and found, before the client can send the answer back."""
        body = "".join(self._told.text) + self._told.appended
        with step("storage", {"zwrotnica.storage.of": "calls"}):
            await self._calls.keep(self._told.message_id, body, self._kept.parts())


class _ChunkWriter:
    """Writes text to the client as chunks, the role's first."""

    def __init__(self, stream: EventStream, chunks: Chunks) -> None:
        self._stream = stream
        self._chunks = chunks
        self._has_begun = False

    async def show(self, event: Event, added: str) -> None:
        """Write what ``event`` adds to the answer or to the reasoning, if anything."""
        if added:
            await self.write(self._chunks.content(added))
        elif isinstance(event, TextEvent) and event.text:
            await self.write(self._chunks.reasoning(event.text))

    def show_now(self, event: TextEvent) -> bool:
        """Write ``event`` at once; false where nothing is sent yet, or the client is waited for."""
        if not self._has_begun:
            return False
        is_answer = event.channel == "answer"
        make = self._chunks.content if is_answer else self._chunks.reasoning
        return self._stream.write_now(make(event.text))

    async def end(self, chunks: bytes) -> None:
        """Write the last chunks and end the stream."""
        await self._stream.end(chunks if self._has_begun else self._chunks.role() + chunks)

    async def write(self, chunks: bytes) -> None:
        """Write whole chunks."""
        await self._stream.write(chunks if self._has_begun else self._chunks.role() + chunks)
        self._has_begun = True


class _NoWriter:
    """A reply that is not streamed shows nothing before its end."""

    async def show(self, event: Event, added: str) -> None:
        """Nothing."""

    def show_now(self, event: TextEvent) -> bool:  # noqa: ARG002 - a writer's
        """Nothing, which can be done at once."""
        return True
