"""The outermost layer: gives each request an id, its log line and its figures, and ends bugs."""

import logging
import re
import time
from collections.abc import Callable, Mapping
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars, unbind_contextvars

from serving.http.bugs import log_bug
from serving.http.errors import REQUEST_ID_HEADER, internal_error
from serving.http.sse import EVENT_STREAM
from serving.http.tracing import CLIENT_LEFT, begin_request, end_request
from serving.telemetry import AccessLog, HttpMetrics, Tracer, timing, working_on
from serving.telemetry.lines import make_record

_log = logging.getLogger(__name__)

_CLIENT_ID: Final = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_UNKNOWN: Final = "unknown"
_PLAIN_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
KEY_ID: Final = "zwrotnica.key_id"
"""Where in the ASGI scope the public id of the caller's key stands, for the log."""
ACCOUNT: Final = "zwrotnica.account"
"""Where the id of the caller's account stands, for the access log."""
HEADERS: Final = "zwrotnica.headers"
"""Where in it headers stand that the reply shall have, whatever it is."""


class RequestScope:
    """ASGI middleware; a client's own ``x-request-id`` is kept where it is short and plain."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        metrics: HttpMetrics,
        new_id: Callable[[], str],
        tracer: Tracer | None = None,
        access: AccessLog | None = None,
    ) -> None:
        """Wrap ``app``; ``tracer`` follows each request, ``access`` keeps it, where there are."""
        self._access = access
        self._tracer = tracer
        self._app = app
        self._metrics = metrics
        self._new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; other kinds of connection pass."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        reply = _Reply(send, scope, self._request_id(scope))
        scope["request_id"] = reply.request_id
        span = begin_request(self._tracer, scope)
        reply.names = _names(reply.request_id, span.trace_id)
        try:
            with timing(), working_on(span):
                bind_contextvars(**reply.names)
                await self._app(scope, receive, reply.send)
        except ClientDisconnect:
            scope["error_code"] = CLIENT_LEFT
            self._metrics.abandoned.inc()
        except Exception as error:  # noqa: BLE001 (the outermost edge of a request)
            scope["error_code"] = "internal_error"
            log_bug(_log, "request_failed", error, **reply.names)
            await reply.fail(scope, receive)
        finally:
            unbind_contextvars(*reply.names)
            self._tell(scope, reply, time.monotonic() - began)
            route = getattr(scope.get("route"), "path", _UNKNOWN)
            end_request(span, scope, route=route, status=reply.status)

    def _request_id(self, scope: Scope) -> str:
        for name, value in scope["headers"]:
            if name == REQUEST_ID_HEADER.encode() and _CLIENT_ID.fullmatch(value):
                return str(value.decode())
        return self._new_id()

    def _tell(self, scope: Scope, reply: "_Reply", seconds: float) -> None:
        route = getattr(scope.get("route"), "path", _UNKNOWN)
        self._metrics.requests.labels(route, str(reply.status or "none")).inc()
        self._metrics.request_seconds.labels(route).observe(seconds)
        code = scope.get("error_code")
        if code is not None:
            self._metrics.errors.labels(code).inc()
        fields = {
            **reply.names,
            "method": scope["method"],
            "route": route,
            "status": reply.status,
            "error": code,
            "key": scope.get(KEY_ID),
            "ms": round(seconds * 1000),
        }
        if self._access is not None:
            client = scope.get("client")
            told = {**fields, "account": scope.get(ACCOUNT)}
            self._access.add(
                {name: value for name, value in told.items() if value is not None},
                client=client[0] if client else None,
            )
        if _log.isEnabledFor(logging.INFO):
            _log.handle(make_record(_log.name, "request", fields))


def _names(request_id: str, trace_id: str | None) -> dict[str, str]:
    """What a request goes by on every line of the log."""
    return {"request_id": request_id} | ({"trace_id": trace_id} if trace_id else {})


class _Reply:
    """Watches what is sent, adding the headers that every reply has."""

    def __init__(self, send: Send, scope: Scope, request_id: str) -> None:
        self._send = send
        self._scope = scope
        self._is_stream = False
        self._has_ended = False
        self.request_id = request_id
        self.names: Mapping[str, str] = {}
        self.status: int | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", ()), *_PLAIN_HEADERS]
            self._is_stream = any(value.startswith(EVENT_STREAM.encode()) for _, value in headers)
            headers.extend(self._scope.get(HEADERS, ()))
            headers.append((REQUEST_ID_HEADER.encode(), self.request_id.encode()))
            message = {**message, "headers": headers}
        elif not message.get("more_body", False):
            self._has_ended = True
        await self._send(message)

    async def fail(self, scope: Scope, receive: Receive) -> None:
        """Tell the client of a bug of ours in whatever form is still possible."""
        error = internal_error(self.request_id)
        if self.status is None:
            await error.response()(scope, receive, self.send)
        elif self._is_stream and not self._has_ended:
            event = b"data: " + error.body() + b"\n\n"
            await self.send({"type": "http.response.body", "body": event, "more_body": False})
