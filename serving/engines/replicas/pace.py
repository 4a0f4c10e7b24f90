"""How fast what is under way comes to its end: the honest number of a Retry-After."""

from collections import deque
from typing import Final

from chatbot.ports import Clock

SHORTEST_S: Final = 1.0
LONGEST_S: Final = 60.0
_WINDOW_S: Final = 60.0
_MOST_ENDS: Final = 1_024


class Pace:
    """Counts ends against the time in which anything ran; idle time says nothing of a pace."""

    def __init__(self, *, clock: Clock) -> None:
        """Nothing runs yet."""
        self.running = 0
        self._clock = clock
        self._since = 0.0
        self._busy_s = 0.0
        self._ends: deque[float] = deque(maxlen=_MOST_ENDS)

    def begin(self) -> None:
        """One more runs."""
        if not self.running:
            self._since = self._clock.monotonic()
        self.running += 1

    def end(self) -> None:
        """One has ended, however it did: its place is free."""
        now = self._now()
        self._ends.append(now)
        self.running -= 1
        if not self.running:
            self._busy_s = now

    def wait_s(self) -> float:
        """Seconds until a place is likely: what runs, divided by the rate of ends.

        Where none has ended yet, one is taken to end now, so it grows with the time waited.
        Between `SHORTEST_S` and `LONGEST_S`.
        """
        now = self._now()
        while self._ends and self._ends[0] <= now - _WINDOW_S:
            self._ends.popleft()
        is_full = len(self._ends) == _MOST_ENDS
        observed_s = now - self._ends[0] if is_full else min(now, _WINDOW_S)
        wait_s = self.running * observed_s / max(len(self._ends), 1)
        return min(max(wait_s, SHORTEST_S), LONGEST_S)

    def _now(self) -> float:
        """Seconds in which anything has run, until now."""
        if not self.running:
            return self._busy_s
        return self._busy_s + self._clock.monotonic() - self._since
