"""What one turn keeps while it runs: open resources, numbered events, engine calls, its end."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from anyio.abc import TaskGroup

from chatbot.events import Stamp, TextEvent
from chatbot.ports import Clock
from chatbot.types import FinishReason, Leg, ToolOutcome


@dataclass(kw_only=True, slots=True)
class Record:
    """Mutable, owned by one turn.

    ``legs`` grow as engine calls end, whichever way they end; ``outcomes`` as tool calls do,
    before the event that tells of it.

    ``group`` and ``resources`` are entered and left in the caller's frame: what the event
    generators open (engine streams, channels, inner generators) goes on ``resources``, so that no
    context manager of theirs is open across a ``yield``. ``listen`` takes an event of text at once,
    if it can; else the event is yielded.
    """

    message_id: str
    clock: Clock
    group: TaskGroup
    resources: AsyncExitStack = field(default_factory=AsyncExitStack)
    legs: list[Leg] = field(default_factory=list)
    outcomes: list[ToolOutcome] = field(default_factory=list)
    finish: FinishReason = "stop"
    listen: Callable[[TextEvent], bool] | None = None
    _count: int = 0

    def stamp(self) -> Stamp:
        """The shared fields of the next event."""
        number = self._count
        self._count = number + 1
        at_ms = int(self.clock.now().timestamp() * 1000)
        return Stamp(seq=number, message_id=self.message_id, at_ms=at_ms)
