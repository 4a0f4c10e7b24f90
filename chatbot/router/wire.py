"""Puts together the calls that come as ``tool_calls`` deltas, in whatever order and number."""

from collections.abc import Collection
from dataclasses import dataclass, field

from chatbot.router.calls import (
    CallError,
    CallProblem,
    RawCall,
    Reading,
    make_call,
    select_calls,
)
from chatbot.router.heads import OPEN, Head
from chatbot.router.limits import RouterLimits
from chatbot.types import CallDelta


@dataclass(kw_only=True)
class _Slot:
    """One call that is still arriving."""

    call_id: str | None = None
    name: str = ""
    pieces: list[str] = field(default_factory=list)


class WireReader:
    """Collects call deltas; `head` tells the first function's name early."""

    def __init__(self, offered: Collection[str], limits: RouterLimits) -> None:
        """Read calls; those of functions that are not ``offered`` are refused."""
        self._offered = offered
        self._limits = limits
        self._slots: dict[int, list[_Slot]] = {}
        self._openings: set[CallDelta] = set()
        self._length = 0
        self.head: Head = OPEN

    @property
    def is_empty(self) -> bool:
        """Whether no delta has come."""
        return not self._slots

    @property
    def is_too_long(self) -> bool:
        """Whether more text came than calls may have."""
        return self._length > self._limits.call_chars

    def feed(self, delta: CallDelta) -> Head:
        """Take the next delta. One that opens a call and came before is a repetition."""
        self._length += len(delta.arguments) + len(delta.name or "") + 1
        if self.is_too_long or (delta.name and delta in self._openings):
            return self.head
        if delta.name:
            self._openings.add(delta)
        slot = self._slot(delta)
        slot.call_id = slot.call_id or delta.call_id
        slot.name = self._grown(slot.name, delta.name or "")
        slot.pieces.append(delta.arguments)
        if self.head is OPEN and self._is_whole(slot.name):
            self.head = Head(state="named", name=slot.name)
        return self.head

    def finish(self) -> Reading:
        """What was called, in the order of the indices."""
        if self.is_too_long:
            return Reading(problem="too_long")
        calls: list[RawCall] = []
        problems: list[CallProblem] = []
        for index in sorted(self._slots):
            for slot in self._slots[index]:
                try:
                    calls.append(_call(slot, self._limits))
                except CallError as error:
                    problems.append(error.problem)
        return select_calls(calls, problems, self._offered, self._limits)

    def _slot(self, delta: CallDelta) -> _Slot:
        """The call that ``delta`` belongs to: some servers number every call 0."""
        slots = self._slots.setdefault(delta.index, [])
        if not slots or self._opens_another(slots[-1], delta):
            slots.append(_Slot())
        return slots[-1]

    def _opens_another(self, slot: _Slot, delta: CallDelta) -> bool:
        if delta.call_id and slot.call_id:
            return delta.call_id != slot.call_id
        return bool(delta.name) and delta.name != slot.name and self._is_whole(slot.name)

    def _grown(self, name: str, piece: str) -> str:
        """The name with a further piece; a repetition of the whole name adds nothing."""
        return name if piece == name or self._is_whole(name) else name + piece

    def _is_whole(self, name: str) -> bool:
        """Whether ``name`` is known to be a whole name."""
        if not name:
            return False
        return name in self._offered or not any(tool.startswith(name) for tool in self._offered)


def _call(slot: _Slot, limits: RouterLimits) -> RawCall:
    if not slot.name.strip():
        raise CallError("no_name")
    return make_call(slot.name, "".join(slot.pieces).strip(), limits)
