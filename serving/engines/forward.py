"""A client's own request to an engine: events pass on unchanged, the limits stay ours."""

from collections.abc import Callable, Mapping, Sequence
from typing import Self

from chatbot.types import Delta, FinishReason, Usage
from serving.engines.deltas import choices_of
from serving.engines.events import DONE, Chunk
from serving.engines.stream import ChunkStream


class ForwardedStream:
    """The events of one reply as bytes, whole events only, ``[DONE]`` included.

    ``usage`` and ``finish`` (of the first choice) are known after the end.
    """

    def __init__(self, chunks: ChunkStream, *, shows_usage: bool) -> None:
        """``shows_usage``: the client asked for the usage chunk, so it gets it."""
        self.finish: FinishReason | None = None
        self._chunks = chunks
        self._shows_usage = shows_usage
        self._has_ended = False
        self._write: Callable[[bytes], bool] = _refuse

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

    async def pour(self, write: Callable[[bytes], bool]) -> None:
        """Give all further events to ``write`` at the moment they come, ``[DONE]`` as the last.

        No task runs and nothing is parsed for an event that is text alone. Where ``write`` returns
        false, nothing more is read until `resume`.
        """
        self._write = write
        await self._chunks.pour(self)
        if not self._has_ended:
            self._has_ended = True
            self.pass_on(_as_event(DONE))

    def resume(self) -> None:
        """Read on."""
        self._chunks.resume()

    def pass_on(self, events: bytes) -> None:
        """See `serving.engines.stream.Outlet`."""
        if not self._write(events):
            self._chunks.pause()

    def show(self, chunks: Sequence[Chunk], delta: Delta) -> None:
        """See `serving.engines.stream.Outlet`."""
        self.finish = delta.finish or self.finish
        events = b"".join(_as_event(text) for text, chunk in chunks if self._is_shown(chunk))
        if self._chunks.is_over:
            self._has_ended = True
            events += _as_event(DONE)
        if events:
            self.pass_on(events)

    async def read(self) -> Sequence[Chunk] | None:
        """The chunks of the next read that the client may see; ``None`` after the end."""
        batch = await self._chunks.read()
        if batch is None:
            return None
        chunks, delta = batch
        self.finish = delta.finish or self.finish
        return [chunk for chunk in chunks if self._is_shown(chunk[1])]

    async def aclose(self) -> None:
        """Nothing to close: leaving the engine's context closes the socket."""

    def _is_shown(self, chunk: Mapping[str, object]) -> bool:
        if choices_of(chunk) or chunk.get("usage") is None:
            return True
        return self._shows_usage and self.usage is not None


def _refuse(events: bytes) -> bool:
    raise RuntimeError(f"nobody takes {len(events)} bytes of events")


def _as_event(text: bytes) -> bytes:
    return b"data: " + text.replace(b"\n", b"\ndata: ") + b"\n\n"
