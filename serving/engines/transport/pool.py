"""The connections to one server: opened as needed, kept for the next request, bounded."""

import asyncio
import socket
from collections.abc import Mapping
from typing import Final

from serving.engines.transport.channel import Channel
from serving.engines.transport.errors import ClosedEarly, ConnectFailed, ConnectTimedOut, NoneFree
from serving.engines.transport.origin import NO_HEADERS, Origin
from serving.engines.transport.reply import Reply

KEPT_S: Final = 4.0
"""For how long an unused connection is kept: less than the 5 s after which uvicorn closes it."""
RECEIVE_BYTES: Final = 65_536
"""Asked of the kernel for what waits to be read; it takes twice as much, overhead included.

One read takes all that waits, so this is how far back-pressure can overshoot.
"""
_LEFT_S: Final = 0.05
"""Before a deadline: whoever gets a connection later is not answered in time any more."""


class Pool:
    """Sends requests to one server; more than ``max_connections`` wait for their turn.

    The last connection that became free is used first, so that in quiet times the others can end.
    """

    def __init__(self, origin: Origin, *, connect_s: float, max_connections: int) -> None:
        """Nothing is opened before the first request; ``connect_s`` bounds each opening."""
        self._origin = origin
        self._connect_s = connect_s
        self._slots = asyncio.Semaphore(max_connections)
        self._busy: set[Channel] = set()
        self._free: list[Channel] = []
        self._sweeping: asyncio.TimerHandle | None = None

    async def post(
        self,
        path: str,
        body: bytes,
        *,
        accept: str,
        deadline: float,
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> Reply:
        """Send JSON; give the reply once its head has come. Whoever gets it closes it.

        A reply that never comes ends with the caller's own limit, at ``deadline`` in the event
        loop's time; what waits for a connection ends a little earlier.

        Raises:
            ConnectFailed, ConnectTimedOut, ClosedEarly, NoHttp: there is no reply.
            NoneFree: nothing was sent.
        """
        request = self._origin.post(path, body, accept=accept, headers=headers)
        channel = await self._take(deadline)
        reply = channel.begin(request, asyncio.get_running_loop())
        try:
            await reply.wait_for_head()
        except BaseException as error:
            await reply.aclose()
            if isinstance(error, ClosedEarly):
                self._close_free()  # they are as stale as this one: a retry wants a fresh one
            raise
        return reply

    def close(self) -> None:
        """Close every connection, those in use as well."""
        self._close_free()
        for channel in tuple(self._busy):
            channel.abort()

    async def _take(self, deadline: float) -> Channel:
        latest = deadline - _LEFT_S if self._slots.locked() else None
        try:
            async with asyncio.timeout_at(latest):
                await self._slots.acquire()
        except TimeoutError as error:
            raise NoneFree("every connection was in use") from error
        try:
            self._close_old()
            channel = self._free.pop() if self._free else await self._connect()
        except BaseException:
            self._slots.release()
            raise
        self._busy.add(channel)
        return channel

    async def _connect(self) -> Channel:
        origin = self._origin
        try:
            async with asyncio.timeout(self._connect_s):
                transport, channel = await asyncio.get_running_loop().create_connection(
                    self._make_channel, origin.host, origin.port, ssl=origin.tls
                )
        except TimeoutError as error:
            raise ConnectTimedOut("the connection was not opened in time") from error
        except OSError as error:
            raise ConnectFailed("the connection cannot be opened") from error
        opened: socket.socket = transport.get_extra_info("socket")
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        return channel

    def _make_channel(self) -> Channel:
        return Channel(on_free=self._keep, on_lost=self._forget)

    def _keep(self, channel: Channel) -> None:
        loop = asyncio.get_running_loop()
        self._forget(channel)
        channel.free_since = loop.time()
        self._free.append(channel)
        if self._sweeping is None:
            self._sweeping = loop.call_later(KEPT_S, self._sweep)

    def _forget(self, channel: Channel) -> None:
        if channel in self._busy:
            self._busy.remove(channel)
            self._slots.release()
        elif channel in self._free:
            self._free.remove(channel)

    def _sweep(self) -> None:
        self._sweeping = None
        self._close_old()
        if self._free:
            loop = asyncio.get_running_loop()
            self._sweeping = loop.call_at(self._free[0].free_since + KEPT_S, self._sweep)

    def _close_old(self) -> None:
        oldest = asyncio.get_running_loop().time() - KEPT_S
        while self._free and self._free[0].free_since <= oldest:
            self._free.pop(0).abort()

    def _close_free(self) -> None:
        while self._free:
            self._free.pop().abort()
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None
