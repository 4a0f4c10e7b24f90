"""Plays an engine's own reply to one client: the events pass unchanged, the limits stay ours."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Final

from starlette.responses import Response

from chatbot.bot.screening import beside
from chatbot.errors import Draining, ZwrotnicaError
from chatbot.types import JsonValue
from serving.billing import Bill, Reservation
from serving.engines.event_screen import EventScreen, screen_reply
from serving.gateway.admission import Ticket
from serving.gateway.completion import encode
from serving.gateway.reply import Asgi, Reply
from serving.gateway.reserving import forwarded_leg
from serving.gateway.services import ForwardedEvents, ForwardingEngine, Services
from serving.gateway.turn_figures import count_forwarded
from serving.http.departure import Departure
from serving.http.sse import EventStream
from serving.telemetry import current_times

DRAINING: Final = "the server is shutting down"


class ForwardReply(Reply):
    """The answer to a chat completion by an engine that the client called by its name."""

    def __init__(
        self,
        services: Services,
        engine: ForwardingEngine,
        body: Mapping[str, JsonValue],
        *,
        reserved: Reservation,
    ) -> None:
        """``body`` is the rebuilt request; its ``stream`` says how the client wants the reply."""
        super().__init__(services, reserved)
        self._engine = engine
        self._body = body

    async def _answer(self, ticket: Ticket, stream: EventStream, asgi: Asgi, bill: Bill) -> None:
        """Stop at once for a client that leaves and for a server that cannot wait.

        The engine is asked while the ledger is written.
        """
        scope, receive, _ = asgi
        failure: ZwrotnicaError | None = None
        is_streamed = self._body["stream"] is True
        alive = stream.keep_alive(ticket.scope) if is_streamed else nullcontext()
        async with Departure(scope, receive, ticket.scope), alive:
            with ticket.scope:
                try:
                    await (self._stream(stream, bill) if is_streamed else self._whole(asgi, bill))
                except ZwrotnicaError as error:
                    failure = error
        times = current_times()
        count_forwarded(self._services.metrics, times)
        leg = forwarded_leg(times, self._body, self._services.billing.prices)
        if leg is not None:
            bill.charge(leg)
        if ticket.is_expired:
            failure = Draining(DRAINING)
        if failure is not None:
            raise failure

    async def _stream(self, stream: EventStream, bill: Bill) -> None:
        async with self._engine.forward(self._body) as events:
            await bill.confirm(hurries=False)
            with (
                self._screening(events) if self._services.chatbot.safety.outgoing else nullcontext()
            ):
                async for event in events:
                    await stream.write(event)
                    if stream.is_direct:
                        await self._pour(events, stream)
                        break
            bill.finish = events.finish or "stop"
        await stream.end()

    @contextmanager
    def _screening(self, events: ForwardedEvents) -> Iterator[None]:
        """Apply the rules for answers; the log hears of what was found."""
        screen = EventScreen(self._services.chatbot.safety)
        events.screen_with(screen)
        try:
            yield
        finally:
            screen.report()

    async def _pour(self, events: ForwardedEvents, stream: EventStream) -> None:
        """The rest of the events, from socket to socket."""
        stream.call_when_there_is_room(events.resume)
        try:
            await events.pour(stream.push, stream.chunk_writer())
        finally:
            stream.call_when_there_is_room(None)

    async def _whole(self, asgi: Asgi, bill: Bill) -> None:
        scope, receive, send = asgi
        reply = await self._engine.forward_whole(self._body)
        await bill.confirm()
        safety = self._services.chatbot.safety
        body = reply.body
        if safety.outgoing:
            body = await beside(len(str(body)), partial(screen_reply, body, safety))
        response = Response(encode(body), media_type="application/json")
        await response(scope, receive, send)
        bill.finish = reply.finish or "stop"
