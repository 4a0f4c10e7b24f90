"""One server of an engine: what it has to do, whether it answers, and the ways to it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

from chatbot.ports import Clock
from serving.engines.breaker import Breaker
from serving.engines.connection import Alarm
from serving.engines.kinds import ENGINE_KINDS
from serving.engines.openai_api import OpenAIEngine
from serving.engines.replicas.choice import Standing
from serving.engines.replicas.demand import Demand
from serving.settings import EngineSettings, ReplicaSettings
from serving.telemetry import EngineWatch

SILENT_PROBES: Final = 2
"""Probes in a row without an answer after which a server gets no requests."""
_SMALLEST_SHARE: Final = 0.1


class Beginning(Protocol):
    """A stream that can wait for its first token without losing it."""

    async def begin(self) -> None:
        """Return when the first token is there, or raise what came in its place."""
        ...


S = TypeVar("S", bound=Beginning)


class Replica:
    """One server; an async context manager that owns its connections.

    ``is_drained``: an operator wants it to get no requests; what runs on it goes on.
    """

    def __init__(
        self,
        name: str,
        replica: ReplicaSettings,
        settings: EngineSettings,
        *,
        clock: Clock,
        alarm: Alarm | None = None,
        watch: EngineWatch | None = None,
    ) -> None:
        """``settings`` are those of the whole engine ``name``."""
        self.replica = replica
        self.is_drained = False
        self._return_s = settings.balance.return_s
        self._clock = clock
        self._silences = 0
        self._returned_at: float | None = None
        self._tokens = 0
        self._requests = 0
        self._stack = AsyncExitStack()

        def make(connections: int, breaker: Breaker | None = None) -> OpenAIEngine:
            own = settings.at(replica.url).model_copy(update={"max_connections": connections})
            return OpenAIEngine(
                name=name,
                settings=own,
                kind=ENGINE_KINDS[settings.kind],
                clock=clock,
                alarm=alarm,
                watch=watch,
                breaker=breaker,
                has_others=len(settings.replicas) > 1,
            )

        self.server = make(settings.max_connections)
        self._breaker = self.server.breaker
        connections = settings.router_connections
        self._routing = make(connections, self._breaker) if connections else self.server

    async def __aenter__(self) -> Self:
        """Make the clients; connections open as requests need them."""
        await self._stack.enter_async_context(self.server)
        if self._routing is not self.server:
            await self._stack.enter_async_context(self._routing)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection."""
        await self._stack.aclose()

    @property
    def is_silent(self) -> bool:
        """Whether it answered none of the last probes."""
        return self._silences >= SILENT_PROBES

    @property
    def rest_s(self) -> float:
        """Seconds for which its breaker leaves it alone."""
        return self._breaker.wait_s

    @property
    def standing(self) -> Standing:
        """How it stands at this moment."""
        return Standing(
            replica=self.replica,
            tokens=self._tokens,
            requests=self._requests,
            share=self._share(),
            is_available=not (self.is_silent or self.is_drained or self.rest_s > 0),
        )

    def take_probe(self, *, answers: bool) -> bool:
        """Keep what a probe found; true where it tells of a change."""
        was_silent = self.is_silent
        self._silences = 0 if answers else self._silences + 1
        if was_silent and answers:
            self._returned_at = self._clock.monotonic()
        return was_silent != self.is_silent

    def serve(
        self,
        demand: Demand,
        open_stream: Callable[[OpenAIEngine], AbstractAsyncContextManager[S]],
        *,
        waits: bool,
    ) -> "Service[S]":
        """Open one stream here; with ``waits`` entering returns at its first token.

        Until it ends, what it still asks for counts as work of this server.
        """
        server = self._routing if demand.is_routing else self.server
        return Service(self, demand, open_stream(server), waits=waits)

    def begin(self, demand: Demand) -> None:
        """A request begins here."""
        self._tokens += demand.tokens
        self._requests += 1

    def hear(self, demand: Demand, *, was_resting: bool) -> None:
        """A request's prompt was read; ``was_resting``: it was the one let through as a try."""
        self._tokens -= demand.prompt_tokens
        if was_resting and not self._breaker.is_open:
            self._returned_at = self._clock.monotonic()

    def end(self, tokens: int) -> None:
        """A request that still counted for so many tokens is over."""
        self._tokens -= tokens
        self._requests -= 1

    @property
    def is_resting(self) -> bool:
        """Whether its breaker leaves it alone, but for a try."""
        return self._breaker.is_open

    def _share(self) -> float:
        """Grows from a tenth to the whole in ``balance.return_s`` after a return."""
        if self._returned_at is None:
            return 1.0
        passed_s = self._clock.monotonic() - self._returned_at
        if passed_s >= self._return_s:
            self._returned_at = None
            return 1.0
        return _SMALLEST_SHARE + (1 - _SMALLEST_SHARE) * passed_s / self._return_s


class Service(AbstractAsyncContextManager[S]):
    """One stream of a server, see `Replica.serve`; a class, as the generations are."""

    __slots__ = ("_demand", "_left", "_opening", "_replica", "_waits")

    def __init__(
        self,
        replica: Replica,
        demand: Demand,
        opening: AbstractAsyncContextManager[S],
        *,
        waits: bool,
    ) -> None:
        """Nothing begins before the block is entered."""
        self._replica = replica
        self._demand = demand
        self._left = demand.tokens
        self._opening = opening
        self._waits = waits

    async def __aenter__(self) -> S:
        """The stream; with ``waits`` its first token has come."""
        replica, demand = self._replica, self._demand
        was_resting = replica.is_resting
        replica.begin(demand)
        try:
            stream = await self._opening.__aenter__()
            if self._waits:
                await self._wait_for(stream)
        except BaseException:
            replica.end(self._left)
            raise
        self._left -= demand.prompt_tokens
        replica.hear(demand, was_resting=was_resting)
        return stream

    async def _wait_for(self, stream: S) -> None:
        try:
            await stream.begin()
        except BaseException as error:
            await self._opening.__aexit__(type(error), error, error.__traceback__)
            raise

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        """The generation ends, if it has not yet."""
        try:
            return await self._opening.__aexit__(exc_type, exc, traceback)
        finally:
            self._replica.end(self._left)
