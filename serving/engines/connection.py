"""The way to one model server: sends a request within limits, retries and the breaker."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Self, TypeAlias

import structlog

from chatbot.errors import EngineBusy, EngineTimeout, EngineUnavailable
from chatbot.ports import Clock
from serving.engines.address import EVENT_STREAM, JSON, Address, Media
from serving.engines.breaker import Breaker
from serving.engines.client import Client
from serving.engines.failures import (
    DEFAULT_BACKOFF_S,
    TRANSPORT_ERRORS,
    Failure,
    Oddity,
    Refusal,
    UnfitReply,
    read_broken_connection,
    read_refusal,
    read_unfit,
)
from serving.engines.reply import UnreadReply, check_reply
from serving.engines.transport.errors import NoneFree
from serving.engines.transport.origin import Origin
from serving.engines.transport.pool import Pool
from serving.settings import SettingsError
from serving.telemetry import EngineWatch, current_span

Alarm: TypeAlias = Callable[[str, Oddity], None]
"""Told of every oddity: the engine's name and what it was."""

_Send: TypeAlias = Callable[[], Awaitable[UnreadReply]]

_BUSY_RETRIES = 3


class Connection:
    """Keeps connections to one server; an async context manager.

    ``oddities`` counts what was strange although, or because, an answer went on.
    """

    def __init__(
        self,
        *,
        engine: str,
        address: Address,
        clock: Clock,
        alarm: Alarm | None = None,
        watch: EngineWatch | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        """Nothing is opened before the context is entered; ``breaker``: one shared with others."""
        self.engine = engine
        self.watch = watch or EngineWatch()
        self.watch.know(engine)
        self.oddities: Counter[Oddity] = Counter()
        self.breaker = breaker or Breaker(
            clock=clock,
            threshold=address.failures_allowed,
            pause_s=address.rest_s,
            on_change=partial(self.watch.turn_breaker, engine),
        )
        self._address = address
        self._clock = clock
        self._alarm = alarm
        self._stack = AsyncExitStack()
        self._client = Client(address)
        self._pool: Pool | None = None

    async def __aenter__(self) -> Self:
        """Be ready; connections open as requests need them.

        Raises:
            SettingsError: its address or key cannot be used.
        """
        address = self._address
        await self._stack.enter_async_context(self._client)
        if not address.is_external:
            self._pool = Pool(
                self._origin(),
                connect_s=address.connect_s,
                max_connections=address.max_connections,
            )
            self._stack.callback(self._pool.close)
        return self

    def _origin(self) -> Origin:
        try:
            return Origin.at(self._address.url, api_key=self._address.api_key)
        except ValueError as error:
            raise SettingsError(f"engine {self.engine!r}: {error}") from error

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection."""
        await self._stack.aclose()

    async def open(
        self, path: str, body: bytes | None, *, deadline: float, accept: Media = JSON
    ) -> UnreadReply:
        """Send ``body`` (``None``: a GET) and return the successful reply, its body yet unread.

        ``deadline`` is in the event loop's time. A 5xx status or a connection closed before the
        reply is tried once more; a 429 as long as the waits together stay within ``busy_wait_s``.
        Whoever gets the reply closes it.

        Raises:
            EngineUnavailable, EngineTimeout, EngineBusy, InvalidRequest: see `ChatEngine.stream`.
        """
        headers = self._trace()
        return await self._insist(
            lambda: self._client.send(path, body, accept=accept, headers=headers),
            deadline=deadline,
        )

    async def open_stream(self, path: str, body: bytes, *, deadline: float) -> UnreadReply:
        """As `open`, for a reply of events: by our own transport, unless the server is outside."""
        if self._pool is None:
            return await self.open(path, body, deadline=deadline, accept=EVENT_STREAM)
        pool, headers = self._pool, self._trace()

        async def post() -> UnreadReply:
            reply = await pool.post(
                path, body, accept=EVENT_STREAM[0], deadline=deadline, headers=headers
            )
            try:
                await check_reply(reply, accept=EVENT_STREAM)
            except BaseException:
                await reply.aclose()
                raise
            return reply

        return await self._insist(post, deadline=deadline)

    def _trace(self) -> Mapping[str, str]:
        """What tells a server of ours to which trace its work belongs; others learn nothing."""
        return {} if self._address.is_external else current_span().headers

    def record(self, failure: Failure) -> None:
        """Count a failed request for the breaker and, where it is odd, for the operator."""
        if failure.oddity is not None:
            self.note(failure.oddity)
        if not failure.is_the_engines:
            self.breaker.succeed()
        elif self.breaker.fail():
            self.note("breaker_opened")

    def note(self, oddity: Oddity, *, times: int = 1) -> None:
        """Count and log something strange."""
        self.oddities[oddity] += times
        structlog.get_logger(__name__).warning(
            "engine_oddity", engine=self.engine, oddity=oddity, times=times
        )
        current_span().note("engine_oddity", {"zwrotnica.oddity": oddity})
        if self._alarm is not None:
            self._alarm(self.engine, oddity)

    async def _insist(self, send: _Send, *, deadline: float) -> UnreadReply:
        if (wait_s := self.breaker.admit()) > 0:
            message = f"engine {self.engine!r} failed repeatedly and is left alone for a moment"
            raise EngineUnavailable(message, engine=self.engine, retry_after_s=wait_s)
        patience = _Patience(wait_s=self._address.busy_wait_s)
        while True:
            outcome = await self._try(send, deadline=deadline)
            if not isinstance(outcome, Failure):
                return outcome
            is_final = self._address.has_others and isinstance(outcome.cause, Refusal)
            pause = None if is_final else patience.spend(outcome)
            if pause is None or asyncio.get_running_loop().time() + pause >= deadline:
                self.record(outcome)
                raise outcome.error from outcome.cause
            current_span().note("retry", {"error.type": outcome.error.code.value})
            await asyncio.sleep(pause)

    async def _try(self, send: _Send, *, deadline: float) -> UnreadReply | Failure:
        limit = asyncio.timeout_at(deadline)
        try:
            async with limit:
                return await send()
        except Refusal as refusal:
            failure = read_refusal(refusal, engine=self.engine, now=self._clock.now())
            return failure.caused_by(refusal)
        except UnfitReply as error:
            return read_unfit(str(error), engine=self.engine).caused_by(error)
        except NoneFree as error:  # of our own making: no failure that the breaker should hear of
            raise EngineBusy(
                f"all connections to engine {self.engine!r} are in use",
                engine=self.engine,
                retry_after_s=DEFAULT_BACKOFF_S,
            ) from error
        except TRANSPORT_ERRORS as error:
            if limit.expired():
                return silence(self.engine).caused_by(error)
            failure = read_broken_connection(error, engine=self.engine, has_begun=False)
            return failure.caused_by(error)


@dataclass(kw_only=True, slots=True)
class _Patience:
    """How often and how long one request is tried again."""

    wait_s: float
    quick_retries: int = 1
    busy_retries: int = _BUSY_RETRIES

    def spend(self, failure: Failure) -> float | None:
        """Seconds to wait before the next try, or ``None`` where there shall be none."""
        pause = failure.retry_in_s
        if pause is None:
            return None
        if isinstance(failure.error, EngineBusy):
            self.busy_retries -= 1
            is_allowed = self.busy_retries >= 0
        else:
            self.quick_retries -= 1
            is_allowed = self.quick_retries >= 0
        self.wait_s -= pause
        return pause if is_allowed and self.wait_s >= 0 else None


def silence(engine: str) -> Failure:
    """The failure of an engine that let a limit pass."""
    return Failure(
        error=EngineTimeout(f"engine {engine!r} gave no token within its limit", engine=engine)
    )
