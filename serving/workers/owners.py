"""Brings each request about a conversation to the worker that makes the conversation's answers.

An answer that is being made lives in one process: only there can it be stopped, read on, or found
busy. So every conversation belongs to one worker, by a hash of its id, and the others hand its
requests on.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Protocol, Self
from zlib import crc32

from starlette.types import ASGIApp, Receive, Scope, Send

from chatbot.errors import ErrorCode, ZwrotnicaError
from serving.http.errors import wire_error
from serving.http.exchange import Asgi, UpstreamUnavailable
from serving.http.proxy import Proxy
from serving.settings import LimitsSettings
from serving.telemetry import current_span

_TRACE: Final = (b"traceparent", b"tracestate")
_CONVERSATION: Final = re.compile(r"/api/conversations/([^/]+)(?:/messages(?:/.*)?)?")


class Peers(Protocol):
    """Where the workers are."""

    @property
    def number(self) -> int:
        """Which of them this process is, from 0."""
        ...

    @property
    def peers(self) -> Sequence[str | None]:
        """Where each takes the others' requests, while it does."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class _Route:
    """Under what requests that another worker answers are counted and logged here."""

    path: str = "(another worker)"


class ConversationOwners:
    """An async context manager around an application; see `wrap`."""

    def __init__(self, peers: Peers, limits: LimitsSettings) -> None:
        """``limits`` bound what is handed on, as what is answered here."""
        self._peers = peers
        self._proxy = Proxy(limits)
        self._app: ASGIApp | None = None

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """``app`` with requests for other workers' conversations handed on."""
        self._app = app
        return self

    async def __aenter__(self) -> Self:
        """Be ready to hand on."""
        await self._proxy.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection to other workers."""
        await self._proxy.__aexit__(kind, error, trace)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer here, or have the conversation's worker answer."""
        if self._app is None:
            raise RuntimeError("there is no application to be wrapped")
        owner = self._owner(scope)
        if owner is None or owner == self._peers.number:
            await self._app(scope, receive, send)
            return
        scope["route"] = _Route()
        try:
            await self._hand_on(Asgi(scope=scope, receive=receive, send=send), owner)
        except UpstreamUnavailable:
            error = ZwrotnicaError(
                "the worker of this conversation is started again",
                code=ErrorCode.SERVER_DRAINING,
            )
            wire = wire_error(error, scope["request_id"])
            scope["error_code"] = wire.code
            await wire.response()(scope, receive, send)

    async def _hand_on(self, asgi: Asgi, owner: int) -> None:
        address = self._peers.peers[owner]
        if address is None:
            raise UpstreamUnavailable("the worker is not ready")
        target = asgi.scope["raw_path"].decode("ascii")
        if query := asgi.scope["query_string"].decode("ascii"):
            target = f"{target}?{query}"
        await self._proxy.forward(_traced(asgi), address=address, target=target)

    def _owner(self, scope: Scope) -> int | None:
        """The number of the worker that a request belongs to; ``None``: any."""
        if scope["type"] != "http":
            return None
        found = _CONVERSATION.fullmatch(scope["path"])
        return crc32(found[1].encode()) % len(self._peers.peers) if found else None


def _traced(asgi: Asgi) -> Asgi:
    """The request as part of the trace that is made of it here."""
    traced = current_span().headers
    if not traced:
        return asgi
    kept = [(name, value) for name, value in asgi.scope["headers"] if name not in _TRACE]
    own = [(name.encode(), value.encode()) for name, value in traced.items()]
    return replace(asgi, scope={**asgi.scope, "headers": kept + own})
