"""What an engine's refusals and broken connections mean, as errors of the domain."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias

import aiohttp
import httpx2
import openai

from chatbot.errors import (
    ContentRefused,
    EngineBusy,
    EngineError,
    EngineLost,
    EngineUnavailable,
    ErrorCode,
    InvalidRequest,
    ZwrotnicaError,
)
from serving.engines.events import read_object
from serving.engines.transport.errors import ClosedEarly, ConnectFailed, ConnectTimedOut

Oddity: TypeAlias = Literal[
    "absurd_usage",
    "address_rejected",
    "breaker_opened",
    "credentials_rejected",
    "fallback_used",
    "malformed_event",
    "no_done",
    "no_finish",
    "replica_changed",
    "replica_silent",
    "unknown_finish",
]
"""What is counted and logged although, or because, the answer went on."""

DEFAULT_BACKOFF_S = 1.0
QUICK_RETRY_S = 0.05

TRANSPORT_ERRORS = (
    openai.APIError,
    httpx2.HTTPError,
    httpx2.StreamError,
    aiohttp.ClientError,
    OSError,
    EOFError,
)
"""Everything that the client and the transports below it raise when a connection fails."""

_UNREACHED = (ConnectFailed, aiohttp.ClientConnectorError)
_UNREACHED_IN_TIME = (ConnectTimedOut, aiohttp.ServerTimeoutError)
_CLOSED = (ClosedEarly, aiohttp.ClientConnectionError)
_MESSAGE_CHARS = 300
_TOO_LONG = re.compile(
    r"context[_ ](length|size|window)|maximum context|max_model_len|longer than the (model|maximum)"
    r"|max_new_tokens. must be|too long for|too many tokens",
    re.IGNORECASE,
)
_QUEUE_FULL = "queue_full"
_REFUSED_CONTENT = frozenset({
    "content_filter",
    "content_policy_violation",
    "moderation_blocked",
})
"""Codes by which OpenAI, and providers that speak its protocol, refuse what was asked for."""
_UNSAFE = re.compile(r"\w+://\S+|(?i:bearer|sk-)\S*|Traceback.*", re.DOTALL)


class Refusal(Exception):
    """The server answered with a status that is no success; ``body`` is its bounded beginning."""

    def __init__(self, *, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Keep what the server said."""
        super().__init__(f"status {status}")
        self.status = status
        self.headers = headers
        self.body = body


class UnfitReply(Exception):
    """The server answered with something that is not of the protocol."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """One failed try: the error it means, and seconds after which a further try may help."""

    error: ZwrotnicaError
    retry_in_s: float | None = None
    oddity: Oddity | None = None
    cause: BaseException | None = None

    @property
    def is_the_engines(self) -> bool:
        """Whether the engine itself failed, rather than the request or its queue."""
        return isinstance(self.error, EngineError) and not isinstance(self.error, EngineBusy)

    def caused_by(self, cause: BaseException) -> "Failure":
        """The same failure with what it was read from."""
        return replace(self, cause=cause)


def read_refusal(refusal: Refusal, *, engine: str, now: datetime) -> Failure:
    """What a status other than success means; ``now`` is aware UTC, for dates in Retry-After."""
    status = refusal.status
    wait_s = read_retry_after(refusal.headers.get("retry-after"), now=now)
    said = read_object(refusal.body) or {}
    if status == 429 or _code_of(said) == _QUEUE_FULL:  # noqa: PLR2004 - statuses are best read as numbers
        return _busy(engine, wait_s, is_full=_code_of(said) == _QUEUE_FULL)
    if status in {400, 413, 422}:
        return Failure(error=_read_bad_request(said, engine=engine))
    if status >= 500:  # noqa: PLR2004 - as above
        error = EngineUnavailable(
            f"engine {engine!r} answered with status {status}",
            engine=engine,
            retry_after_s=wait_s,
        )
        return Failure(error=error, retry_in_s=max(wait_s or 0.0, QUICK_RETRY_S))
    error = EngineUnavailable(
        f"engine {engine!r} answered with status {status}: its address, model name or key in the "
        "settings is not right",
        engine=engine,
        code=ErrorCode.ENGINE_LOST,
    )
    is_credentials = status in {401, 403}
    return Failure(
        error=error, oddity="credentials_rejected" if is_credentials else "address_rejected"
    )


def read_retry_after(value: str | None, *, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for; ``None`` where it is missing or senseless."""
    if value is None:
        return None
    if re.fullmatch(r"\d{1,9}", value.strip(), re.ASCII):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # no date, or one of a year beyond all
        return None
    if moment.tzinfo is None:
        return None
    seconds = (moment - now).total_seconds()
    return seconds if seconds >= 0 else None


