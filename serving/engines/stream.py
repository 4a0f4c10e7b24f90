"""One streamed reply: read within its limits and given as batches, or poured on as it comes."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Protocol, Self

from anyio.lowlevel import checkpoint_if_cancelled

from chatbot.ports import DeltaSink, PouringDeltas
from chatbot.types import Delta, Usage
from serving.engines.connection import Connection, silence
from serving.engines.deltas import NOTHING
from serving.engines.events import Chunk, EventTooLong
from serving.engines.failures import TRANSPORT_ERRORS, Failure
from serving.engines.reading import Reading, StreamLimits
from serving.engines.reply import UnreadReply
from serving.engines.transport.errors import ReadTimedOut

_DRAIN_S = 0.1


class Outlet(Protocol):
    """Takes at once what a reply is poured into."""

    def pass_on(self, events: bytes, text: str, *, is_reasoning: bool) -> None:
        """Whole events of ``text`` alone, as the engine wrote them."""
        ...

    def show(self, chunks: Sequence[Chunk], delta: Delta) -> None:
        """Chunks of any kind, and the delta they make."""
        ...

    @property
    def write_chunk(self) -> Callable[[bytes], bool] | None:
        """Takes one event of text alone in its chunk of HTTP, where that may pass as it is.

        It returns whether there is room for more.
        """
        ...


class ChunkStream:
    """Reads the chunks of one reply; each read gives what one read of the socket held.

    What stood before a failure is given before the failure is raised.
    """

    def __init__(
        self,
        reply: UnreadReply,
        *,
        connection: Connection,
        deadline: float,
        limits: StreamLimits,
        on_begin: Callable[[], None] | None = None,
    ) -> None:
        """``deadline`` is the first token's, in the event loop's time; ``on_begin`` hears of it."""
        self._reply = reply
        self._connection = connection
        self._reading = Reading(connection, limits, on_begin=on_begin)
        self._longest = limits.max_event_bytes
        self._loop = asyncio.get_running_loop()
        self._left: bytes | None = None
        reply.limit(deadline)

    @property
    def usage(self) -> Usage | None:
        """The last valid usage that the engine reported."""
        return self._reading.usage

    @property
    def received(self) -> int:
        """UTF-8 bytes of text and calls that the engine has written."""
        return self._reading.received

    @property
    def has_begun(self) -> bool:
        """Whether the engine has written anything, in whichever choice."""
        return self._reading.has_begun

    @property
    def is_over(self) -> bool:
        """Whether the engine said it had finished, or failed."""
        return self._reading.is_over

    async def read(self) -> tuple[Sequence[Chunk], Delta] | None:
        """The chunks of the next read with the delta they make; ``None`` after the end.

        Raises:
            EngineUnavailable, EngineTimeout, EngineLost, InvalidRequest: see `ChatEngine.stream`.
        """
        while not self.is_over:
            self._raise_owed()
            chunks, delta = self._take(await self._read_bytes())
            if chunks or delta.finish:
                return chunks, delta
        await self._drain()
        return None

    async def read_delta(self) -> Delta | None:
        """The delta of the next read; ``None`` after the end.

        Raises:
            EngineUnavailable, EngineTimeout, EngineLost, InvalidRequest: see `ChatEngine.stream`.
        """
        while not self.is_over:
            self._raise_owed()
            piece = await self._next_piece()
            delta = None if piece is None else self._reading.take_plain(piece)
            if delta is not None:
                if self._reading.is_alive:
                    self._show_life()
                return delta
            chunks, delta = self._take(piece)
            if chunks or delta.finish:
                return delta
        await self._drain()
        return None

    async def pour(self, outlet: Outlet) -> None:
        """Hand each read on at the moment it comes, with no task between, until the end.

        Raises:
            EngineUnavailable, EngineTimeout, EngineLost, InvalidRequest: see `ChatEngine.stream`.
        """
        reading, reply, clock = self._reading, self._reply, self._loop.time
        write_chunk = outlet.write_chunk

        def take(piece: bytes) -> bool:
            if (text := reading.read_text(piece)) is not None:
                reply.limit(clock() + reading.wait_s)
                outlet.pass_on(piece, text, is_reasoning=reading.is_reasoning)
                return reading.is_over
            self._hand_on(piece, outlet)
            return reading.is_over or reading.owed is not None

        take_chunk = None if write_chunk is None else self._chunk_taker(write_chunk)
        while not self.is_over:
            self._raise_owed()
            try:
                has_ended = await reply.pour(take, take_chunk)
            except TRANSPORT_ERRORS as error:
                self._raise_broken(error)
                has_ended = True
            if has_ended:
                self._hand_on(None, outlet)
        await self._drain()

    def _chunk_taker(self, write_chunk: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
        """All that runs for most tokens: no call in it that can be left out."""
        reading, reply, longest = self._reading, self._reply, self._longest
        measure_chunks, deadline, clock = reading.measure_chunks, reply.deadline, self._loop.time

        def take_chunk(chunk: bytes) -> bool:
            if not reading.is_between_events or len(chunk) > longest:
                return False
            if (size := measure_chunks(chunk)) is None:
                return False
            reading.received += size
            deadline.moment = clock() + reading.wait_s
            if not write_chunk(chunk):
                reply.pause()
            return True

        return take_chunk

    async def pour_deltas(self, sink: DeltaSink) -> None:
        """Hand on plain deltas as they come, until ``sink`` has enough; `read_delta` goes on."""
        reading, reply, clock = self._reading, self._reply, self._loop.time

        def take(piece: bytes) -> bool:
            if (delta := reading.take_plain(piece)) is None:
                self._left = piece
                return True
            if reading.is_alive:
                reply.limit(clock() + reading.wait_s)
            return delta is not NOTHING and not sink(delta)

        if not self.is_over and reading.owed is None and self._left is None:
            await checkpoint_if_cancelled()  # as in `_read_bytes`
            with suppress(*TRANSPORT_ERRORS):  # whoever reads on meets it
                await reply.pour(take)

    def pause(self) -> None:
        """Read nothing more for now; the limits do not count meanwhile."""
        self._reply.pause()

    def stop(self) -> None:
        """Read nothing more at all; whoever leaves the engine's context closes the socket."""
        self._reading.is_over = True

    def resume(self) -> None:
        """Read on; the next sign of life is waited for from now."""
        self._show_life()
        self._reply.resume()

    def _hand_on(self, piece: bytes | None, outlet: Outlet) -> None:
        reading = self._reading
        try:
            chunks, delta = reading.take(piece)
        except EventTooLong as error:
            reading.owed = partial(reading.broken, error)
            return
        if reading.is_alive:
            self._show_life()
        if chunks or delta.finish:
            outlet.show(chunks, delta)

    async def _next_piece(self) -> bytes | None:
        if (left := self._left) is not None:
            self._left = None
            return left
        return await self._read_bytes()

    async def _read_bytes(self) -> bytes | None:
        await checkpoint_if_cancelled()  # anyio passes over who waits for what has come already
        try:
            return await self._reply.read()
        except TRANSPORT_ERRORS as error:
            self._raise_broken(error)
            return None

    def _raise_broken(self, error: BaseException) -> None:
        """Raise what it means, unless the finish had come: then the connection did its work."""
        if self._reading.is_complete:
            return
        if isinstance(error, ReadTimedOut):
            raise self._fail(silence(self._connection.engine)) from error
        raise self._fail(self._reading.broken(error)) from error

    def _take(self, piece: bytes | None) -> tuple[Sequence[Chunk], Delta]:
        try:
            taken = self._reading.take(piece)
        except EventTooLong as error:
            raise self._fail(self._reading.broken(error)) from error
        if self._reading.is_alive:
            self._show_life()
        return taken

    def _show_life(self) -> None:
        self._reply.limit(self._loop.time() + self._reading.wait_s)

    def _raise_owed(self) -> None:
        if self._reading.owed is not None:
            raise self._fail(self._reading.owed())

    def _fail(self, failure: Failure) -> Exception:
        self._reading.is_over = True
        self._connection.record(failure)
        return failure.error

    async def _drain(self) -> None:
        """Let the end of the body come, so that its connection can be used again."""
        if self._reading.is_done:
            self._reply.limit(self._loop.time() + _DRAIN_S)
            with suppress(*TRANSPORT_ERRORS):
                await self._reply.read()


