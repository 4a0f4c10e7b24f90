"""What the tests of this folder ask the project's own engine adapter and router for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from engines.lessons import TAG
from engines.model_server import ModelServer

from chatbot.ports import ChatEngine
from chatbot.router import DIALECTS, Router, RouterLimits
from chatbot.types import ChatMessage, ChatRequest, Delta, Sampling, Usage
from serving.clock import SystemClock
from serving.engines.kinds import ENGINE_KINDS, EngineKind
from serving.engines.openai_api import OpenAIEngine

TAG_STRIPPED = replace(ENGINE_KINDS["vllm"], keeps_special_tokens=False)
PATIENT = RouterLimits(verdict_s=30.0, call_s=60.0)


@asynccontextmanager
async def connect(
    server: ModelServer, kind: EngineKind | None = None
) -> AsyncIterator[OpenAIEngine]:
    """The adapter on a running server; ``TAG_STRIPPED`` for one that cannot keep the tag."""
    async with OpenAIEngine(
        name="llama", settings=server.engine, kind=kind or server.kind, clock=SystemClock()
    ) as engine:
        yield engine


@asynccontextmanager
async def route(
    server: ModelServer, dialect: str = "llama3.1", kind: EngineKind | None = None
) -> AsyncIterator[Router]:
    """The router on a running server."""
    async with connect(server, kind) as engine:
        yield router_on(engine, server, dialect)


def router_on(engine: ChatEngine, server: ModelServer, dialect: str = "llama3.1") -> Router:
    """The router that asks ``engine``; the tag's id is the tiny vocabulary's own."""
    [tag_id] = server.tokens(TAG)
    return Router(
        engine=engine,
        dialect=replace(DIALECTS[dialect], tag_id=tag_id),
        clock=SystemClock(),
        limits=PATIENT,
    )


class CountedEngine:
    """Passes the streams of an engine on, and counts the tokens that their reader has taken."""

    def __init__(self, engine: ChatEngine) -> None:
        self._engine = engine
        self.taken = 0

    @property
    def name(self) -> str:
        return self._engine.name

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        async with self._engine.stream(replace(request, token_ids=True)) as deltas:
            yield _Counted(deltas, self)


class _Counted:
    """One stream of a `CountedEngine`."""

    def __init__(self, deltas: AsyncIterator[Delta], counted: CountedEngine) -> None:
        self._deltas = deltas
        self._counted = counted

    def __aiter__(self) -> "_Counted":
        return self

    async def __anext__(self) -> Delta:
        delta = await anext(self._deltas)
        self._counted.taken += len(delta.token_ids)
        return delta


def chat(prompt: str, *, max_tokens: int | None = None, stop: tuple[str, ...] = ()) -> ChatRequest:
    """A request without tools, at temperature 0."""
    return ChatRequest(
        messages=(ChatMessage(role="user", text=prompt),),
        sampling=Sampling(temperature=0.0, max_tokens=max_tokens, stop=stop),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """A whole streamed reply, put together."""

    text: str
    token_ids: tuple[int, ...]
    finish: str | None
    usage: Usage | None


async def read_all(engine: OpenAIEngine, request: ChatRequest) -> Reply:
    """Read a reply to its end."""
    deltas: list[Delta] = []
    async with engine.stream(request) as stream:
        deltas += [delta async for delta in stream]
    return Reply(
        text="".join(delta.text for delta in deltas),
        token_ids=tuple(token for delta in deltas for token in delta.token_ids),
        finish=next((delta.finish for delta in deltas if delta.finish), None),
        usage=next((delta.usage for delta in deltas if delta.usage), None),
    )
