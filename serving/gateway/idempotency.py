"""`Idempotency-Key`: the client's name for a request that it may send again.

The header is that of the IETF's draft-ietf-httpapi-idempotency-key-header, its key opaque.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Send

from chatbot.errors import InvalidRequest, ZwrotnicaError
from serving.billing import AlreadyDone, IdempotencyKey, Reservation, WholeReply
from serving.http.sse import HEARTBEAT

HEADER: Final = "Idempotency-Key"
LONGEST: Final = 128
REPLAYED: Final = "idempotent-replayed"
HEADER_SCHEMA: Final[Mapping[str, object]] = MappingProxyType({
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST,
    "pattern": "^[!-~]+$",
})
_NAME: Final = HEADER.lower().encode()
_KEY: Final = re.compile(rb"[!-~]{1,%d}" % LONGEST)
_OK: Final = 200


def read_key(request: Request, payload: bytes) -> IdempotencyKey | None:
    """The request's key, if it has one; ``payload`` and the path are what it stands for.

    Raises:
        InvalidRequest: the key is empty, too long, or not of visible ASCII, or there are two.
    """
    found = [value for name, value in request.scope["headers"] if name == _NAME]
    if not found:
        return None
    if len(found) > 1 or _KEY.fullmatch(found[0]) is None:
        raise InvalidRequest(
            f"{HEADER} is one header of 1 to {LONGEST} visible ASCII characters without spaces; "
            "a UUID is one",
            param=HEADER,
        )
    asked = str(request.scope["path"]).encode(errors="surrogatepass") + b"\0" + payload
    return IdempotencyKey(key=found[0].decode(), payload_hash=hashlib.sha256(asked).hexdigest())


def named(reserved: Reservation, key: IdempotencyKey | None) -> Reservation:
    """The reservation under the client's own name for it."""
    return reserved if key is None else replace(reserved, idempotency=key)


def tell_again(error: ZwrotnicaError) -> Response | None:
    """The kept reply to the same request, where ``error`` is that it was answered before."""
    if not isinstance(error, AlreadyDone) or error.reply is None:
        return None
    headers = {
        REPLAYED: "true",
        "cache-control": "no-store",
        "content-type": error.reply.media_type,
    }
    return Response(error.reply.body, headers=headers)


class Recording:
    """Hears what is sent to a client, up to ``limit`` bytes of body; comments are left out."""

    def __init__(self, send: Send, limit: int) -> None:
        """A longer reply passes and is not kept."""
        self._send = send
        self._limit = limit
        self._body = bytearray()
        self._media_type: str | None = None
        self._is_over = False
        self._has_ended = False

    async def send(self, message: Message) -> None:
        """Pass a message on; one that is not sent is not heard."""
        await self._send(message)
        if message["type"] == "http.response.start" and message["status"] == _OK:
            headers = {bytes(name).lower(): bytes(value) for name, value in message["headers"]}
            self._media_type = headers.get(b"content-type", b"").decode("latin-1")
        elif message["type"] == "http.response.body":
            self._take(message.get("body", b""))
            self._has_ended = not message.get("more_body", False)

    def _take(self, piece: bytes) -> None:
        if self._is_over or piece == HEARTBEAT:
            return
        self._body += piece
        if len(self._body) > self._limit:
            self._is_over = True
            self._body.clear()

    @property
    def whole(self) -> WholeReply | None:
        """The reply, where it was one, is at its end, and is not too long."""
        if self._is_over or not self._has_ended or not self._media_type:
            return None
        return WholeReply(media_type=self._media_type, body=bytes(self._body))
