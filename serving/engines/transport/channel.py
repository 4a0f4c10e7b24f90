"""One connection to a server: sends a request, hands what comes to its reply."""

import asyncio
from collections.abc import Callable
from typing import cast

from serving.engines.transport.reply import ChunkSink, Reply


class Channel(asyncio.Protocol):
    """One exchange at a time; what comes unasked ends the connection."""

    def __init__(
        self,
        *,
        on_free: Callable[["Channel"], None],
        on_lost: Callable[["Channel"], None],
    ) -> None:
        """``on_free`` hears when the next request may go out, ``on_lost`` when none ever can."""
        self.free_since = 0.0
        self._on_free = on_free
        self._on_lost = on_lost
        self._reply: Reply | None = None
        self._offer: ChunkSink | None = None
        self._transport: asyncio.Transport | None = None

    def begin(self, request: bytes, loop: asyncio.AbstractEventLoop) -> Reply:
        """Send a whole request; its reply is still to come."""
        reply = Reply(self, loop)
        self._reply = reply
        if self._transport is None:
            reply.lose(None)
            self._on_lost(self)  # it was lost before its pool had it, which could not hear of it
        else:
            self._transport.write(request)
        return reply

    def offer(self, chunk_sink: ChunkSink | None) -> None:
        """Offer each read to ``chunk_sink`` before the reply gets it, until told otherwise."""
        self._offer = chunk_sink

    def pause(self) -> None:
        """Leave what comes in the socket."""
        if self._transport is not None:
            self._transport.pause_reading()

    def resume(self) -> None:
        """Read on."""
        if self._transport is not None:
            self._transport.resume_reading()

    def release(self, *, is_reusable: bool) -> None:
        """Be ready for the next request, or close."""
        self._reply = self._offer = None
        if is_reusable and self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()  # its end may have come with what filled the client
            self._on_free(self)
        else:
            self.abort()

    def abort(self) -> None:
        """Close the socket at once, whatever is still to be sent or read."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abort()
            self._on_lost(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is open; its small writes go out at once (asyncio sets TCP_NODELAY)."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """This has been read."""
        reply = self._reply
        if reply is None:
            self.abort()
            return
        try:
            if self._offer is None or not self._offer(data):
                reply.feed(data)
        except Exception as bug:  # noqa: BLE001 (else the loop takes it for a broken connection)
            reply.fail(bug)

    def eof_received(self) -> None:
        """The server sends no more; asyncio closes the socket."""

    def connection_lost(self, exc: BaseException | None) -> None:
        """The socket is closed, by whomever."""
        reply, self._reply, self._offer = self._reply, None, None
        is_known, self._transport = self._transport is None, None
        if reply is not None:
            reply.lose(exc)
        if not is_known:
            self._on_lost(self)
