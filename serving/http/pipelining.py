"""Requests that a client sends behind the one being answered: bounded, and read on all the while.

uvicorn stops reading while one waits, so that nobody would notice its client leaving.
"""

import asyncio
from typing import Final

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.server import ServerState

from serving.http.heads import BoundedHead
from serving.settings import LimitsSettings

_PIECE_BYTES: Final = 8_192
"""Parsed at once: a request takes eighteen bytes at least, and 2 kB of ours as soon as parsed."""


class Pipelined(BoundedHead):
    """One connection; what follows a request that waits is kept unparsed until its turn.

    A client that sends more ahead than a head and a body may have is cut: not to read it on would
    be not to notice that it leaves.
    """

    __slots__ = ("_ahead", "_answered", "_most_ahead")

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limits: LimitsSettings | None = None,
    ) -> None:
        """As `BoundedHead`; ``limits`` are of the body's bytes as well."""
        super().__init__(config, server_state, app_state, _loop, limits=limits)
        self._most_ahead = self._limits.head_bytes + self._limits.body_bytes
        self._ahead = bytearray()
        self._answered: RequestResponseCycle | None = None

    def data_received(self, data: bytes) -> None:
        """Read up to a request that has to wait, and keep the rest."""
        parsed = 0
        while parsed < len(data) and not (self.pipeline or self._ahead):
            super().data_received(data[parsed : parsed + _PIECE_BYTES])
            parsed += _PIECE_BYTES
        if self.pipeline or self._ahead:
            self._keep(data[parsed:])

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request being answered; uvicorn tells the last that has come."""
        self._ahead.clear()
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """The next that waits has its turn; behind the last of them more is parsed."""
        super().on_response_complete()
        if self._ahead and not self.pipeline:
            self.loop.call_soon(self._read_ahead)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _keep(self, data: bytes) -> None:
        self._ahead += data
        if len(self._ahead) > self._most_ahead:
            self.transport.close()
        else:
            self.flow.resume_reading()

    def _read_ahead(self) -> None:
        if not self.transport.is_closing():
            data = bytes(self._ahead)
            self._ahead.clear()
            self.data_received(data)
