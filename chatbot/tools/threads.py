"""Runs blocking functions in threads, and counts those whose caller has left."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import TypeVar

import anyio
from anyio import to_thread

T = TypeVar("T")


class Threads:
    """At most ``size`` blocking functions at a time.

    A caller that is cancelled leaves at once; its function cannot be stopped, so it keeps its
    place until it returns. (anyio's own limiter would give the place away, and a dead service
    could then pile up threads without end.)
    """

    def __init__(self, size: int = 32) -> None:
        """Allow ``size`` functions at a time."""
        self._limiter = anyio.CapacityLimiter(size)
        self._unlimited = anyio.CapacityLimiter(math.inf)

    @property
    def busy(self) -> int:
        """How many functions run now, abandoned ones included."""
        return self._limiter.borrowed_tokens

    async def run(self, function: Callable[[], T]) -> T:
        """Run ``function`` in a thread and wait for its result, or leave when cancelled."""
        place = object()
        await self._limiter.acquire_on_behalf_of(place)
        claim = Lock()
        loop = asyncio.get_running_loop()

        def work() -> T:
            if not claim.acquire(blocking=False):
                raise RuntimeError("The caller left before the function began.")
            try:
                return function()
            finally:
                with suppress(RuntimeError):  # the loop is closed: nobody counts any more
                    loop.call_soon_threadsafe(self._limiter.release_on_behalf_of, place)

        try:
            return await to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._unlimited)
        finally:
            if claim.acquire(blocking=False):  # the function never began
                self._limiter.release_on_behalf_of(place)
