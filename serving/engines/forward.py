"""A client's own request to an engine: events pass on unchanged, the limits stay ours."""

import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from chatbot.types import Delta, FinishReason, Usage
from serving.engines.deltas import choices_of, read_usage
from serving.engines.event_screen import EventScreen
from serving.engines.events import DONE, Chunk
from serving.engines.failures import read_unfit
from serving.engines.stream import ChunkStream
from serving.engines.whole import join_chunks

_MOST_KEPT: Final = 64
"""Reads without a token that are held back; after so many the reply counts as begun."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ForwardedReply:
    """A whole reply to a client's own request: the JSON to send on and what it cost.

    ``engine`` is the configured name of the one that answered.
    """

    engine: str
    body: Mapping[str, object]
    usage: Usage | None
    finish: FinishReason | None


class ForwardedStream:
    """The events of one reply as bytes, whole events only, ``[DONE]`` included.

    ``usage`` and ``finish`` (of the first choice) are known after the end.
    """

    def __init__(self, chunks: ChunkStream, *, engine: str, shows_usage: bool) -> None:
        """``engine`` answers; ``shows_usage``: the client asked for the usage, so it gets it."""
        self.engine = engine
        self.finish: FinishReason | None = None
        self._chunks = chunks
        self._shows_usage = shows_usage
        self._has_shown_usage = False
        self._has_ended = False
        self._kept: deque[Sequence[Chunk]] = deque()
        self._screen: EventScreen | None = None
        self._write: Callable[[bytes], bool] = _refuse
        self._write_chunk: Callable[[bytes], bool] | None = None

    @property
    def usage(self) -> Usage | None:
        """The last valid usage that the engine reported."""
        return self._chunks.usage

    def __aiter__(self) -> Self:
        """Itself."""
        return self

    async def __anext__(self) -> bytes:
        """The events of the next read, each with its blank line."""
        while (chunks := await self.read()) is not None:
            if events := b"".join(_as_event(text) for text, _ in chunks):
                return events
        if self._has_ended:
            raise StopAsyncIteration
        self._has_ended = True
        return _as_event(DONE)

    async def begin(self) -> None:
        """Wait for the first token, or what else begins an answer; nothing is lost by it.

        Raises:
            EngineUnavailable, EngineTimeout, EngineBusy, InvalidRequest: see `ChatEngine.stream`.
        """
        if self._kept:
            return
        while len(self._kept) < _MOST_KEPT and (batch := await self._chunks.read()) is not None:
            self._kept.append(self._take(*batch))
            if self._chunks.has_begun or batch[1] != Delta():
                return

    def screen_with(self, screen: EventScreen) -> None:
        """Give only what ``screen`` shows, and raise its refusal where it has one."""
        self._screen = screen

    async def pour(
        self,
        write: Callable[[bytes], bool],
        write_chunk: Callable[[bytes], bool] | None = None,
    ) -> None:
        """Give all further events to ``write`` at the moment they come, ``[DONE]`` as the last.

        No task runs and nothing is parsed for an event that is text alone; one that comes in a
        chunk of HTTP of its own goes to ``write_chunk`` with its frame. Where either returns false,
        nothing more is read until `resume`.
        """
        self._write, self._write_chunk = write, write_chunk
        while self._kept:
            self._hand_on(self._kept.popleft())
        await self._chunks.pour(self)
        self._raise_refusal()
        if not self._has_ended:
            self._has_ended = True
            self._send(_as_event(DONE))

    def resume(self) -> None:
        """Read on."""
        self._chunks.resume()

    def pass_on(self, events: bytes, text: str, *, is_reasoning: bool) -> None:
        """See `serving.engines.stream.Outlet`."""
        if self._screen is not None:
            events = self._screen.pass_text(events, text, is_reasoning=is_reasoning)
            self._stop_if_refused()
        self._send(events)

    @property
    def write_chunk(self) -> Callable[[bytes], bool] | None:
        """See `serving.engines.stream.Outlet`; rules for answers look into every event."""
        return None if self._screen is not None else self._write_chunk

    def show(self, chunks: Sequence[Chunk], delta: Delta) -> None:
        """See `serving.engines.stream.Outlet`."""
        self._hand_on(self._take(chunks, delta))

    def _hand_on(self, chunks: Sequence[Chunk]) -> None:
        events = b"".join(_as_event(text) for text, _ in self._screened(chunks))
        if self._chunks.is_over and not self._kept and not self._is_refused:
            self._has_ended = True
            events += _as_event(DONE)
        self._send(events)

    async def read(self) -> Sequence[Chunk] | None:
        """The chunks of the next read that the client may see; ``None`` after the end."""
        self._raise_refusal()
        if self._kept:
            return self._screened(self._kept.popleft())
        batch = await self._chunks.read()
        return None if batch is None else self._screened(self._take(*batch))

    async def aclose(self) -> None:
        """Nothing to close: leaving the engine's context closes the socket."""

    def _take(self, chunks: Sequence[Chunk], delta: Delta) -> Sequence[Chunk]:
        self.finish = delta.finish or self.finish
        return [chunk for chunk in chunks if self._is_shown(chunk[1])]

    def _send(self, events: bytes) -> None:
        if events and not self._write(events):
            self._chunks.pause()

    def _screened(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        if self._screen is None:
            return chunks
        shown = self._screen.screen(chunks)
        if self._chunks.is_over and not self._kept:
            shown += self._screen.finish()
        self._stop_if_refused()
        return shown

    @property
    def _is_refused(self) -> bool:
        return self._screen is not None and self._screen.refusal is not None

    def _stop_if_refused(self) -> None:
        if self._is_refused:
            self._kept.clear()
            self._chunks.stop()

    def _raise_refusal(self) -> None:
        if self._screen is not None and self._screen.refusal is not None:
            raise self._screen.refusal

    def _is_shown(self, chunk: Mapping[str, object]) -> bool:
        if chunk.get("usage") is None or choices_of(chunk):
            return True
        return self._shows_usage and self._is_the_usage(chunk["usage"])

    def _is_the_usage(self, value: object) -> bool:
        """Whether it is the one that counts, and the first time that it is told."""
        is_it = self.usage is not None and self.usage == read_usage(value, largest=sys.maxsize)
        is_first, self._has_shown_usage = not self._has_shown_usage, self._has_shown_usage or is_it
        return is_it and is_first


async def read_reply(events: ForwardedStream, *, max_bytes: int) -> ForwardedReply:
    """All of a reply whose usage was asked for, joined into the one that is not streamed.

    Raises:
        EngineError: as of any stream; also for a reply of more than ``max_bytes``.
    """
    chunks: list[Mapping[str, object]] = []
    size = 0
    while (batch := await events.read()) is not None:
        chunks += (chunk for _, chunk in batch)
        size += sum(len(text) for text, _ in batch)
        if size > max_bytes:
            raise read_unfit("a reply without an end", engine=events.engine).error
    return ForwardedReply(
        engine=events.engine,
        body=join_chunks(chunks),
        usage=events.usage,
        finish=events.finish,
    )


def _refuse(events: bytes) -> bool:
    raise RuntimeError(f"nobody takes {len(events)} bytes of events")


def _as_event(text: bytes) -> bytes:
    return b"data: " + text.replace(b"\n", b"\ndata: ") + b"\n\n"
