"""An event stream to one client: starts with its first byte, never falls silent, ends clearly."""

import asyncio
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Final, TypeAlias

from anyio import CancelScope
from starlette.types import Receive, Scope, Send

from serving.http.direct import DirectBody, direct_body_of
from serving.http.errors import WireError

Header: TypeAlias = tuple[bytes, bytes]

EVENT_STREAM: Final = "text/event-stream"
HEARTBEAT: Final = b": \n\n"
DONE: Final = b"data: [DONE]\n\n"
_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)


class EventStream:
    """Writes events to one client.

    Nothing is sent before the first event or heartbeat, so that an early failure still becomes an
    HTTP status.
    """

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        heartbeat_s: float,
        write_s: float,
        headers: Iterable[Header] = (),
        is_heard: bool = False,
    ) -> None:
        """``write_s`` is for how long the client may leave what was sent unread, in seconds.

        ``headers`` go out beside those that every event stream has. ``is_heard``: everything goes
        through ``send``, and nothing straight to the socket.
        """
        self._scope = scope
        self._receive = receive
        self._send = send
        self._heartbeat_s = heartbeat_s
        self._write_s = write_s
        self._headers = (*_HEADERS, *headers)
        self._direct = direct_body_of(scope)
        self._short_cut = None if is_heard else self._direct
        self._touched = time.monotonic()
        self._is_writing = False
        self.has_begun = False
        self.has_ended = False

    async def write(self, events: bytes) -> None:
        """Send whole events; wait while the client has too much of them unread."""
        if self.write_now(events):
            return
        self._touched = time.monotonic()
        self._is_writing = True
        if not self.has_begun:
            self.has_begun = True
            await self._send({
                "type": "http.response.start",
                "status": 200,
                "headers": self._headers,
            })
        if not self.write_now(events):
            await self._send({"type": "http.response.body", "body": events, "more_body": True})
        self._is_writing = False
        self._touched = time.monotonic()

    def write_now(self, events: bytes) -> bool:
        """Send whole events without waiting; false: nothing was sent, only `write` can do it."""
        direct = self._short_cut
        if direct is None or not direct.is_open or direct.is_full:
            return False
        direct.write(events)
        return True

    @property
    def is_direct(self) -> bool:
        """Whether `push` can be used: the stream has begun, and the server has the way for it."""
        return self._short_cut is not None and self._short_cut.is_open

    def push(self, events: bytes) -> bool:
        """Send whole events without waiting; false: the client has too much unread, so stop.

        `call_when_there_is_room` tells when to go on. Until then `keep_alive` gives the client
        ``write_s``.
        """
        return self._known_direct.write(events)

    def chunk_writer(self) -> Callable[[bytes], bool]:
        """As `push`, for events that are a chunk of HTTP already, by the fewest calls.

        Only for a stream that `is_direct`.
        """
        return self._known_direct.chunk_writer()

    def call_when_there_is_room(self, notice: Callable[[], None] | None) -> None:
        """Call ``notice`` when `push` may be used again; ``None``: nobody pushes any more."""
        if self._direct is not None:
            self._direct.call_when_there_is_room(notice)

    async def end(self, last: bytes = b"") -> None:
        """Close the stream, with the last events where it has begun; everything has been said."""
        if last and not self.has_begun:
            await self.write(last)
            last = b""
        self.has_ended = True
        self._touched = time.monotonic()
        self._is_writing = True
        await self._send({"type": "http.response.body", "body": last, "more_body": False})
        self._is_writing = False

    async def fail(self, error: WireError) -> None:
        """Tell the error: as an HTTP reply if nothing was sent, else as the last event."""
        if self.has_ended:
            return
        self._scope["error_code"] = error.code
        if self.has_begun:
            await self.write(b"data: " + error.body() + b"\n\n")
            await self.end()
        else:
            self.has_ended = True
            await error.response()(self._scope, self._receive, self._send)

    def keep_alive(self, work: CancelScope) -> "KeptAlive":
        """While the block lasts: a comment after each silence; the end of ``work`` for a cut.

        Cut is a client that has left what was sent to it unread for too long.
        """
        return KeptAlive(self, work)

    @property
    def rest_s(self) -> float:
        """Seconds until something has to be done about the silence, or about the client."""
        limit_s = self._write_s if self.is_stuck else self._heartbeat_s
        touched = (
            self._touched if self._direct is None else max(self._touched, self._direct.touched)
        )
        return touched + limit_s - time.monotonic()

    @property
    def shortest_s(self) -> float:
        """Seconds in which what is to be done cannot change."""
        return min(self._heartbeat_s, self._write_s)

    @property
    def is_stuck(self) -> bool:
        """Whether it is the client that is waited for."""
        return self._is_writing or (self._direct is not None and self._direct.is_full)

    @property
    def _known_direct(self) -> DirectBody:
        if self._direct is None:
            raise RuntimeError("this server has no direct way to its clients")
        return self._direct

    async def beat(self) -> None:
        """Send a comment."""
        if not self.has_ended:
            await self.write(HEARTBEAT)

    def cut(self) -> None:
        """Close the connection with all that the client has not read."""
        self.has_ended = True
        if self._direct is not None:
            self._direct.abort()


class KeptAlive:
    """One timer a stream, set anew when it goes off; a task only for a comment in silence."""

    __slots__ = ("_beating", "_loop", "_stream", "_timer", "_work")

    def __init__(self, stream: EventStream, work: CancelScope) -> None:
        """Nothing happens before the block is entered, which is around that of ``work``."""
        self._stream = stream
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._beating: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        """The silence is measured from the stream's last event, or its making."""
        self._wait(self._stream.shortest_s)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """No comment is sent any more."""
        if self._timer is not None:
            self._timer.cancel()
        if (beat := self._beating) is not None:
            beat.cancel()
            await asyncio.wait((beat,))
            if not beat.cancelled():
                beat.result()

    def _wait(self, seconds: float) -> None:
        self._timer = self._loop.call_later(seconds, self._look)

    def _look(self) -> None:
        stream = self._stream
        if stream.has_ended and not stream.is_stuck:
            return
        if (rest_s := stream.rest_s) > 0:
            self._wait(min(rest_s, stream.shortest_s))
        elif stream.is_stuck:
            stream.cut()
            self._work.cancel()
        else:
            self._beating = self._loop.create_task(stream.beat())
            self._beating.add_done_callback(self._forget)
            self._wait(stream.shortest_s)

    def _forget(self, beat: asyncio.Task[None]) -> None:
        """Keep no task that is over, of many streams that wait, but for one that failed."""
        if not beat.cancelled() and beat.exception() is None:
            self._beating = None
