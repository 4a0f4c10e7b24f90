"""The HTTP server: uvicorn with the gateway's limits, which drains before it stops."""

import ipaddress
import logging
from collections.abc import Callable
from types import FrameType
from typing import Final

import anyio
import uvicorn
from fastapi import FastAPI

from serving.app import create_app
from serving.gateway.admission import Admission
from serving.settings import Settings, SettingsError

_log = logging.getLogger(__name__)

_FORCED_S: Final = 1


def check_binding(settings: Settings) -> None:
    """Refuse an address that others can reach: there are no keys yet that would keep them out.

    Raises:
        SettingsError: ``host`` is not a loopback address.
    """
    if settings.host == "localhost":
        return
    try:
        is_loopback = ipaddress.ip_address(settings.host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise SettingsError(
            f"host {settings.host!r} can be reached by others and no keys are configured: "
            "use 127.0.0.1, ::1 or localhost"
        )


class DrainingServer(uvicorn.Server):
    """On the first signal: no new turn, the running ones get ``drain_s``, then exit code 0.

    On the second signal it stops at once. While draining, the port stays open, so that clients get
    a clear 503 and load balancers see ``/readyz`` turn.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        admission: Admission,
        drain_s: float,
        announce: Callable[[str], None],
    ) -> None:
        """Take uvicorn's configuration and what it shall drain, in at most ``drain_s`` seconds.

        ``announce`` is told the address once requests are taken.
        """
        super().__init__(config)
        self._announce = announce
        self.admission = admission
        self._drain_s = drain_s
        self._is_asked = False

    @property
    def url(self) -> str:
        """Where it listens, once it does; a port 0 of the settings has become a real one."""
        host, port, *_ = self.servers[0].sockets[0].getsockname()
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 (uvicorn's)
        """Note the signal; the main loop does the rest. Nothing is raised again at the end."""
        if self._is_asked:
            self.force_exit = True
            self.should_exit = True
        self._is_asked = True

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


def ignore_address(url: str) -> None:
    """Tell nobody."""


def build_server(
    settings: Settings,
    app: FastAPI | None = None,
    *,
    announce: Callable[[str], None] = ignore_address,
) -> DrainingServer:
    """The server of ``settings``, not started.

    Raises:
        SettingsError: the address may not be used.
    """
    check_binding(settings)
    app = app or create_app(settings)
    limits = settings.limits
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        limit_concurrency=limits.connections,
        timeout_keep_alive=limits.keep_alive_s,
        timeout_graceful_shutdown=_FORCED_S,
    )
    return DrainingServer(
        config, admission=app.state.admission, drain_s=limits.drain_s, announce=announce
    )