class DeltaStream(PouringDeltas):
    """The deltas of one reply, as `ChatEngine.stream` gives them; usage comes once, at the end."""

    def __init__(self, chunks: ChunkStream) -> None:
        """Read from ``chunks``, which nobody else may read."""
        self._chunks = chunks
        self._owes_usage = True
        self._first: Delta | None = None

    async def begin(self, *, engine: str | None = None) -> None:
        """Wait for the first delta, which is still given; it tells the ``engine``, if named.

        Raises:
            EngineUnavailable, EngineTimeout, EngineBusy, InvalidRequest: see `ChatEngine.stream`.
        """
        if self._first is None:
            self._first = await anext(self, None)
        if self._first is not None and engine is not None:
            self._first = replace(self._first, engine=engine)

    def __aiter__(self) -> Self:
        """Itself."""
        return self

    async def __anext__(self) -> Delta:
        """The next delta that holds anything."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        while (delta := await self._chunks.read_delta()) is not None:
            if self._chunks.is_over:
                delta = self._with_usage(delta)
            if delta is not NOTHING:
                return delta
        if (last := self._with_usage(NOTHING)).usage is not None:
            return last
        raise StopAsyncIteration

    async def pour(self, sink: DeltaSink) -> None:
        """See `chatbot.ports.PouringDeltas`."""
        if self._first is None:
            await self._chunks.pour_deltas(sink)

    async def aclose(self) -> None:
        """Nothing to close: leaving the engine's context closes the socket."""

    def _with_usage(self, delta: Delta) -> Delta:
        if not self._owes_usage or self._chunks.usage is None:
            return delta
        self._owes_usage = False
        usage = self._chunks.usage
        return Delta(usage=usage) if delta is NOTHING else replace(delta, usage=usage)
