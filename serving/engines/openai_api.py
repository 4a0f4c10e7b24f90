"""A chat engine behind any server that speaks OpenAI's chat completions."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

from chatbot.errors import EngineUnavailable
from chatbot.ports import Clock
from chatbot.types import ChatRequest, JsonObject, JsonValue
from serving.engines.address import JSON, Address
from serving.engines.body import (
    asking_usage,
    build_body,
    encode,
    rebuild_body,
    wants_usage_chunk,
)
from serving.engines.breaker import Breaker
from serving.engines.connection import Alarm, Connection, silence
from serving.engines.events import read_object
from serving.engines.failures import TRANSPORT_ERRORS, Oddity, UnfitReply, read_unfit
from serving.engines.forward import ForwardedReply, ForwardedStream, read_reply
from serving.engines.kinds import EngineKind
from serving.engines.reading import StreamLimits
from serving.engines.reply import UnreadReply, read_whole
from serving.engines.stream import ChunkStream, DeltaStream
from serving.settings import EngineSettings
from serving.telemetry import Asked, EngineCall, EngineWatch

S = TypeVar("S")

CHAT_PATH = "/chat/completions"
MODELS_PATH = "/models"

_ABSURD_FACTOR = 16
_LIST_BYTES = 1_048_576


class OpenAIEngine:
    """Implements `chatbot.ports.ChatEngine`; an async context manager that owns its sockets."""

    def __init__(
        self,
        *,
        name: str,
        settings: EngineSettings,
        kind: EngineKind,
        clock: Clock,
        alarm: Alarm | None = None,
        watch: EngineWatch | None = None,
        breaker: Breaker | None = None,
        has_others: bool = False,
    ) -> None:
        """Nothing is opened before the context is entered.

        ``alarm`` hears of every oddity, ``watch`` of every request. ``breaker`` is one that is
        shared; for ``has_others`` see `serving.engines.address.Address`.
        """
        self.kind = kind
        self._name = name
        self._settings = settings
        key = settings.api_key
        self._connection = Connection(
            engine=name,
            address=Address(
                url=settings.url or "",
                api_key=key.get_secret_value() if key is not None else None,
                connect_s=settings.connect_s,
                busy_wait_s=settings.busy_wait_s,
                max_connections=settings.max_connections,
                failures_allowed=settings.failures_allowed,
                rest_s=settings.rest_s,
                is_external=kind.is_external,
                has_others=has_others,
            ),
            clock=clock,
            alarm=alarm,
            watch=watch,
            breaker=breaker,
        )
        self._limits = StreamLimits(
            idle_s=settings.idle_s,
            max_event_bytes=settings.max_event_bytes,
            largest_usage=_ABSURD_FACTOR * settings.context_tokens,
        )

    @property
    def name(self) -> str:
        """The engine's configured name."""
        return self._name

    @property
    def model(self) -> str | None:
        """The model's name as the server knows it; ``None``: the server's only one."""
        return self._settings.model

    @property
    def breaker(self) -> Breaker:
        """Decides when it is left alone."""
        return self._connection.breaker

    @property
    def oddities(self) -> Mapping[Oddity, int]:
        """How often each strange thing has happened."""
        return Counter(self._connection.oddities)

    async def __aenter__(self) -> Self:
        """Make the client; connections open as requests need them."""
        await self._connection.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection."""
        await self._connection.__aexit__(exc_type, exc, traceback)

    def stream(self, request: ChatRequest) -> AbstractAsyncContextManager[DeltaStream]:
        """See `chatbot.ports.ChatEngine.stream`; entering waits for the reply's headers."""
        body = build_body(
            request,
            kind=self.kind,
            model=self._settings.model,
            max_tokens=self._settings.default_max_tokens,
        )
        return self._open(body, DeltaStream)

    def forward(self, body: JsonObject) -> AbstractAsyncContextManager[ForwardedStream]:
        """Send a client's own chat completion on, streamed; give its events as bytes.

        Only the fields that the engine's kind takes are sent, under the engine's own model name.
        Errors and limits are those of `stream`; leaving the context aborts the generation.
        """
        shows_usage = wants_usage_chunk(body)
        make = partial(ForwardedStream, engine=self.name, shows_usage=shows_usage)
        return self._open(self._rebuild(body), make)

    async def forward_whole(self, body: JsonObject) -> ForwardedReply:
        """Send a client's own chat completion on and give its whole reply.

        The engine is asked to stream all the same, so that silence is noticed within the limits
        of a token and a client that leaves ends the generation.
        """
        async with self.forward(asking_usage(body)) as events:
            return await read_reply(events, max_bytes=self._settings.max_reply_bytes)

    async def list_models(self) -> tuple[str, ...]:
        """The names of the models that the server says it serves.

        Raises:
            EngineError: it cannot be reached or its list cannot be read.
        """
        deadline = asyncio.get_running_loop().time() + self._settings.first_token_s
        reply = await self._connection.open(MODELS_PATH, None, deadline=deadline, accept=JSON)
        try:
            async with asyncio.timeout_at(deadline):
                listed = read_object(await read_whole(reply, max_bytes=_LIST_BYTES))
        except UnfitReply as error:
            raise read_unfit(str(error), engine=self.name).error from error
        except TRANSPORT_ERRORS as error:
            raise silence(self.name).error from error
        finally:
            await reply.aclose()
        models = (listed or {}).get("data")
        if not isinstance(models, list):
            raise EngineUnavailable(f"engine {self.name!r} lists no models", engine=self.name)
        return tuple(
            model["id"]
            for model in models
            if isinstance(model, dict) and isinstance(model.get("id"), str)
        )

    def _rebuild(self, body: JsonObject) -> JsonObject:
        return rebuild_body(body, kind=self.kind, model=self._settings.model)

    def _asked(self, body: JsonObject) -> Asked:
        return Asked(
            operation="chat",
            provider=self._settings.kind,
            url=self._settings.url or "",
            model=self._settings.model,
            parameters=body,
        )

    def _open(self, body: JsonObject, make: Callable[[ChunkStream], S]) -> "_Generation[S]":
        return _Generation(
            self._connection,
            self._asked(body),
            body=body,
            first_token_s=self._settings.first_token_s,
            limits=_of_choices(self._limits, body.get("n")),
            make=make,
        )


