"""One streamed reply: read within its limits, told apart from a cut one, given as batches."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import httpx2

from chatbot.types import Delta, Usage
from serving.engines.connection import Connection, silence
from serving.engines.deltas import choices_of, index_of, merge, read_finish, read_usage
from serving.engines.events import Chunk, ChunkReader, EventTooLong
from serving.engines.failures import (
    TRANSPORT_ERRORS,
    Failure,
    read_broken_connection,
    read_error_event,
)

_TAIL_S = 2.0
_DRAIN_S = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class StreamLimits:
    """Limits of one stream: seconds between tokens, bytes of an event, the largest usage."""

    idle_s: float
    max_event_bytes: int
    largest_usage: int


class ChunkStream:
    """Reads the chunks of one reply; each read gives what one read of the socket held.

    ``usage`` is the last valid one; ``is_over`` turns true when the engine said it had finished.
    Comments and chunks without a choice do not count as a sign of life. What stood before a failure
    is given before the failure is raised.
    """

    def __init__(
        self,
        reply: httpx2.Response,
        *,
        connection: Connection,
        deadline: float,
        limits: StreamLimits,
    ) -> None:
        """``deadline`` is the first token's, in the event loop's time."""
        self.usage: Usage | None = None
        self.is_over = False
        self._connection = connection
        self._limits = limits
        self._deadline = deadline
        self._bytes = reply.aiter_raw()
        self._reader = ChunkReader(max_bytes=limits.max_event_bytes)
        self._loop = asyncio.get_running_loop()
        self._malformed = 0
        self._owed: Callable[[], Failure] | None = None
        self._has_begun = False
        self._seen: set[int] = set()
        self._finished: set[int] = set()

    async def read(self) -> tuple[Sequence[Chunk], Delta] | None:
        """The chunks of the next read with the delta they make; ``None`` after the end.

        Raises:
            EngineUnavailable, EngineTimeout, EngineLost, InvalidRequest: see `ChatEngine.stream`.
        """
        while not self.is_over:
            if self._owed is not None:
                raise self._fail(self._owed())
            piece = await self._read_bytes()
            chunks = self._sound(self._parse(piece))
            delta = self._look_at(chunks)
            if (self._reader.is_done or piece is None) and not self._is_owing():
                delta = self._end(delta)
            if chunks or delta.finish:
                return chunks, delta
        if self._reader.is_done:
            await self._drain()
        return None

    async def _read_bytes(self) -> bytes | None:
        limit = asyncio.timeout_at(self._deadline)
        try:
            async with limit:
                return await anext(self._bytes)
        except StopAsyncIteration:
            return None
        except TRANSPORT_ERRORS as error:
            if self._is_complete:
                return None
            if limit.expired():
                raise self._fail(silence(self._connection.engine)) from error
            raise self._fail(self._broken(error)) from error

    def _parse(self, piece: bytes | None) -> list[Chunk]:
        try:
            chunks = self._reader.finish() if piece is None else self._reader.feed(piece)
        except EventTooLong as error:
            raise self._fail(self._broken(error)) from error
        if (fresh := self._reader.malformed - self._malformed) > 0:
            self._connection.note("malformed_event", times=fresh)
            self._malformed = self._reader.malformed
        return chunks

    def _sound(self, chunks: list[Chunk]) -> list[Chunk]:
        """The chunks before the first that tells of a failure, which is then owed."""
        for place, (_, chunk) in enumerate(chunks):
            said = chunk.get("error") or next(
                (
                    reason
                    for choice in choices_of(chunk)
                    if read_finish(reason := choice.get("finish_reason")) == "failed"
                ),
                None,
            )
            if said:
                self._owed = partial(self._failure_in_stream, said)
                return chunks[:place]
        return chunks

    def _is_owing(self) -> bool:
        return self._owed is not None

    def _look_at(self, chunks: Sequence[Chunk]) -> Delta:
        is_alive = False
        for _, chunk in chunks:
            for choice in choices_of(chunk):
                is_alive = True
                self._look_at_finish(index_of(choice), choice.get("finish_reason"))
            if chunk.get("usage") is not None:
                self._look_at_usage(chunk["usage"])
        delta = merge(chunks)
        if not self._has_begun and delta != Delta():
            self._has_begun = True
            self._connection.breaker.succeed()
        if is_alive and self._has_begun:
            wait_s = min(self._limits.idle_s, _TAIL_S) if self._is_complete else self._limits.idle_s
            self._deadline = self._loop.time() + wait_s
        return delta

    def _look_at_finish(self, index: int, value: object) -> None:
        self._seen.add(index)
        finish = read_finish(value)
        if finish == "unknown":
            self._connection.note("unknown_finish")
        if finish is not None:
            self._finished.add(index)

    def _look_at_usage(self, value: object) -> None:
        usage = read_usage(value, largest=self._limits.largest_usage)
        if usage is None:
            self._connection.note("absurd_usage")
        else:
            self.usage = usage

    @property
    def _is_complete(self) -> bool:
        return bool(self._finished) and self._finished >= self._seen

    def _end(self, delta: Delta) -> Delta:
        if not self._is_complete:
            if not (self._reader.is_done and self._has_begun):
                self._owed = partial(self._broken, EOFError())
                return delta
            self._connection.note("no_finish")
            delta = replace(delta, finish="stop")
        elif not self._reader.is_done:
            self._connection.note("no_done")
        self.is_over = True
        return delta

    def _broken(self, error: BaseException) -> Failure:
        engine = self._connection.engine
        return read_broken_connection(error, engine=engine, has_begun=self._has_begun)

    def _failure_in_stream(self, said: object) -> Failure:
        engine = self._connection.engine
        return read_error_event(said, engine=engine, has_begun=self._has_begun)

    def _fail(self, failure: Failure) -> Exception:
        self.is_over = True
        self._connection.record(failure)
        return failure.error

    async def _drain(self) -> None:
        with suppress(*TRANSPORT_ERRORS, StopAsyncIteration):
            async with asyncio.timeout(_DRAIN_S):
                await anext(self._bytes)


class DeltaStream:
    """The deltas of one reply, as `ChatEngine.stream` gives them; usage comes once, at the end."""

    def __init__(self, chunks: ChunkStream) -> None:
        """Read from ``chunks``, which nobody else may read."""
        self._chunks = chunks
        self._owes_usage = True

    def __aiter__(self) -> Self:
        """Itself."""
        return self

    async def __anext__(self) -> Delta:
        """The next delta that holds anything."""
        while (batch := await self._chunks.read()) is not None:
            delta = batch[1]
            if self._chunks.is_over:
                delta = self._with_usage(delta)
            if delta != Delta():
                return delta
        if (last := self._with_usage(Delta())).usage is not None:
            return last
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Nothing to close: leaving the engine's context closes the socket."""

    def _with_usage(self, delta: Delta) -> Delta:
        if not self._owes_usage or self._chunks.usage is None:
            return delta
        self._owes_usage = False
        return replace(delta, usage=self._chunks.usage)
