"""Lets turns in while there is room, and brings them to their end when the server shuts down."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio
from anyio import CancelScope

from chatbot.errors import Draining, ZwrotnicaError
from chatbot.ports import Clock
from serving.engines.replicas.pace import Pace
from serving.http.errors import QueueFull
from serving.telemetry import Metrics, step

_CLOSING_S = 1.0


@dataclass(kw_only=True, slots=True)
class Ticket:
    """One admitted turn; its ``scope`` is cancelled when the server cannot wait any longer."""

    scope: CancelScope = field(default_factory=CancelScope)
    is_expired: bool = False

    def expire(self) -> None:
        """End the turn now; it tells its client ``server_draining``."""
        self.is_expired = True
        self.scope.cancel()


class Admission:
    """Counts the turns of one process."""

    def __init__(self, *, max_turns: int, metrics: Metrics, clock: Clock) -> None:
        """Start open and empty."""
        self._max_turns = max_turns
        self._pace = Pace(clock=clock)
        self._metrics = metrics
        self._tickets: list[Ticket] = []
        self._is_empty = anyio.Event()
        self.is_draining = False

    @property
    def turns(self) -> int:
        """Turns running now."""
        return len(self._tickets)

    @contextmanager
    def admit(self) -> Iterator[Ticket]:
        """Hold a place for one turn.

        Raises:
            Draining: the server is shutting down.
            QueueFull: as many turns as allowed are running.
        """
        with step("admission", {"zwrotnica.turns": len(self._tickets)}):
            self._check()
        ticket = Ticket()
        self._tickets.append(ticket)
        self._pace.begin()
        self._metrics.turns.inc()
        try:
            yield ticket
        finally:
            self._tickets.remove(ticket)
            self._pace.end()
            self._metrics.turns.dec()
            if self.is_draining and not self._tickets:
                self._is_empty.set()

    def _check(self) -> None:
        if self.is_draining:
            raise self._refused(Draining("the server is shutting down"))
        if len(self._tickets) >= self._max_turns:
            full = f"{self._max_turns} turns are running"
            raise self._refused(QueueFull(full, retry_after_s=self._pace.wait_s()))

    def _refused(self, error: ZwrotnicaError) -> ZwrotnicaError:
        self._metrics.refused.labels(error.code.value).inc()
        return error

    async def drain(self, limit_s: float) -> None:
        """Refuse new turns, give the running ones ``limit_s`` seconds, then end the rest."""
        self.is_draining = True
        await self._wait_until_empty(limit_s)
        for ticket in tuple(self._tickets):
            ticket.expire()
        await self._wait_until_empty(_CLOSING_S)

    async def _wait_until_empty(self, limit_s: float) -> None:
        if self._tickets:
            with anyio.move_on_after(limit_s):
                await self._is_empty.wait()
