"""Streams an answer of the Chat API to one reader, who may come late and leave at any time."""

from anyio import CancelScope
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from serving.gateway.conversations.answer import LiveAnswer
from serving.http.departure import Departure
from serving.http.sse import HEARTBEAT, EventStream
from serving.settings import LimitsSettings

BEFORE_ALL = -1


class LiveReply(Response):
    """A reply that reads an answer while it is made; who leaves does not end the answer."""

    def __init__(
        self, live: LiveAnswer, limits: LimitsSettings, *, after: int = BEFORE_ALL
    ) -> None:
        """The reader has had the events up to number ``after``."""
        super().__init__()
        self._live = live
        self._limits = limits
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events as they come; the head goes out at once, with the ids of the messages."""
        stream = EventStream(
            scope,
            receive,
            send,
            heartbeat_s=self._limits.heartbeat_s,
            write_s=self._limits.write_s,
            headers=(
                (b"x-message-id", self._live.message_id.encode()),
                (b"x-parent-id", self._live.parent.encode()),
            ),
        )
        with self._live.reading():
            work = CancelScope()
            async with Departure(scope, receive, work), stream.keep_alive(work):
                with work:
                    await stream.write(HEARTBEAT)
                    await self._send_events(stream)

    async def _send_events(self, stream: EventStream) -> None:
        position = self._after
        while events := await self._live.read(position):
            await stream.write(b"".join(event.sent for event in events))
            position = events[-1].seq
        await stream.end()
