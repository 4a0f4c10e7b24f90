"""An engine with others that answer in its place where it cannot begin."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TypeAlias, TypeVar

from chatbot.errors import EngineBusy, EngineError, EngineUnavailable
from chatbot.types import ChatRequest, JsonObject
from serving.engines.body import asking_usage
from serving.engines.failures import Oddity
from serving.engines.forward import ForwardedReply, ForwardedStream, read_reply
from serving.engines.replicas.replica import Beginning, Replica
from serving.engines.replicas.replicated import ReplicatedEngine
from serving.engines.stream import DeltaStream
from serving.settings import EngineSettings

S = TypeVar("S", bound=Beginning)
Open = Callable[[ReplicatedEngine], AbstractAsyncContextManager[S]]


class FallbackEngine:
    """Implements `chatbot.ports.ChatEngine` under the first engine's name.

    The next one is asked only before a first token. Its answer says whose it is: a first `Delta`
    with its name, and ``engine`` of the forwarded stream or reply.
    """

    def __init__(self, first: ReplicatedEngine, others: Sequence[ReplicatedEngine]) -> None:
        """``others`` in the order in which they are asked; who opened them closes them."""
        self.first = first
        self._engines = (first, *others)

    @property
    def name(self) -> str:
        """The configured name of the engine that is asked first."""
        return self.first.name

    @property
    def settings(self) -> EngineSettings:
        """Those of the engine that is asked first."""
        return self.first.settings

    @property
    def replicas(self) -> Sequence[Replica]:
        """The servers of the engine that is asked first."""
        return self.first.replicas

    @property
    def oddities(self) -> Mapping[Oddity, int]:
        """See `ReplicatedEngine.oddities`."""
        return self.first.oddities

    def note(self, oddity: Oddity, **fields: object) -> None:
        """See `ReplicatedEngine.note`."""
        self.first.note(oddity, **fields)

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[DeltaStream]:
        """See `chatbot.ports.ChatEngine.stream`; entering waits for the first token."""
        async with AsyncExitStack() as stack:
            engine, deltas = await self._begin(stack, lambda one: one.stream(request))
            if engine is not self.first:
                await deltas.begin(engine=engine.name)
            yield deltas

    @asynccontextmanager
    async def forward(self, body: JsonObject) -> AsyncIterator[ForwardedStream]:
        """See `serving.engines.openai_api.OpenAIEngine.forward`."""
        async with AsyncExitStack() as stack:
            _, events = await self._begin(stack, lambda one: one.forward(body))
            yield events

    async def forward_whole(self, body: JsonObject) -> ForwardedReply:
        """See `serving.engines.openai_api.OpenAIEngine.forward_whole`."""
        async with self.forward(asking_usage(body)) as events:
            return await read_reply(events, max_bytes=self.settings.max_reply_bytes)

    async def _begin(
        self, stack: AsyncExitStack, open_stream: Open[S]
    ) -> tuple[ReplicatedEngine, S]:
        """The first engine that begins, and its stream; else the failure of the one asked for."""
        failures: list[EngineError] = []
        for engine in self._engines:
            try:
                stream = await stack.enter_async_context(_begun(open_stream(engine)))
            except (EngineUnavailable, EngineBusy) as error:
                failures.append(error)
                continue
            if failures:
                self.note("fallback_used", fallback=engine.name)
            return engine, stream
        raise failures[0]


ServedEngine: TypeAlias = ReplicatedEngine | FallbackEngine


def add_fallbacks(engines: Mapping[str, ReplicatedEngine]) -> dict[str, ServedEngine]:
    """Each engine under its name, with those in front of it that its settings name."""
    return {
        name: FallbackEngine(engine, [engines[one] for one in engine.settings.fallback])
        if engine.settings.fallback
        else engine
        for name, engine in engines.items()
    }


@asynccontextmanager
async def _begun(opening: AbstractAsyncContextManager[S]) -> AsyncIterator[S]:
    async with opening as stream:
        await stream.begin()
        yield stream
