"""Makes of the events of a turn the parts of a stored answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from chatbot.events import (
    AttributionEvent,
    Event,
    ImageEvent,
    QuestionEvent,
    RouteEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
    UsageEvent,
)
from chatbot.types import JsonValue, ToolOutcome
from serving.gateway.events import event_fields
from serving.storage.records import StoredPart


@dataclass(slots=True)
class _Words:
    """Text that is still growing; joined only when somebody wants to have it."""

    channel: str
    pieces: list[str] = field(default_factory=list)

    def part(self) -> StoredPart:
        return {"type": "text", "text": "".join(self.pieces), "channel": self.channel}


class Transcript:
    """Grows with each event; ``open_calls`` maps calls without a result to when they began."""

    def __init__(self) -> None:
        """Nothing is told yet."""
        self._parts: list[StoredPart | _Words] = []
        self.open_calls: dict[str, int] = {}
        self.has_usage = False

    def take(self, event: Event, outcomes: Iterable[ToolOutcome] = ()) -> bool:
        """Keep what ``event`` tells; whether it shall be saved before the answer says more.

        ``outcomes`` are those of the turn so far: a result is kept with all that the tool gave.
        """
        match event:
            case TextEvent():
                self._add_words(event)
                return False
            case ToolResultEvent():
                self.open_calls.pop(event.call_id, None)
                self._add(event, _outcome_fields(event.call_id, outcomes))
            case ToolCallEvent():
                self.open_calls[event.call_id] = event.at_ms
                self._add(event)
            case UsageEvent():  # the end comes next, and is saved anyway
                self.has_usage = True
                self._add(event)
                return False
            case RouteEvent() | QuestionEvent() | ImageEvent() | AttributionEvent():
                self._add(event)
            case _:  # progress, and the end: neither is part of the message
                return False
        return True

    def parts(self) -> tuple[StoredPart, ...]:
        """The parts so far."""
        return tuple(part.part() if isinstance(part, _Words) else part for part in self._parts)

    def _add(self, event: Event, more: Mapping[str, JsonValue] | None = None) -> None:
        self._parts.append({"type": event.name, **event_fields(event), **(more or {})})

    def _add_words(self, event: TextEvent) -> None:
        if not event.text:
            return
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, _Words) or last.channel != event.channel:
            last = _Words(channel=event.channel)
            self._parts.append(last)
        last.pieces.append(event.text)


def _outcome_fields(call_id: str, outcomes: Iterable[ToolOutcome]) -> dict[str, JsonValue]:
    """What of an outcome no event tells, for the dialogue state of later turns."""
    for outcome in outcomes:
        if outcome.call_id == call_id:
            state: list[JsonValue] = [
                {"kind": entity.kind, "value": entity.value} for entity in outcome.state
            ]
            return {"content": outcome.content, "plain": outcome.plain, "state": state}
    return {}
