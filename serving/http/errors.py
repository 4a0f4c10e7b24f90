"""The one place where errors become HTTP: status, OpenAI's error object, headers."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chatbot.errors import (
    ERROR_SHAPES,
    EngineError,
    ErrorCode,
    InvalidRequest,
    ZwrotnicaError,
)
from chatbot.events import ErrorEvent
from chatbot.sanitizer import guard_text

REQUEST_ID_HEADER: Final = "x-request-id"
RETRY_AFTER_S: Final = 1
LONGEST_RETRY_AFTER_S: Final = 3600
_NO_RETRY: Final = frozenset({
    ErrorCode.CONVERSATION_BUSY,
    ErrorCode.IN_PROGRESS,
    ErrorCode.ALREADY_DONE,
    ErrorCode.BUDGET_EXCEEDED,
})


class BodyTooLarge(InvalidRequest):
    """The request's body is larger than ``limits.body_bytes``."""

    def __init__(self, limit: int) -> None:
        """Name the limit, in bytes."""
        super().__init__(f"the body has more than {limit} bytes")


class BodyTooSlow(InvalidRequest):
    """The request's body did not arrive within ``limits.body_s``."""

    def __init__(self, limit_s: float) -> None:
        """Name the limit, in seconds."""
        super().__init__(f"the body did not arrive within {limit_s:g} s")


class HeadTooLarge(InvalidRequest):
    """The request's line and header fields are larger than ``limits.head_bytes``."""

    def __init__(self, limit: int) -> None:
        """Name the limit, in bytes."""
        super().__init__(f"the request's header fields have more than {limit} bytes")


class HeadTooSlow(InvalidRequest):
    """The request's header fields did not arrive within ``limits.head_s``."""

    def __init__(self, limit_s: float) -> None:
        """Name the limit, in seconds."""
        super().__init__(f"the request's header fields did not arrive within {limit_s:g} s")


class QueueFull(ZwrotnicaError):
    """As many turns as are allowed at once are running."""

    code = ErrorCode.QUEUE_FULL

    def __init__(self, message: str, *, retry_after_s: float) -> None:
        """Keep the seconds after which a place is likely."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Refusal(ZwrotnicaError):
    """What a server tells its client in its own words, which name nothing inside."""

    def __init__(
        self, message: str, *, code: ErrorCode, retry_after_s: float | None = None
    ) -> None:
        """Keep, where known, the seconds after which the same request may succeed."""
        super().__init__(message, code=code)
        self.retry_after_s = retry_after_s


_STATUSES: Final[Mapping[type[ZwrotnicaError], int]] = {
    BodyTooLarge: 413,
    BodyTooSlow: 408,
    HeadTooLarge: 431,
    HeadTooSlow: 408,
}
"""Of errors whose status is not that of their code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WireError:
    """An error as it leaves: HTTP status, the ``error`` object, further headers."""

    status: int
    error: Mapping[str, str | None]
    headers: Mapping[str, str]

    @property
    def code(self) -> str:
        """The stable code."""
        return self.error["code"] or ErrorCode.INTERNAL_ERROR

    def body(self) -> bytes:
        """The reply's whole JSON body."""
        return json.dumps({"error": self.error}, ensure_ascii=False).encode()

    def response(self) -> Response:
        """The whole reply; whoever sends it adds the request id's header."""
        return Response(self.body(), self.status, dict(self.headers), media_type="application/json")


def wire_error(error: ZwrotnicaError, request_id: str) -> WireError:
    """How ``error`` looks to a client.

    What went wrong inside (an engine, a bug) is told in general words: no address, no secret.
    """
    is_ours = isinstance(error, InvalidRequest | Refusal)
    return _build(
        code=error.code,
        status=_STATUSES.get(type(error), error.shape.status),
        message=error.message if is_ours else error.shape.text,
        param=error.param if isinstance(error, InvalidRequest) else None,
        request_id=request_id,
        retry_after_s=error.retry_after_s
        if isinstance(error, EngineError | QueueFull | Refusal)
        else None,
    )


def event_error(event: ErrorEvent) -> WireError:
    """The error of an ``error`` event, whose words the turn has already chosen."""
    return _build(
        code=event.code,
        status=ERROR_SHAPES[event.code].status,
        message=event.message,
        param=event.param,
        request_id=event.request_id,
        retry_after_s=event.retry_after_s,
    )


def http_error(error: HTTPException, request_id: str) -> WireError:
    """An error of the web framework: no such path, no such method."""
    is_missing = error.status_code == ERROR_SHAPES[ErrorCode.NOT_FOUND].status
    built = _build(
        code=ErrorCode.NOT_FOUND if is_missing else ErrorCode.INVALID_REQUEST,
        status=error.status_code,
        message=error.detail,
        request_id=request_id,
    )
    return WireError(
        status=built.status, error=built.error, headers={**built.headers, **(error.headers or {})}
    )


def internal_error(request_id: str) -> WireError:
    """What a client reads of a bug of ours."""
    return wire_error(ZwrotnicaError("a bug"), request_id)


def _build(
    *,
    code: ErrorCode,
    status: int,
    message: str,
    request_id: str,
    param: str | None = None,
    retry_after_s: float | None = None,
) -> WireError:
    """An error as it leaves; what it quotes of the request is guarded like any text."""
    shape = ERROR_SHAPES[code]
    headers: dict[str, str] = {}
    if code is ErrorCode.INVALID_API_KEY:
        headers["www-authenticate"] = "Bearer"  # RFC 9110, 11.6.1
    if code in _NO_RETRY:
        headers["x-should-retry"] = "false"
    elif shape.is_retryable:
        wait_s = RETRY_AFTER_S if retry_after_s is None else retry_after_s
        headers["retry-after"] = str(max(1, min(LONGEST_RETRY_AFTER_S, math.ceil(wait_s))))
    return WireError(
        status=status,
        error={
            "type": shape.type,
            "code": code.value,
            "message": guard_text(message),
            "param": None if param is None else guard_text(param),
            "request_id": request_id,
        },
        headers=headers,
    )


async def respond_to_error(request: Request, error: Exception) -> Response:
    """The exception handler of the application for every error that it raises on purpose."""
    request_id = str(request.scope.get("request_id", ""))
    match error:
        case ZwrotnicaError():
            wire = wire_error(error, request_id)
        case HTTPException():
            wire = http_error(error, request_id)
        case _:
            raise error
    request.scope["error_code"] = wire.code
    return wire.response()
