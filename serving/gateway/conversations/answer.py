"""One answer while it is made: a list of events that all its readers share, each by a cursor."""

import time
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import anyio
from anyio import CancelScope

from chatbot.events import Stamp
from chatbot.ports import Clock
from serving.gateway.conversations.encoding import Encoded
from serving.gateway.conversations.shapes import as_milliseconds

BATCH_BYTES: Final = 32_768
"""What one write to a reader holds at most, where one event alone is not larger."""


class LiveAnswer:
    """An answer that is being made, or was not long ago; owned by the task that makes it.

    A reader costs its cursor and no queue. ``stop`` ends the turn; so does whoever finds that
    nobody has read for too long.
    """

    def __init__(
        self, *, owner: str, conversation_id: str, message_id: str, parent: str, scope: CancelScope
    ) -> None:
        """``scope`` is around the turn; ``parent`` is the user's message that is answered."""
        self.owner = owner
        self.conversation_id = conversation_id
        self.message_id = message_id
        self.parent = parent
        self.is_stopped = False
        self.is_unread = False
        self.ended_at: float | None = None
        self._scope = scope
        self._events: list[Encoded] = []
        self._changed = anyio.Event()
        self._readers = 0
        self._unread_since = time.monotonic()

    @property
    def is_running(self) -> bool:
        """Whether its last event is still to come."""
        return self.ended_at is None

    def belongs_to(self, owner: str, conversation_id: str) -> bool:
        """Whether it is an answer of this conversation of this owner's."""
        return (self.owner, self.conversation_id) == (owner, conversation_id)

    def stamp(self, clock: Clock) -> Stamp:
        """The shared fields of the next event."""
        seq = self._events[-1].seq + 1 if self._events else 0
        at_ms = as_milliseconds(clock.now())
        return Stamp(seq=seq, message_id=self.message_id, at_ms=at_ms)

    def tell(self, event: Encoded) -> None:
        """Add an event for all readers, those that are still to come too."""
        self._events.append(event)
        self._wake()

    def end(self, last: Encoded | None = None) -> None:
        """Add the last event; there is none where the process itself is ended."""
        if last is not None:
            self._events.append(last)
        self.ended_at = time.monotonic()
        self._wake()

    def stop(self) -> None:
        """End the turn now; what it has said stays."""
        self.is_stopped = True
        self._scope.cancel()

    async def wait_until_ended(self) -> None:
        """Return when the last event has been told."""
        while self.is_running:
            await self._changed.wait()

    async def watch_readers(self, limit_s: float) -> None:
        """Stop the turn when nobody has read it for ``limit_s`` seconds."""
        while True:
            unread_s = 0.0 if self._readers else time.monotonic() - self._unread_since
            if unread_s >= limit_s:
                self.is_unread = True
                self.stop()
                return
            await anyio.sleep(limit_s - unread_s)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Count as a reader."""
        self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1
            self._unread_since = time.monotonic()

    async def read(self, after: int) -> list[Encoded]:
        """Wait for events behind number ``after``; nothing where the answer has ended before."""
        while True:
            start = bisect_right(self._events, after, key=_number)
            if start < len(self._events):
                return self._batch(start)
            if not self.is_running:
                return []
            await self._changed.wait()

    def _batch(self, start: int) -> list[Encoded]:
        """As many events as one write takes: what a slow reader has not read stays in the list."""
        size, end = 0, start
        while end < len(self._events) and size < BATCH_BYTES:
            size += len(self._events[end].sent)
            end += 1
        return self._events[start:end]

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


def _number(event: Encoded) -> int:
    return event.seq
