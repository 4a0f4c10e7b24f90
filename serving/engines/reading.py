"""What the chunks of one reply amount to: its end told from a cut, its failures, its usage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from chatbot.types import Delta, Usage
from serving.engines.connection import Connection
from serving.engines.deltas import (
    NOTHING,
    choices_of,
    index_of,
    merge,
    read_finish,
    read_plain,
    read_usage,
)
from serving.engines.events import EVENT_END, PREFIX, Chunk, ChunkReader, read_object
from serving.engines.failures import Failure, read_broken_connection, read_error_event
from serving.engines.known_form import KnownForm

_TAIL_S = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class StreamLimits:
    """Limits of one stream: seconds between tokens, bytes of an event, the largest usage.

    ``choices`` is how many the reply has, which some engines write one after the other.
    """

    idle_s: float
    max_event_bytes: int
    largest_usage: int
    choices: int = 1


class Reading:
    """Takes the bytes of one reply as they were read; touches no socket and no clock.

    ``usage`` is the last valid one, ``received`` the UTF-8 bytes of text and calls so far, of all
    choices; ``has_begun`` says whether there was any, ``is_over`` turns true when the engine said
    it had finished.
    ``is_between_events``: the next bytes begin an event, as far as is known.
    ``wait_s`` is for how long the next sign of life may be waited for, in seconds. ``owed`` makes
    the failure that follows what has been given. After each read, ``is_alive`` says whether it held
    a sign of life, which comments and chunks without a choice are not.
    """

    def __init__(
        self,
        connection: Connection,
        limits: StreamLimits,
        *,
        on_begin: Callable[[], None] | None = None,
    ) -> None:
        """``connection`` hears of oddities and of success, ``on_begin`` of the first token."""
        self._on_begin = on_begin
        self.usage: Usage | None = None
        self.received = 0
        self.is_over = False
        self.is_alive = False
        self.owed: Callable[[], Failure] | None = None
        self._connection = connection
        self._limits = limits
        self._reader = ChunkReader(max_bytes=limits.max_event_bytes)
        self._form = KnownForm()
        self._malformed = 0
        self.is_between_events = False
        self.wait_s = limits.idle_s
        self.has_begun = False
        self._seen: set[int] = set()
        self._finished: set[int] = set()

    @property
    def is_done(self) -> bool:
        """Whether ``[DONE]`` was read."""
        return self._reader.is_done

    @property
    def is_complete(self) -> bool:
        """Whether every choice has finished."""
        return len(self._finished) >= self._limits.choices and self._finished >= self._seen

    def take_plain(self, piece: bytes) -> Delta | None:
        """The delta of whole events that tell of nothing but text and token ids.

        ``None``: ``piece`` holds anything else, and nothing has been taken of it.
        """
        if (text := self.read_text(piece)) is None:
            return self._parse_plain(piece)
        if not text:
            return NOTHING
        return Delta(reasoning=text) if self._form.is_reasoning else Delta(text=text)

    def _parse_plain(self, piece: bytes) -> Delta | None:
        """As `take_plain`, of one event whose form is not known."""
        is_one = piece.startswith(PREFIX) and piece.find(b"\n") == len(piece) - len(EVENT_END)
        if not (is_one and piece.endswith(EVENT_END) and self.is_between_events) or b"\r" in piece:
            return None
        if self._finished or len(piece) > self._limits.max_event_bytes:
            return None
        event = piece[len(PREFIX) : -len(EVENT_END)]
        if (chunk := read_object(event)) is None or (delta := read_plain(chunk)) is None:
            return None
        self._seen.add(0)
        self._hear(delta)
        self.is_alive = self.has_begun
        if not delta.token_ids:
            self._form.learn(event, chunk)
        return delta

    @property
    def is_reasoning(self) -> bool:
        """Whether the text last read is the model's reasoning."""
        return self._form.is_reasoning

    def read_text(self, piece: bytes) -> str | None:
        """The text of events that differ from earlier ones in it alone; they may be sent on."""
        if not self.is_between_events or len(piece) > self._limits.max_event_bytes:
            return None
        text = self._form.read(piece)
        self.is_alive = text is not None
        if text is not None:
            self.received += len(text.encode())
        return text

    @property
    def measure_chunks(self) -> Callable[[bytes], int | None]:
        """See `KnownForm.measure_chunks`; what it takes ends between events, where it began."""
        return self._form.measure_chunks

    def take(self, piece: bytes | None) -> tuple[Sequence[Chunk], Delta]:
        """Any piece, ``None`` at the end: its chunks before a failure, with the delta they make.

        Raises:
            EventTooLong: an event passed its limit.
        """
        chunks, delta = self._look_at(self._parse(piece))
        self.is_between_events = self._reader.is_between_events
        if (self._reader.is_done or piece is None) and self.owed is None:
            delta = self._end(delta)
        if chunks and not self._finished:
            self._form.learn(*chunks[-1])
        return chunks, delta

    def broken(self, error: BaseException) -> Failure:
        """What a broken connection means at this point of the reply."""
        engine = self._connection.engine
        return read_broken_connection(error, engine=engine, has_begun=self.has_begun)

    def _parse(self, piece: bytes | None) -> list[Chunk]:
        chunks = self._reader.finish() if piece is None else self._reader.feed(piece)
        if (fresh := self._reader.malformed - self._malformed) > 0:
            self._connection.note("malformed_event", times=fresh)
            self._malformed = self._reader.malformed
        return chunks

    def _look_at(self, chunks: list[Chunk]) -> tuple[list[Chunk], Delta]:
        """The chunks before the first that tells of a failure, which is then owed; their delta."""
        firsts: list[Mapping[str, object]] = []
        others: list[Mapping[str, object]] = []
        self.is_alive = False
        for place, (_, chunk) in enumerate(chunks):
            choices = choices_of(chunk)
            if said := chunk.get("error") or _find_failure(choices):
                self.owed = partial(self._failure_in_stream, said)
                chunks = chunks[:place]
                break
            for choice in choices:
                self.is_alive = True
                index = index_of(choice)
                self._look_at_finish(index, choice.get("finish_reason"))
                (firsts if index == 0 else others).append(choice)
            if (usage := chunk.get("usage")) is not None:
                self._look_at_usage(usage)
        delta = merge(firsts)
        self._hear(delta)
        if others:
            self._hear(merge(others))
        self.is_alive = self.is_alive and self.has_begun
        return chunks, delta

    def _hear(self, delta: Delta) -> None:
        """Count what the model wrote; with the first of it the reply has begun."""
        if delta is NOTHING:
            return
        self.received += _size(delta)
        if not self.has_begun:
            self.has_begun = True
            self._connection.breaker.succeed()
            if self._on_begin is not None:
                self._on_begin()

    def _look_at_finish(self, index: int, value: object) -> None:
        self._seen.add(index)
        if value is not None:
            self._end_choice(index, value)
        self.wait_s = min(self._limits.idle_s, _TAIL_S) if self.is_complete else self._limits.idle_s

    def _end_choice(self, index: int, value: object) -> None:
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

    def _end(self, delta: Delta) -> Delta:
        if not self.is_complete:
            if not (self._reader.is_done and self.has_begun):
                self.owed = partial(self.broken, EOFError())
                return delta
            self._connection.note("no_finish")
            delta = replace(delta, finish="stop")
        elif not self._reader.is_done:
            self._connection.note("no_done")
        self.is_over = True
        return delta

    def _failure_in_stream(self, said: object) -> Failure:
        engine = self._connection.engine
        return read_error_event(said, engine=engine, has_begun=self.has_begun)


def _find_failure(choices: Sequence[Mapping[str, object]]) -> object:
    """The finish reason of a choice that tells of a failure."""
    for choice in choices:
        reason = choice.get("finish_reason")
        if reason is not None and read_finish(reason) == "failed":
            return reason
    return None


def _size(delta: Delta) -> int:
    """UTF-8 bytes of what the model wrote."""
    size = len(delta.text.encode())
    if delta.reasoning:
        size += len(delta.reasoning.encode())
    for call in delta.calls:
        size += len((call.name or "").encode()) + len(call.arguments.encode())
    return size
