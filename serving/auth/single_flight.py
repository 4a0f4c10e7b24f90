"""Lets calls that look up the same thing at the same time share one look-up."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import anyio

Result = TypeVar("Result")


@dataclass(kw_only=True, slots=True)
class _Flight(Generic[Result]):
    """A look-up that runs; neither result nor error at its end: its caller was cancelled."""

    ended: anyio.Event = field(default_factory=anyio.Event)
    results: list[Result] = field(default_factory=list)
    error: Exception | None = None


class SingleFlight(Generic[Result]):
    """Runs one look-up of a key at a time; whoever asks for the same key meanwhile gets the same.

    It runs in the task of its first caller. If that one is cancelled, one of those who wait looks
    up in its place. Nothing of it is kept: the next caller looks up anew, also after an error.
    """

    def __init__(self, look_up: Callable[[str], Awaitable[Result]]) -> None:
        """``look_up`` is given the key."""
        self._look_up = look_up
        self._flights: dict[str, _Flight[Result]] = {}

    async def get(self, key: str) -> Result:
        """What the look-up of ``key`` gives, or raises."""
        while (flight := self._flights.get(key)) is not None:
            await flight.ended.wait()
            if flight.error is not None:
                raise flight.error
            if flight.results:
                return flight.results[0]
        return await self._run(key)

    def part(self) -> None:
        """Let nobody join the look-ups that run now: they may tell of what was before a change."""
        self._flights.clear()

    async def _run(self, key: str) -> Result:
        flight = self._flights[key] = _Flight[Result]()
        try:
            flight.results.append(await self._look_up(key))
        except Exception as error:
            flight.error = error
            raise
        finally:
            if self._flights.get(key) is flight:
                del self._flights[key]
            flight.ended.set()
        return flight.results[0]
