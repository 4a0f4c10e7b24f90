"""Plays a turn of the chatbot to one client, streamed or whole, until its end or the client's."""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from chatbot.errors import Draining, ZwrotnicaError
from chatbot.events import Event, RouteEvent, TextEvent
from chatbot.types import Leg, TurnRequest
from serving.gateway.admission import Ticket
from serving.gateway.completion import Chunks, Told, encode, whole_completion
from serving.gateway.errors import WireError, event_error, wire_error
from serving.gateway.services import Services
from serving.gateway.sse import DONE, EventStream, wait_for_disconnect
from serving.settings import ROUTED_MODEL

_MS: Final = 1000


class TurnReply(Response):
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
    ) -> None:
        """``with_usage``: the stream ends with a usage chunk; ``image_base`` precedes links."""
        super().__init__()
        self._services = services
        self._turn = turn
        self._is_streamed = is_streamed
        self._with_usage = with_usage
        self._told = Told(message_id=turn.message_id, image_base=image_base)
        self._began = time.monotonic()
        self._has_spoken = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Play the turn; every error becomes a status or the stream's last event."""
        limits = self._services.settings.limits
        stream = EventStream(
            scope, receive, send, heartbeat_s=limits.heartbeat_s, write_s=limits.write_s
        )
        try:
            with self._services.admission.admit() as ticket:
                if self._is_streamed:
                    await self._play_stream(ticket, stream, receive)
                else:
                    await self._play_whole(ticket, stream, (scope, receive, send))
        except ZwrotnicaError as error:
            await stream.fail(wire_error(error, self._turn.request_id))

    async def _play_stream(self, ticket: Ticket, stream: EventStream, receive: Receive) -> None:
        created = self._services.clock.now()
        chunks = Chunks(
            told=self._told, model=ROUTED_MODEL, created=created, with_usage=self._with_usage
        )
        writer = _ChunkWriter(stream, chunks)
        async with anyio.create_task_group() as group:
            group.start_soon(stream.keep_alive, ticket.scope)
            has_left = await self._play(ticket, receive, writer.show)
            group.cancel_scope.cancel()
        if has_left or stream.has_ended:
            return
        if (error := self._failure(ticket)) is not None:
            await stream.fail(error)
            return
        await writer.write(chunks.finish() + (chunks.usage() if self._with_usage else b"") + DONE)
        await stream.end()

    async def _play_whole(
        self, ticket: Ticket, stream: EventStream, asgi: tuple[Scope, Receive, Send]
    ) -> None:
        scope, receive, send = asgi
        if await self._play(ticket, receive, _show_nothing):
            return
        if (error := self._failure(ticket)) is not None:
            await stream.fail(error)
            return
        completion = whole_completion(
            self._told, model=ROUTED_MODEL, created=self._services.clock.now()
        )
        await Response(encode(completion), media_type="application/json")(scope, receive, send)

    async def _play(
        self, ticket: Ticket, receive: Receive, show: Callable[[Event, str], Awaitable[None]]
    ) -> bool:
        """Run the turn to its end; returns whether the client has left before."""
        turn = self._services.chatbot.turn(
            self._turn, disconnected=partial(wait_for_disconnect, receive)
        )
        with ticket.scope:
            async with turn:
                async for event in turn:
                    added = self._told.take(event)
                    self._observe(event)
                    await show(event, added)
        self._count(turn.legs, has_left=turn.is_abandoned)
        return turn.is_abandoned

    def _observe(self, event: Event) -> None:
        metrics = self._services.metrics
        if isinstance(event, RouteEvent):
            metrics.routes.labels(event.decision, event.reason).inc()
            metrics.verdict_seconds.observe(event.verdict_ms / _MS)
        elif len(self._told.text) == 1 and not self._has_spoken:
            self._has_spoken = True
            metrics.first_text_seconds.observe(time.monotonic() - self._began)

    def _failure(self, ticket: Ticket) -> WireError | None:
        """Why the turn gave no whole answer, if so."""
        if self._told.error is not None:
            return event_error(self._told.error)
        if ticket.is_expired or self._told.finish is None:
            return wire_error(Draining("the server is shutting down"), self._turn.request_id)
        return None

    def _count(self, legs: tuple[Leg, ...], *, has_left: bool) -> None:
        metrics = self._services.metrics
        if has_left:
            metrics.abandoned.inc()
        for leg in legs:
            metrics.tokens.labels(leg.engine, leg.role, "prompt").inc(leg.prompt_tokens)
            metrics.tokens.labels(leg.engine, leg.role, "completion").inc(leg.completion_tokens)


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

    async def write(self, chunks: bytes) -> None:
        """Write whole chunks."""
        await self._stream.write(chunks if self._has_begun else self._chunks.role() + chunks)
        self._has_begun = True


async def _show_nothing(event: Event, added: str) -> None:
    """A reply that is not streamed shows nothing before its end."""
