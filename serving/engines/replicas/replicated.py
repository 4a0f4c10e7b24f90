"""A chat engine of one or more servers: each request goes to one of them, or to the next."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from random import SystemRandom
from types import TracebackType
from typing import Self, TypeVar

import structlog

from chatbot.errors import EngineBusy, EngineError, EngineUnavailable, ErrorCode
from chatbot.ports import Clock
from chatbot.types import ChatRequest, JsonObject
from serving.engines.body import asking_usage
from serving.engines.connection import Alarm
from serving.engines.failures import Oddity
from serving.engines.forward import ForwardedReply, ForwardedStream, read_reply
from serving.engines.openai_api import OpenAIEngine
from serving.engines.replicas.choice import Pick, choose
from serving.engines.replicas.demand import Demand, judge_body, judge_request
from serving.engines.replicas.pace import Pace
from serving.engines.replicas.policy import Policy
from serving.engines.replicas.replica import Beginning, Replica, Service
from serving.engines.stream import DeltaStream
from serving.settings import EngineSettings
from serving.telemetry import EngineWatch, current_span

S = TypeVar("S", bound=Beginning)
Open = Callable[[OpenAIEngine], AbstractAsyncContextManager[S]]


class ReplicatedEngine:
    """Implements `chatbot.ports.ChatEngine`; an async context manager that owns its servers.

    A request is sent to another server only where it failed before its first token, never twice
    to one. What has begun ends where it began.
    """

    def __init__(
        self,
        *,
        name: str,
        settings: EngineSettings,
        clock: Clock,
        alarm: Alarm | None = None,
        watch: EngineWatch | None = None,
        pick: Pick | None = None,
    ) -> None:
        """Nothing is opened before the context is entered; ``pick`` draws among equals."""
        self.name = name
        self.settings = settings
        self.replicas: Sequence[Replica] = tuple(
            Replica(name, one, settings, clock=clock, alarm=alarm, watch=watch)
            for one in settings.replicas
        )
        self._alarm = alarm
        self._pick = pick or SystemRandom().choice
        self._pace = Pace(clock=clock)
        self._policy = Policy(settings.balance)
        self._counted: Counter[Oddity] = Counter()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Make the clients; connections open as requests need them."""
        for replica in self.replicas:
            await self._stack.enter_async_context(replica)
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
    def oddities(self) -> Mapping[Oddity, int]:
        """How often each strange thing has happened, whichever server it was."""
        return sum((Counter(one.server.oddities) for one in self.replicas), self._counted)

    def stream(self, request: ChatRequest) -> AbstractAsyncContextManager[DeltaStream]:
        """See `chatbot.ports.ChatEngine.stream`; with several servers entering waits for a token.

        Raises:
            EngineBusy: also (``queue_full``) as many requests as allowed are under way.
        """
        demand = judge_request(request, answer_tokens=self.settings.default_max_tokens)
        return self._serve(demand, lambda server: server.stream(request))

    def forward(self, body: JsonObject) -> AbstractAsyncContextManager[ForwardedStream]:
        """See `OpenAIEngine.forward`; errors and waiting are those of `stream`."""
        demand = judge_body(
            body,
            answer_tokens=self.settings.default_max_tokens,
            has_choice=len(self.replicas) > 1,
        )
        return self._serve(demand, lambda server: server.forward(body))

    async def forward_whole(self, body: JsonObject) -> ForwardedReply:
        """See `OpenAIEngine.forward_whole`."""
        async with self.forward(asking_usage(body)) as events:
            return await read_reply(events, max_bytes=self.settings.max_reply_bytes)

    def note(self, oddity: Oddity, **fields: object) -> None:
        """Count and log something strange."""
        self._counted[oddity] += 1
        structlog.get_logger(__name__).warning(
            "engine_oddity", engine=self.name, oddity=oddity, **fields
        )
        fallback = fields.get("fallback")
        current_span().note(
            oddity,
            {
                "zwrotnica.engine": self.name,
                "zwrotnica.fallback": fallback if isinstance(fallback, str) else None,
            },
        )
        if self._alarm is not None:
            self._alarm(self.name, oddity)

    def _serve(self, demand: Demand, open_stream: Open[S]) -> "_Placed[S]":
        """One stream, in one of the places; the router's few requests need none."""
        return _Placed(self, demand, open_stream)

    def take_place(self) -> None:
        """A request begins.

        Raises:
            EngineBusy: as many as allowed are under way.
        """
        if self._pace.running >= (self.settings.max_outstanding or float("inf")):
            raise EngineBusy(
                f"{self._pace.running} requests are under way at engine {self.name!r}, as many as "
                f"engines.{self.name}.max_outstanding allows",
                engine=self.name,
                code=ErrorCode.QUEUE_FULL,
                retry_after_s=self._pace.wait_s(),
            )
        self._pace.begin()

    def leave_place(self) -> None:
        """A request is over."""
        self._pace.end()

    async def begin(self, demand: Demand, open_stream: Open[S]) -> tuple[Service[S], S]:
        """A stream of the best server, or of the next ones as long as they fail to begin.

        Whoever gets the service leaves its block.
        """
        untried = list(self.replicas)
        failure: EngineError | None = None
        for _ in range(1 + self.settings.balance.retries):
            replica = self._choose(untried, demand)
            if replica is None:
                break
            if failure is not None:
                self.note("replica_changed", url=replica.replica.url)
            untried.remove(replica)
            service = replica.serve(demand, open_stream, waits=len(self.replicas) > 1)
            try:
                return service, await service.__aenter__()
            except (EngineUnavailable, EngineBusy) as error:
                failure = error
        raise failure or self._nobody()

    def _choose(self, untried: Sequence[Replica], demand: Demand) -> Replica | None:
        if len(self.replicas) == 1:  # its own breaker refuses
            return next(iter(untried), None)
        standings = [
            one.standing if one in untried else replace(one.standing, is_available=False)
            for one in self.replicas
        ]
        groups = self._policy.groups(sum(one.requests for one in standings))
        balance, pick = self.settings.balance, self._pick
        chosen = choose(standings, demand, balance=balance, pick=pick, groups=groups)
        return None if chosen is None else self.replicas[standings.index(chosen)]

    def _nobody(self) -> EngineError:
        """The error where every server is silent, drained or left alone."""
        waits = [
            self.settings.balance.probe_s if one.is_silent else one.rest_s
            for one in self.replicas
            if not one.is_drained
        ]
        return EngineUnavailable(
            f"none of the {len(self.replicas)} servers of engine {self.name!r} takes requests now",
            engine=self.name,
            retry_after_s=min(waits, default=None),
        )


class _Placed(AbstractAsyncContextManager[S]):
    """One stream of an engine, see `ReplicatedEngine._serve`."""

    __slots__ = ("_demand", "_engine", "_open_stream", "_service")
    _service: Service[S]

    def __init__(self, engine: ReplicatedEngine, demand: Demand, open_stream: Open[S]) -> None:
        self._engine = engine
        self._demand = demand
        self._open_stream = open_stream

    async def __aenter__(self) -> S:
        if not self._demand.is_routing:
            self._engine.take_place()
        try:
            self._service, stream = await self._engine.begin(self._demand, self._open_stream)
        except BaseException:
            self._leave()
            raise
        return stream

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        try:
            return await self._service.__aexit__(exc_type, exc, traceback)
        finally:
            self._leave()

    def _leave(self) -> None:
        if not self._demand.is_routing:
            self._engine.leave_place()
