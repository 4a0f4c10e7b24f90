"""The way to one model server: sends a request within limits, retries and the breaker."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeAlias

import httpx2
import openai
import structlog
from anyio import CancelScope

from chatbot.errors import EngineBusy, EngineTimeout, EngineUnavailable
from chatbot.ports import Clock
from serving.engines.breaker import Breaker
from serving.engines.failures import (
    TRANSPORT_ERRORS,
    Failure,
    Oddity,
    Refusal,
    UnfitReply,
    read_broken_connection,
    read_refusal,
    read_unfit,
)

Alarm: TypeAlias = Callable[[str, Oddity], None]
"""Told of every oddity: the engine's name and what it was."""

Media: TypeAlias = tuple[str, ...]
"""Media types that a reply may have."""
EVENT_STREAM: Media = ("text/event-stream",)
JSON: Media = ("application/json",)

_UNREAD: bool = True
"""The client is told to leave every body unread: we read it ourselves, bounded."""
_REFUSAL_BYTES = 65_536
_REFUSAL_S = 2.0
_BUSY_RETRIES = 3
_SHOWN_CHARS = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Where a server is and how it is reached; times in seconds."""

    url: str
    api_key: str | None = None
    connect_s: float = 3.0
    busy_wait_s: float = 5.0
    max_connections: int = 256
    failures_allowed: int = 5
    rest_s: float = 5.0
    is_external: bool = False


class Connection:
    """Keeps connections to one server; an async context manager.

    ``oddities`` counts what was strange although, or because, an answer went on.
    """

    def __init__(
        self, *, engine: str, address: Address, clock: Clock, alarm: Alarm | None = None
    ) -> None:
        """Nothing is opened before the context is entered."""
        self.engine = engine
        self.oddities: Counter[Oddity] = Counter()
        self.breaker = Breaker(
            clock=clock, threshold=address.failures_allowed, pause_s=address.rest_s
        )
        self._address = address
        self._clock = clock
        self._alarm = alarm
        self._stack = AsyncExitStack()
        self._client: openai.AsyncOpenAI | None = None

    async def __aenter__(self) -> Self:
        """Make the client; connections open as requests need them."""
        address = self._address
        transport = openai.DefaultAioHttpClient(
            limits=httpx2.Limits(max_connections=address.max_connections, keepalive_expiry=15.0),
            follow_redirects=False,
            trust_env=address.is_external,
            event_hooks={"response": [_check_reply]},
        )
        client = openai.AsyncOpenAI(
            base_url=address.url,
            api_key=address.api_key or "none",
            max_retries=0,
            http_client=transport,
            timeout=httpx2.Timeout(None, connect=address.connect_s),
        )
        client.organization = client.project = None  # the environment's are not this server's
        self._client = await self._stack.enter_async_context(client)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close every connection."""
        self._client = None
        await self._stack.aclose()

    async def open(
        self, path: str, body: bytes | None, *, deadline: float, accept: Media = JSON
    ) -> httpx2.Response:
        """Send ``body`` (``None``: a GET) and return the successful reply, its body yet unread.

        ``deadline`` is in the event loop's time. A 5xx status or a connection closed before the
        reply is tried once more; a 429 as long as the waits together stay within ``busy_wait_s``.
        Whoever gets the reply closes it with `close_reply`.

        Raises:
            EngineUnavailable, EngineTimeout, EngineBusy, InvalidRequest: see `ChatEngine.stream`.
        """
        if (wait_s := self.breaker.admit()) > 0:
            message = f"engine {self.engine!r} failed repeatedly and is left alone for a moment"
            raise EngineUnavailable(message, engine=self.engine, retry_after_s=wait_s)
        patience = _Patience(wait_s=self._address.busy_wait_s)
        while True:
            outcome = await self._try(path, body, deadline=deadline, accept=accept)
            if isinstance(outcome, httpx2.Response):
                return outcome
            pause = patience.spend(outcome)
            if pause is None or asyncio.get_running_loop().time() + pause >= deadline:
                self.record(outcome)
                raise outcome.error from outcome.cause
            await asyncio.sleep(pause)

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
        if self._alarm is not None:
            self._alarm(self.engine, oddity)

    async def _try(
        self, path: str, body: bytes | None, *, deadline: float, accept: Media
    ) -> httpx2.Response | Failure:
        limit = asyncio.timeout_at(deadline)
        try:
            async with limit:
                return await self._send(path, body, accept=accept)
        except Refusal as refusal:
            failure = read_refusal(refusal, engine=self.engine, now=self._clock.now())
            return failure.caused_by(refusal)
        except UnfitReply as error:
            return read_unfit(str(error), engine=self.engine).caused_by(error)
        except TRANSPORT_ERRORS as error:
            if limit.expired():
                return silence(self.engine).caused_by(error)
            failure = read_broken_connection(error, engine=self.engine, has_begun=False)
            return failure.caused_by(error)

    async def _send(self, path: str, body: bytes | None, *, accept: Media) -> httpx2.Response:
        if self._client is None:
            raise RuntimeError("the connection is used outside its context")
        headers = {"Accept": ", ".join(accept), "Accept-Encoding": "identity"}
        if body is None:
            reply = await self._client.get(
                path, cast_to=httpx2.Response, options={"headers": headers}, stream=_UNREAD
            )
        else:
            reply = await self._client.post(
                path,
                cast_to=httpx2.Response,
                content=body,
                options={"headers": {**headers, "Content-Type": JSON[0]}},
                stream=_UNREAD,
            )
        if not isinstance(reply, httpx2.Response):
            raise UnfitReply("no HTTP reply")
        return reply


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


async def read_whole(reply: httpx2.Response, *, max_bytes: int) -> bytes:
    """The reply's body as it was sent, never decompressed.

    Raises:
        UnfitReply: it is longer than ``max_bytes``.
    """
    body = bytearray()
    async for piece in reply.aiter_raw():
        body += piece
        if len(body) > max_bytes:
            raise UnfitReply(f"a reply of more than {max_bytes} bytes")
    return bytes(body)


async def close_reply(reply: httpx2.Response) -> None:
    """Close the reply, even while being cancelled; one not read to its end loses its socket."""
    with CancelScope(shield=True), suppress(*TRANSPORT_ERRORS):
        await reply.aclose()


async def _check_reply(reply: httpx2.Response) -> None:
    if reply.status_code != httpx2.codes.OK:
        body = b""
        with suppress(*TRANSPORT_ERRORS, UnfitReply):
            async with asyncio.timeout(_REFUSAL_S):
                body = await read_whole(reply, max_bytes=_REFUSAL_BYTES)
        raise Refusal(status=reply.status_code, headers=reply.headers, body=body)
    encoding = reply.headers.get("content-encoding", "identity")
    if encoding.strip().lower() != "identity":
        raise UnfitReply(f"a reply in the encoding {encoding[:_SHOWN_CHARS]!r}")
    found = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    wanted = reply.request.headers["accept"]
    if found not in wanted.split(", "):
        raise UnfitReply(f"{found[:_SHOWN_CHARS]!r} in place of {wanted!r}")
