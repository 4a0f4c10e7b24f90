"""One reply as it arrives: its head, then its body, read in pieces or poured into a sink."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

import httptools

from serving.engines.transport.deadline import Deadline
from serving.engines.transport.errors import ClosedEarly, NoHttp, ReadTimedOut

Sink: TypeAlias = Callable[[bytes], bool]
"""Takes the next bytes of a body at once; returns whether it has had enough."""
ChunkSink: TypeAlias = Callable[[bytes], bool]
"""Takes one whole chunk as it stood on the wire, size and line ends included, or returns false."""

MAX_HEAD_BYTES: Final = 32_768
"""Of a head, and of anything else between two pieces of a body."""
HELD_BYTES: Final = 65_536
"""Of a body that nobody has asked for yet; above it the socket is not read."""
_LINE_FEED: Final = ord("\n")
_INTERIM: Final = range(100, 200)


class Route(Protocol):
    """The connection that a reply comes on."""

    def offer(self, chunk_sink: ChunkSink | None) -> None:
        """Offer each read to ``chunk_sink`` before the reply gets it, until told otherwise."""
        ...

    def pause(self) -> None:
        """Leave what comes in the socket."""
        ...

    def resume(self) -> None:
        """Read on."""
        ...

    def release(self, *, is_reusable: bool) -> None:
        """The reply is over for us; the next request may go out, or the socket is closed."""
        ...


class Reply:
    """Parsed as the bytes come in; every wait ends at the moment that `limit` has set.

    Whoever only moves it further away may set ``deadline.moment`` instead.

    Whoever has it calls `aclose`, at any time: a reply that is not over loses its socket, which
    is how a server learns that nobody reads it.
    """

    def __init__(self, route: Route, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for what comes by ``route``."""
        self.status_code = 0
        self.headers: Mapping[str, str] = {}
        self._route = route
        self._loop = loop
        self._parser = httptools.HttpResponseParser(self)
        self.deadline = Deadline(loop, self._expire)
        self._fields: dict[str, str] = {}
        self._has_head = False
        self._is_complete = False
        self._is_until_close = False
        self._is_spoilt = False
        self._is_kept_alive = False
        self._is_closed = False
        self._is_paused = False
        self._bare_bytes = 0
        self._fresh: list[bytes] = []
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._error: Exception | None = None
        self._sink: Sink | None = None
        self._chunk_sink: ChunkSink | None = None
        self._is_between_chunks = False
        self._has_enough = False
        self._waiter: asyncio.Future[None] | None = None

    def limit(self, moment: float) -> None:
        """Wait for the next bytes until ``moment``, in the loop's time."""
        self.deadline.set(moment)

    async def wait_for_head(self) -> None:
        """Return when ``status_code`` and ``headers`` are known.

        Raises:
            ClosedEarly, NoHttp, ReadTimedOut: none came.
        """
        while not self._has_head:
            await self._wait()

    async def read(self) -> bytes | None:
        """The next bytes of the body, all that have come; ``None`` after its end.

        Raises:
            EOFError: the body broke off, or is none.
            ReadTimedOut: nothing came until the limit.
        """
        while not self._held:
            if self._is_complete:
                return None
            await self._wait()
        return self._take_held()

    async def pour(self, sink: Sink, chunk_sink: ChunkSink | None = None) -> bool:
        """Hand every further piece to ``sink`` the moment it comes; false: it has had enough.

        No task runs between socket and sink. True is returned at the end of the body. What may be
        one whole chunk is offered to ``chunk_sink`` before, which looks at its frame itself.

        Raises:
            EOFError, ReadTimedOut: as `read`.
        """
        if self._held and sink(self._take_held()):
            return False
        self._sink, self._has_enough = sink, False
        self._chunk_sink = chunk_sink
        self._route.offer(chunk_sink if self._is_between_chunks else None)
        try:
            while not (self._has_enough or self._is_complete):
                await self._wait()
        finally:
            self._sink = self._chunk_sink = None
            self._route.offer(None)
        return not self._has_enough

    def pause(self) -> None:
        """Read nothing more for now; the limit does not count meanwhile."""
        if not self._is_paused:
            self._is_paused = True
            self._route.pause()

    def resume(self) -> None:
        """Read on."""
        if self._is_paused:
            self._is_paused = False
            self._route.resume()

    async def aclose(self) -> None:
        """Be done with it; only a reply that has been read to its end leaves a usable socket."""
        if not self._is_closed:
            self._is_closed = True
            self.deadline.cancel()
            is_whole = self._is_complete and not self._is_spoilt and self._error is None
            self._route.release(is_reusable=is_whole and self._is_kept_alive)
            del self._parser  # it holds this object

    def feed(self, piece: bytes) -> None:
        """Take what the socket held."""
        self._bare_bytes += len(piece)
        try:
            self._parser.feed_data(piece)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._break(error)
        if piece[-1] != _LINE_FEED:
            self._is_between_chunks = False  # the size of the next one may have begun
        if self._bare_bytes > MAX_HEAD_BYTES:
            self._break(NoHttp(f"more than {MAX_HEAD_BYTES} bytes between two pieces of a body"))
        if self._fresh:
            self._deliver()
        if self._chunk_sink is not None:
            self._route.offer(self._chunk_sink if self._is_between_chunks else None)
        if self._is_complete or self._error is not None:
            self._wake()

    def lose(self, cause: BaseException | None) -> None:
        """The connection has ended."""
        if self._has_head and self._is_until_close and cause is None:
            self._is_complete = self._is_spoilt = True
        elif not self._is_complete:
            self._break(cause, is_closed=True)
        self._wake()

    def fail(self, bug: Exception) -> None:
        """Whoever takes the body could not: they, who wait for its end, are told."""
        self._error = self._error or bug
        self._route.pause()
        self._wake()

    def on_message_begin(self) -> None:
        """A second reply to one request spoils the connection."""
        self._is_spoilt = self._is_spoilt or self._is_complete

    def on_header(self, name: bytes, value: bytes) -> None:
        """One field of the head; fields that come later are passed over."""
        if not self._has_head:
            self._fields[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """The head is known, unless it is an interim one."""
        if self._is_complete:
            return
        self.status_code, self.headers = self._parser.get_status_code(), self._fields
        self._fields = {}
        if self.status_code not in _INTERIM:
            self._has_head = True
            self._bare_bytes = 0
            self._is_until_close = not (
                "content-length" in self.headers or "transfer-encoding" in self.headers
            )
            self._wake()

    def on_body(self, piece: bytes) -> None:
        """A piece of the body."""
        self._bare_bytes = 0
        if not self._is_complete:
            self._fresh.append(piece)

    def on_chunk_header(self) -> None:
        """A chunk begins."""
        self._is_between_chunks = False

    def on_chunk_complete(self) -> None:
        """A chunk has ended, its last line end included."""
        self._is_between_chunks = not self._is_complete

    def on_message_complete(self) -> None:
        """The body is whole."""
        self._is_complete = self._has_head
        self._is_kept_alive = self._parser.should_keep_alive()

    def _take_held(self) -> bytes:
        piece = b"".join(self._held)
        self._held.clear()
        self._held_bytes = 0
        self.resume()
        return piece

    def _deliver(self) -> None:
        piece = self._fresh[0] if len(self._fresh) == 1 else b"".join(self._fresh)
        self._fresh.clear()
        if self._sink is not None:
            self._has_enough = self._sink(piece)
            if self._has_enough:
                self._sink = self._chunk_sink = None
                self._route.offer(None)
                self._wake()
            return
        self._held.append(piece)
        self._held_bytes += len(piece)
        if self._held_bytes > HELD_BYTES:
            self.pause()
        self._wake()

    def _break(self, cause: BaseException | None, *, is_closed: bool = False) -> None:
        if self._error is not None:
            return
        error: OSError | EOFError
        if self._has_head:
            error = EOFError("the body broke off")
        elif is_closed:
            error = ClosedEarly("the connection was closed before the reply")
        else:
            error = NoHttp("a reply that is no HTTP")
        error.__cause__ = cause
        self._error = error
        if not is_closed:
            self._route.pause()

    def _expire(self) -> None:
        if not self._is_paused:
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait(self) -> None:
        if self._error is not None:
            raise self._error
        if self._loop.time() >= self.deadline.moment and not self._is_paused:
            raise ReadTimedOut("nothing came in time")
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None
