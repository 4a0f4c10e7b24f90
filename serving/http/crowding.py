"""Answers whoever comes when more clients are connected than ``limits.connections``."""

import logging
from uuid import uuid4

from starlette.types import Receive, Scope, Send

from serving.http.errors import REQUEST_ID_HEADER, RETRY_AFTER_S, QueueFull, wire_error

_log = logging.getLogger(__name__)


async def refuse_crowd(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application that is asked in place of the real one; it reads nothing."""
    request_id = uuid4().hex
    error = QueueFull("too many clients are connected", retry_after_s=RETRY_AFTER_S)
    wire = wire_error(error, request_id)
    _log.warning("client_refused", extra={"request_id": request_id, "status": wire.status})
    response = wire.response()
    response.headers[REQUEST_ID_HEADER] = request_id
    response.headers["connection"] = "close"
    await response(scope, receive, send)