def _of_choices(limits: StreamLimits, number: JsonValue) -> StreamLimits:
    if isinstance(number, int) and number > 1:
        return replace(limits, choices=number)
    return limits


class _Generation(AbstractAsyncContextManager[S]):
    """One generation: begun as the block is entered, aborted where it is left before its end.

    A class and no generator of `contextlib`, which would cost each request some microseconds.
    """

    __slots__ = (
        "_asked",
        "_body",
        "_call",
        "_chunks",
        "_connection",
        "_first_token_s",
        "_limits",
        "_make",
        "_reply",
    )
    _call: EngineCall
    _chunks: ChunkStream
    _reply: UnreadReply

    def __init__(
        self,
        connection: Connection,
        asked: Asked,
        *,
        body: JsonObject,
        first_token_s: float,
        limits: StreamLimits,
        make: Callable[[ChunkStream], S],
    ) -> None:
        self._connection = connection
        self._asked = asked
        self._body = body
        self._first_token_s = first_token_s
        self._limits = limits
        self._make = make

    async def __aenter__(self) -> S:
        connection = self._connection
        deadline = asyncio.get_running_loop().time() + self._first_token_s
        self._call = call = connection.watch.call(connection.engine, self._asked)
        call.__enter__()
        try:
            with call.sending():
                body = encode(self._body)
                self._reply = await connection.open_stream(CHAT_PATH, body, deadline=deadline)
        except BaseException as error:
            call.__exit__(type(error), error, error.__traceback__)
            raise
        self._chunks = ChunkStream(
            self._reply,
            connection=connection,
            deadline=deadline,
            limits=self._limits,
            on_begin=call.hear,
        )
        return self._make(self._chunks)

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        call, chunks = self._call, self._chunks
        call.usage, call.received = chunks.usage, chunks.received
        call.is_finished = chunks.is_over
        try:
            await self._reply.aclose()
        finally:
            call.__exit__(exc_type, exc, traceback)
