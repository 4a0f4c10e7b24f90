"""What one turn keeps while it runs: the numbering of its events, its engine calls, its end."""

from dataclasses import dataclass, field

from chatbot.events import Stamp
from chatbot.ports import Clock
from chatbot.types import FinishReason, Leg


@dataclass(kw_only=True, slots=True)
class Record:
    """Mutable, owned by one turn. ``legs`` grow as engine calls end, whichever way they end."""

    message_id: str
    clock: Clock
    legs: list[Leg] = field(default_factory=list)
    finish: FinishReason = "stop"
    _count: int = 0

    def stamp(self) -> Stamp:
        """The shared fields of the next event."""
        number = self._count
        self._count = number + 1
        at_ms = int(self.clock.now().timestamp() * 1000)
        return Stamp(seq=number, message_id=self.message_id, at_ms=at_ms)
