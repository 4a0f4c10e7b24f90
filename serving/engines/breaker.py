"""The circuit breaker of one engine: after repeated failures it is left alone for a while."""

from collections.abc import Callable

from chatbot.ports import Clock


class Breaker:
    """Opens after ``threshold`` failures in a row; lets one try through each ``pause_s`` seconds.

    The try that is let through decides: a success closes the breaker, a failure (or no outcome at
    all) keeps it open.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        threshold: int = 5,
        pause_s: float = 5.0,
        on_change: Callable[[bool], None] | None = None,
    ) -> None:
        """Start closed; ``threshold`` counts failures, ``pause_s`` is in seconds.

        ``on_change`` is told whenever it opens (true) and closes (false).
        """
        self._on_change = on_change
        self._clock = clock
        self._threshold = threshold
        self._pause_s = pause_s
        self._failures = 0
        self._next_try = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the last ``threshold`` tries failed."""
        return self._failures >= self._threshold

    @property
    def wait_s(self) -> float:
        """Seconds until the next try is allowed; 0.0: one is."""
        return max(self._next_try - self._clock.monotonic(), 0.0) if self.is_open else 0.0

    def admit(self) -> float:
        """As `wait_s`; where that is 0.0, this is the try."""
        wait_s = self.wait_s
        if self.is_open and not wait_s:
            self._next_try = self._clock.monotonic() + self._pause_s
        return wait_s

    def succeed(self) -> None:
        """The engine answered."""
        if self.is_open and self._on_change is not None:
            self._on_change(False)  # noqa: FBT003 (what the port names: whether it is open)
        self._failures = 0

    def fail(self) -> bool:
        """The engine failed; true where this failure opened the breaker."""
        self._failures += 1
        self._next_try = self._clock.monotonic() + self._pause_s
        has_opened = self._failures == self._threshold
        if has_opened and self._on_change is not None:
            self._on_change(True)  # noqa: FBT003 (as above)
        return has_opened
