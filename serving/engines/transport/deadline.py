"""A moment that moves on with every sign of life, at the price of one timer a stream."""

import asyncio
from collections.abc import Callable
from math import inf


class Deadline:
    """Calls back once its moment has passed.

    The moment moves with every read; the timer beneath is set anew only when it goes off too early,
    or where the moment becomes a sooner one.
    """

    __slots__ = ("_call", "_loop", "_timer", "_timer_at", "moment")

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        """Without a moment, until one is set."""
        self.moment = inf
        self._loop = loop
        self._call = call
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = inf

    def set(self, moment: float) -> None:
        """Go off at ``moment``, in the loop's time; ``inf``: never."""
        self.moment = moment
        if moment < self._timer_at:
            self._arm(moment)

    def cancel(self) -> None:
        """Never go off."""
        self.moment = self._timer_at = inf
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, moment: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = moment
        self._timer = self._loop.call_at(moment, self._ring)

    def _ring(self) -> None:
        self._timer, self._timer_at = None, inf
        if self._loop.time() >= self.moment:
            self._call()
        elif self.moment != inf:
            self._arm(self.moment)
