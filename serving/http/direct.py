"""uvicorn's HTTP, with a way to write a body under way straight to its socket."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from starlette.types import Scope
from uvicorn._types import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    Scope as UvicornScope,
)
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from serving.http.pipelining import Pipelined

DIRECT_BODY: Final = "zwrotnica.direct_body"
"""The extension of the ASGI scope under which a `DirectBody` stands."""

_KNOWS_CHUNKS: Final = "1.1"

Notice: TypeAlias = Callable[[], None]


class DirectProtocol(Pipelined):
    """One connection; every request on it finds its own `DirectBody` in its scope."""

    _on_room: Notice | None = None
    _on_left: Notice | None = None

    def on_headers_complete(self) -> None:
        """A request begins, here or behind those before it on the same connection."""
        super().on_headers_complete()
        if getattr(self.cycle, "scope", None) is self.scope:  # else it is an upgrade: no cycle
            extensions = {DIRECT_BODY: DirectBody(self, self.cycle)}
            self.scope["extensions"] = extensions

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        if cycle.scope["http_version"] < _KNOWS_CHUNKS:
            cycle.chunked_encoding = False
            app = partial(_answer_until_close, cycle, app)
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has left, or was cut."""
        super().connection_lost(exc)
        if self._on_left is not None:
            self._on_left()

    def call_when_left(self, notice: Notice | None) -> None:
        """Call ``notice`` when the connection is lost; at once, where it is closed already."""
        self._on_left = notice
        if notice is not None and self.transport.is_closing():
            notice()

    def call_when_there_is_room(self, notice: Notice | None) -> None:
        """Call ``notice`` whenever the client has read what was too much."""
        self._on_room = notice

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        if self._on_room is not None:
            self._on_room()


class DirectBody:
    """Writes the body of one response, once ASGI has sent its head and until ASGI ends it.

    ASGI costs a message, a chain of calls and a task that awaits; this costs a call. The response
    is ended through ASGI alone, which is how uvicorn learns of it.
    """

    __slots__ = ("_cycle", "_protocol", "touched")

    def __init__(self, protocol: DirectProtocol, cycle: RequestResponseCycle) -> None:
        """For the response of ``cycle``; ``touched`` is when it was last written to."""
        self._protocol = protocol
        self._cycle = cycle
        self.touched = 0.0

    @property
    def has_whole_request(self) -> bool:
        """Whether the request's body has arrived to its end."""
        return not self._cycle.more_body

    @property
    def is_open(self) -> bool:
        """Whether the head was sent, the body has no fixed length, and the client is there."""
        cycle = self._cycle
        return bool(
            cycle.response_started
            and cycle.chunked_encoding
            and not (cycle.response_complete or cycle.disconnected)
        )

    @property
    def is_full(self) -> bool:
        """Whether more than 64 kB wait for the client to read them."""
        return self._cycle.flow.write_paused

    def write(self, body: bytes) -> bool:
        """Send a piece of the body at once, as far as the client takes it; false: it `is_full`."""
        cycle = self._cycle
        if body and self.is_open:
            cycle.transport.write(b"%x\r\n%b\r\n" % (len(body), body))
        self.touched = time.monotonic()
        return not cycle.flow.write_paused

    def chunk_writer(self) -> Callable[[bytes], bool]:
        """What does the same for pieces in their frames of the chunked encoding (RFC 9112, 7.1).

        For a response that `is_open`.
        """
        cycle = self._cycle
        flow, write, now = cycle.flow, cycle.transport.write, time.monotonic

        def write_chunk(chunk: bytes) -> bool:
            if not (cycle.disconnected or cycle.response_complete):
                write(chunk)
            self.touched = now()
            return not flow.write_paused

        return write_chunk

    def call_when_left(self, notice: Notice | None) -> None:
        """Call ``notice`` when the client leaves, or has left; ``None``: nobody cares any more.

        Its whole request must have been read before. ``notice`` may be called twice.
        """
        self._protocol.call_when_left(notice)

    def call_when_there_is_room(self, notice: Notice | None) -> None:
        """Call ``notice`` when `is_full` turns false; ``None``: nobody waits for it any more."""
        self._protocol.call_when_there_is_room(notice)

    def abort(self) -> None:
        """Close the connection with all that the client has not read."""
        self._cycle.transport.abort()


async def _answer_until_close(
    cycle: RequestResponseCycle,
    app: ASGI3Application,
    scope: UvicornScope,
    receive: ASGIReceiveCallable,
    send: ASGISendCallable,
) -> None:
    """Have bodies end with their connection: there are no chunks before 1.1 (RFC 9112, 6.1)."""

    async def send_plain(message: ASGISendEvent) -> None:
        if message["type"] == "http.response.body":
            cycle.expected_content_length = len(message.get("body", b""))  # or uvicorn refuses it
        await send(message)

    await app(scope, receive, send_plain)


def direct_body_of(scope: Scope) -> DirectBody | None:
    """The direct way to the client of ``scope``, where the server has one."""
    extensions = scope.get("extensions")
    found = extensions.get(DIRECT_BODY) if isinstance(extensions, Mapping) else None
    return found if isinstance(found, DirectBody) else None


def has_whole_request(scope: Scope) -> bool:
    """Whether the request of ``scope`` has arrived to its end, as far as its server tells."""
    direct = direct_body_of(scope)
    return direct is not None and direct.has_whole_request
