"""uvicorn's HTTP with bounds for the head of a request: how large it is, how long it takes."""

import asyncio
import logging
import re
from itertools import chain
from typing import Final
from uuid import uuid4

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from chatbot.errors import InvalidRequest
from serving.http.crowding import refuse_crowd
from serving.http.errors import (
    REQUEST_ID_HEADER,
    HeadTooLarge,
    HeadTooSlow,
    WireError,
    wire_error,
)
from serving.settings import LimitsSettings

_log = logging.getLogger(__name__)

_LINGER_S: Final = 1.0
"""For a refused client to read why: closing while it still sends would reset what it was told."""
_NOT_HTTP: Final = "the request is not valid HTTP/1.1"
_UPGRADE: Final = b"\r\nupgrade:"
_OFFER: Final = re.compile(_UPGRADE, re.IGNORECASE)


class BoundedHead(HttpToolsProtocol):
    """One connection, closed where no head of a request arrives in time, or one that is too large.

    uvicorn's own limit begins with the end of the first response: whoever connects and says
    nothing, or a byte now and then, would be kept for ever.

    With slots: beyond 30 attributes Python gives each connection a dictionary of its own, 1.5 kB.
    """

    __slots__ = (
        "_asked",
        "_head_bytes",
        "_held",
        "_is_in_body",
        "_is_refused",
        "_limits",
        "_refusal",
        "_too_late",
    )

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limits: LimitsSettings | None = None,
    ) -> None:
        """``limits``: of the head's bytes and seconds; without them those of the defaults."""
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits or LimitsSettings()
        self._asked = self.app
        self._head_bytes = 0
        self._held = b""
        self._is_in_body = False
        self._too_late: asyncio.TimerHandle | None = None
        self._refusal: InvalidRequest | None = None
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Somebody has connected: the first head is due."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._expect_no_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; what belongs to no body is a head's or a trailer's, and is counted."""
        if self._is_refused:
            return
        self._head_bytes += len(data)
        super().data_received(data if self._is_in_body else self._without_upgrade(data))
        if not self._is_open():
            return
        if self._head_bytes > self._limits.head_bytes:
            self._refuse(HeadTooLarge(self._limits.head_bytes))
        elif self._is_answered():
            self._expect_head()

    def on_headers_complete(self) -> None:
        """A head is whole; what follows on the connection is counted anew."""
        self._expect_no_head()
        self._head_bytes = 0
        fields = sum(map(len, chain.from_iterable(self.headers)))
        if fields + len(self.url) > self._limits.head_bytes:
            self._refusal = HeadTooLarge(self._limits.head_bytes)
            raise self._refusal  # the parser stops and asks for `send_400_response`
        self._is_in_body = True
        is_crowded = len(self.connections) > self._limits.connections
        self.app = refuse_crowd if is_crowded else self._asked
        super().on_headers_complete()
        self.headers = []  # of the trailers, which are no fields of the request

    def on_body(self, body: bytes) -> None:
        """What was read belongs to a body."""
        self._head_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request has wholly arrived."""
        self._is_in_body = False
        self._head_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (uvicorn's words)
        """Say in our own form what is wrong with a request that cannot be read, and close."""
        self._refuse(self._refusal or InvalidRequest(_NOT_HTTP))

    def _without_upgrade(self, data: bytes) -> bytes:
        """What is read of a head, where another protocol is offered under a name of no meaning.

        We speak no other and may ignore the offer (RFC 9110, 7.8), which Java's client makes with
        every request; the parser would take the body for the other protocol's.
        """
        data, self._held = self._held + data, b""
        head, end, rest = data.partition(b"\r\n\r\n")
        at = head.rfind(b"\r")
        if not end and at >= 0 and _UPGRADE.startswith(head[at:].lower()):
            head, self._held = head[:at], head[at:]
        if _UPGRADE in head.lower():
            head = _OFFER.sub(b"\r\nx-grade:", head)
        return head + end + rest

    def _is_open(self) -> bool:
        return not (self._is_refused or self.transport.is_closing())

    def _is_answered(self) -> bool:
        return bool(getattr(self.cycle, "response_complete", True))  # before the first it is None

    def _expect_head(self) -> None:
        if self._too_late is None:
            self._too_late = self.loop.call_later(self._limits.head_s, self._give_up)

    def _expect_no_head(self) -> None:
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def _give_up(self) -> None:
        """The time is over: tell a client that has begun a head, leave any other."""
        self._too_late = None
        if not (self._is_open() and self._is_answered()):
            return
        if self._head_bytes and not self._is_in_body:
            self._refuse(HeadTooSlow(self._limits.head_s))
        else:
            self.transport.close()

    def _take_back(self) -> bool:
        """Have nobody answer the request that is arriving; false: it is too late for that.

        Its answer has begun, or it is here and what came behind it cannot be read.
        """
        cycle = self.cycle
        if self.pipeline or cycle.response_started or not cycle.more_body:
            return False
        cycle.disconnected = True
        cycle.message_event.set()
        return True

    def _refuse(self, error: InvalidRequest) -> None:
        """Tell what is wrong, hear nothing more, and close soon after."""
        self._expect_no_head()
        self._is_refused = True
        if not self._is_answered() and not self._take_back():
            self.transport.close()
            return
        request_id = uuid4().hex
        wire = wire_error(error, request_id)
        _log.info("head_refused", extra={"request_id": request_id, "status": wire.status})
        self.transport.write(_as_bytes(wire, request_id))
        self.transport.write_eof()
        self.loop.call_later(_LINGER_S, self.transport.close)


def _as_bytes(wire: WireError, request_id: str) -> bytes:
    body = wire.body()
    head = (
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n"
        f"{REQUEST_ID_HEADER}: {request_id}\r\n\r\n"
    )
    return STATUS_LINE[wire.status] + head.encode() + body