def read_broken_connection(error: BaseException, *, engine: str, has_begun: bool) -> Failure:
    """What an exception of the transport means; ``has_begun``: some of the answer had arrived."""
    if has_begun:
        return Failure(error=EngineLost(f"engine {engine!r} broke off its answer", engine=engine))
    causes = tuple(walk_causes(error))
    message = f"engine {engine!r} ended its reply before the first token"
    if any(isinstance(cause, (EOFError, httpx2.ReadError)) for cause in causes):
        return Failure(error=EngineUnavailable(message, engine=engine))
    if any(isinstance(cause, _UNREACHED) for cause in causes):
        message = f"engine {engine!r} cannot be reached"
    elif any(isinstance(cause, _UNREACHED_IN_TIME) for cause in causes):
        message = f"engine {engine!r} cannot be reached in time"
    elif any(isinstance(cause, _CLOSED) for cause in causes):
        return Failure(
            error=EngineUnavailable(f"engine {engine!r} closed the connection", engine=engine),
            retry_in_s=QUICK_RETRY_S,
        )
    else:
        return read_unfit("a reply that is no HTTP", engine=engine)
    return Failure(error=EngineUnavailable(message, engine=engine, retry_after_s=1.0))


def read_unfit(reason: str, *, engine: str) -> Failure:
    """What a reply outside the protocol means."""
    return Failure(
        error=EngineUnavailable(
            f"engine {engine!r} gave {reason}: is it a server of the configured kind?",
            engine=engine,
            code=ErrorCode.ENGINE_LOST,
        )
    )


def read_error_event(error: object, *, engine: str, has_begun: bool) -> Failure:
    """What an ``error`` object inside a stream means."""
    said = {"error": error}
    if not has_begun and _code_of(said) == _QUEUE_FULL:
        return _busy(engine, None, is_full=True)
    if _code_of(said) in _REFUSED_CONTENT:
        return Failure(error=_refused_content(said, engine=engine))
    text = _message_of(said)
    if not has_begun and _TOO_LONG.search(text):
        return Failure(error=_too_long(engine))
    if has_begun:
        return Failure(error=EngineLost(f"engine {engine!r} failed in its answer", engine=engine))
    return Failure(
        error=EngineUnavailable(f"engine {engine!r} failed before its answer", engine=engine)
    )


def walk_causes(error: BaseException) -> Iterator[BaseException]:
    """The error and everything it was raised from."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _busy(engine: str, wait_s: float | None, *, is_full: bool) -> Failure:
    error = EngineBusy(
        f"engine {engine!r} asks to come back later",
        engine=engine,
        code=ErrorCode.QUEUE_FULL if is_full else ErrorCode.RATE_LIMIT_EXCEEDED,
        retry_after_s=wait_s if wait_s is not None else DEFAULT_BACKOFF_S,
    )
    return Failure(error=error, retry_in_s=max(error.retry_after_s or 0.0, QUICK_RETRY_S))


def _read_bad_request(said: Mapping[str, object], *, engine: str) -> InvalidRequest:
    if _code_of(said) in _REFUSED_CONTENT:
        return _refused_content(said, engine=engine)
    text = _message_of(said)
    if _TOO_LONG.search(text):
        return _too_long(engine)
    return InvalidRequest(f"engine {engine!r} refuses the request: {_reason(text)}")


def _refused_content(said: Mapping[str, object], *, engine: str) -> ContentRefused:
    reason = _reason(_message_of(said))
    return ContentRefused(f"engine {engine!r} refuses what was asked for: {reason}")


def _reason(text: str) -> str:
    """The server's own words without addresses, keys and tracebacks."""
    return _UNSAFE.sub("…", text)[:_MESSAGE_CHARS] or "no reason given"


def _too_long(engine: str) -> InvalidRequest:
    return InvalidRequest(
        f"the conversation is longer than engine {engine!r} can read: shorten it or start anew",
        param="messages",
        code=ErrorCode.CONTEXT_LENGTH_EXCEEDED,
    )


def _code_of(reply: Mapping[str, object]) -> str:
    error = reply.get("error", reply)
    return str(error.get("code", "")) if isinstance(error, Mapping) else ""


def _message_of(reply: Mapping[str, object]) -> str:
    error = reply.get("error", reply)
    if isinstance(error, Mapping):
        return " ".join(str(error.get(key, "")) for key in ("message", "detail", "code", "type"))
    return str(error)
