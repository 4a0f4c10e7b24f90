"""uvicorn with our limits, which drains what it serves before it stops."""

import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from types import FrameType
from typing import Final, Protocol

import anyio
import uvicorn
from fastapi import FastAPI

from serving.http.binding import listen_at
from serving.http.direct import DirectProtocol
from serving.http.reachability import watch_clients
from serving.settings import LimitsSettings

_log = logging.getLogger(__name__)

_FORCED_S: Final = 1


class Drainable(Protocol):
    """What is brought to its end when the server stops: turns, or pictures."""

    @property
    def turns(self) -> int:
        """How many run now."""
        ...

    async def drain(self, limit_s: float) -> None:
        """Refuse new ones, give the running ones ``limit_s`` seconds, then end the rest."""
        ...


def configure(app: FastAPI, *, host: str, port: int, limits: LimitsSettings) -> uvicorn.Config:
    """Uvicorn's configuration for any HTTP process of ours."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",
        http=partial(DirectProtocol, limits=limits),  # type: ignore[arg-type]  # called as a class is
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        timeout_keep_alive=limits.keep_alive_s,
        timeout_graceful_shutdown=_FORCED_S,
    )


def ignore_address(url: str) -> None:
    """Tell nobody."""


class DrainingServer(uvicorn.Server):
    """On the first signal: no new turn, the running ones get ``drain_s``, then exit code 0.

    On the second signal it stops at once. While draining, the port stays open, so that clients get
    a clear 503 and load balancers see ``/readyz`` turn.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        admission: Drainable,
        limits: LimitsSettings,
        announce: Callable[[str], None] = ignore_address,
    ) -> None:
        """Take uvicorn's configuration and what it shall drain, within ``limits``.

        ``announce`` is told the address once requests are taken.
        """
        super().__init__(config)
        self._announce = announce
        self.admission = admission
        self._drain_s = limits.drain_s
        self._unreachable_s = limits.unreachable_s
        self._is_asked = False

    @property
    def url(self) -> str:
        """Where it listens, once it does; a port 0 of the settings has become a real one."""
        host, port, *_ = self.servers[0].sockets[0].getsockname()
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 (uvicorn's)
        """Note the signal; the main loop does the rest. Nothing is raised again at the end."""
        if self._is_asked:
            self.end_now()
        self.ask_to_end()

    def ask_to_end(self) -> None:
        """Drain, as on a first signal; may be called from any thread, and again."""
        self._is_asked = True

    def end_now(self) -> None:
        """Stop at once, as on a second signal; may be called from any thread."""
        self.force_exit = True
        self.should_exit = True

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve on ``sockets``, else at the address of the configuration, until told to stop.

        Raises:
            SettingsError: somebody else has the address, or it cannot be had.
        """
        sockets = sockets or listen_at(self.config.host, self.config.port)
        with ExitStack() as stack:
            for one in sockets:
                stack.enter_context(one)
            await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; connections inherit how clients are watched."""
        await super().startup(sockets)
        for listening in (one for server in self.servers for one in server.sockets):
            watch_clients(listening, within_s=self._unreachable_s)

    async def main_loop(self) -> None:
        """Serve until a signal, then drain; requests are served all the while."""
        self._announce(self.url)
        async with anyio.create_task_group() as group:
            group.start_soon(self._drain_when_asked)
            await super().main_loop()
            group.cancel_scope.cancel()

    async def _drain_when_asked(self) -> None:
        while not self._is_asked:  # noqa: ASYNC110 (set by a signal handler, which wakes nobody)
            await anyio.sleep(0.05)
        fields = {"turns": self.admission.turns, "seconds": self._drain_s}
        _log.info("draining", extra=fields)
        await self.admission.drain(self._drain_s)
        self.should_exit = True
