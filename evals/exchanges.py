"""Listens at the port of chat engines: what was asked for a case, what came, and when."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Literal, TypeAlias

from anyio.lowlevel import checkpoint

from chatbot.errors import (
    EngineBusy,
    EngineError,
    EngineLost,
    EngineTimeout,
    EngineUnavailable,
    InvalidRequest,
    ZwrotnicaError,
)
from chatbot.ports import ChatEngine
from chatbot.types import ChatRequest, Delta
from evals.cases import Case
from evals.writing import plain

End: TypeAlias = Literal["finished", "left", "timeout"]
"""The engine ended it, the reader left it, or the reader's time limit did."""

_FAILURES: Mapping[str, type[EngineError]] = MappingProxyType({
    one.__name__: one for one in (EngineBusy, EngineLost, EngineTimeout, EngineUnavailable)
})


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """An error of an engine: its class, its words, and the seconds it asks to wait."""

    error: str
    message: str
    retry_after_s: float | None = None

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later; what is too slow for a turn is a result."""
        return self.error in _FAILURES and self.error != EngineTimeout.__name__


@dataclass(kw_only=True, slots=True)
class Exchange:
    """One request to an engine with the deltas that came, in milliseconds after the request.

    ``is_routing``: it asked for a verdict, not for words.
    """

    request: str
    engine: str
    is_routing: bool = True
    deltas: list[tuple[float, Delta]] = field(default_factory=list)
    end: End | Failure = "left"


@dataclass(kw_only=True, slots=True)
class Trace:
    """The exchanges of one case; ``playing`` are played back in place of an engine's.

    ``unknown`` counts requests that are not among those.
    """

    case: Case
    playing: Sequence[Exchange] | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    unknown: int = 0
    played: set[int] = field(default_factory=set)

    @property
    def failure(self) -> Failure | None:
        """The first error that may pass, if there was one."""
        failures = (one.end for one in self.exchanges if isinstance(one.end, Failure))
        return next((failure for failure in failures if failure.may_pass), None)

    @property
    def refusal(self) -> Failure | None:
        """The first error but a timeout: one that may pass, or a request that is refused."""
        failures = (one.end for one in self.exchanges if isinstance(one.end, Failure))
        late = EngineTimeout.__name__
        return next((failure for failure in failures if failure.error != late), None)

    def find(self, request: str) -> Exchange | None:
        """The next exchange of this request that has not been played yet."""
        for number, exchange in enumerate(self.playing or ()):
            if exchange.request == request and number not in self.played:
                self.played.add(number)
                return exchange
        self.unknown += 1
        return None


_current: ContextVar[Trace | None] = ContextVar("trace", default=None)


@contextmanager
def following(case: Case, *, playing: Sequence[Exchange] | None = None) -> Iterator[Trace]:
    """Everything asked inside the block, also by its tasks and threads, is for ``case``."""
    trace = Trace(case=case, playing=playing)
    token = _current.set(trace)
    try:
        yield trace
    finally:
        _current.reset(token)


def current_trace() -> Trace | None:
    """What is asked for the case that is being decided here, if one is."""
    return _current.get()


def request_key(request: ChatRequest) -> str:
    """A hash of everything in a request that a model can see."""
    seen = {
        "messages": [[message.role, message.text] for message in request.messages],
        "sampling": asdict(request.sampling),
        "tools": [[one.name, one.description, plain(one.parameters)] for one in request.tools],
        "keep_special_tokens": request.keep_special_tokens,
    }
    return sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:32]


class TracedEngine:
    """A `ChatEngine` before another: keeps what it says, or plays what it said."""

    def __init__(
        self, engine: ChatEngine, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Stand before ``engine``; outside `following` it is only passed on."""
        self._engine = engine
        self._monotonic = monotonic

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._engine.name

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        """Open one generation, or play it back."""
        trace = _current.get()
        if trace is None:
            async with self._engine.stream(request) as deltas:
                yield deltas
            return
        exchange = Exchange(
            request=request_key(request),
            engine=self.name,
            is_routing=request.keep_special_tokens,  # the router alone wants to see them
        )
        trace.exchanges.append(exchange)
        if trace.playing is not None:
            yield _play(self._find(trace, exchange))
            return
        listening = _Listening(exchange, self._monotonic)
        with listening.noting():
            async with self._engine.stream(request) as deltas:
                listening.deltas = deltas
                yield listening

    def _find(self, trace: Trace, exchange: Exchange) -> Exchange:
        """What to play.

        Raises:
            EngineError: the exchange had failed before its first delta, or none was recorded.
        """
        found = trace.find(exchange.request)
        if found is None:
            message = f"engine {self.name!r} was not asked this when it was recorded"
            raise EngineUnavailable(message, engine=self.name)
        exchange.deltas, exchange.end = found.deltas, found.end
        if not found.deltas:
            _raise(found)
        return found


class _Listening:
    """Iterates over an engine's deltas and notes each with its time."""

    def __init__(self, exchange: Exchange, monotonic: Callable[[], float]) -> None:
        self._exchange = exchange
        self._monotonic = monotonic
        self._started = monotonic()
        self.deltas: AsyncIterator[Delta] | None = None

    def __aiter__(self) -> AsyncIterator[Delta]:
        return self

    async def __anext__(self) -> Delta:
        if self.deltas is None:
            raise StopAsyncIteration
        with self.noting():
            delta = await anext(self.deltas)
        at_ms = round(1000 * (self._monotonic() - self._started), 3)
        self._exchange.deltas.append((at_ms, delta))
        return delta

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note how the exchange ends, where it ends inside the block."""
        try:
            yield
        except StopAsyncIteration:
            self._exchange.end = "finished"
            raise
        except asyncio.CancelledError:
            self._exchange.end = "timeout"
            raise
        except ZwrotnicaError as error:
            self._exchange.end = _describe(error)
            raise


def _describe(error: ZwrotnicaError) -> Failure:
    wait_s = error.retry_after_s if isinstance(error, EngineError) else None
    return Failure(error=type(error).__name__, message=error.message, retry_after_s=wait_s)


async def _play(exchange: Exchange) -> AsyncIterator[Delta]:
    for _, delta in exchange.deltas:
        await checkpoint()
        yield delta
    _raise(exchange)


def _raise(exchange: Exchange) -> None:
    """The error that ended ``exchange``, if one did.

    Raises:
        TimeoutError: the reader's time was over; what it had read by then counts.
        ZwrotnicaError: the engine's own.
    """
    match exchange.end:
        case Failure(error=name, message=message, retry_after_s=wait_s):
            kind = _FAILURES.get(name)
            if kind is None:
                raise InvalidRequest(message)
            raise kind(message, engine=exchange.engine, retry_after_s=wait_s)
        case "timeout":
            raise TimeoutError
        case _:
            return
