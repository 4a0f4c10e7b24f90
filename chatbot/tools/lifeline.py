"""The sockets of one call, held so that a deadline can cut them from another thread."""

import socket
from threading import Lock
from typing import Any

import requests
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.response import BaseHTTPResponse
from urllib3.util import Timeout

from chatbot.ports import Clock


class Lifeline:
    """One deadline with the connections that hang on it; safe from any thread.

    Timeouts of sockets are not enough: a server that drips a byte now and then never lets one
    pass. Shutting the socket down from outside ends the thread that reads it.
    """

    def __init__(self, *, clock: Clock, deadline_s: float) -> None:
        """Start the time now."""
        self._clock = clock
        self._ends = clock.monotonic() + deadline_s
        self._lock = Lock()
        self._connections: set[_Line] = set()
        self._is_cut = False

    @property
    def is_over(self) -> bool:
        """Whether it was cut, or its time has passed."""
        return self._is_cut or self._clock.monotonic() >= self._ends

    def remaining(self) -> float:
        """Seconds left.

        Raises:
            requests.Timeout: none are.
        """
        if self.is_over:
            raise requests.Timeout("The deadline of the call has passed.")
        return max(self._ends - self._clock.monotonic(), 0.001)

    def hold(self, connection: "_Line") -> None:
        """Take responsibility for a connection that begins to work for this call."""
        with self._lock:
            self.remaining()
            connection.lifeline = self
            self._connections.add(connection)

    def release(self, connection: "_Line") -> None:
        """Give up a connection whose work is done."""
        with self._lock:
            self._connections.discard(connection)

    def cut(self) -> None:
        """End everything now: no socket of this call will be read any more."""
        with self._lock:
            self._is_cut = True
            for connection in self._connections:
                if connection.lifeline is self:  # else it already works for another call
                    connection.shut()
            self._connections.clear()


class Patience(Timeout):
    """urllib3's timeout of one request, which also tells the pool whose request it is."""

    def __init__(self, lifeline: Lifeline, *, connect: float, read: float) -> None:
        """Seconds to connect, and seconds that one read may last at most."""
        super().__init__(connect=connect, read=read)
        self._lifeline = lifeline
        self._held: list[_Line] = []

    def clone(self) -> "Patience":
        """Itself: each request has its own, and the pool must see this very one."""
        return self

    def hold(self, connection: "_Line") -> None:
        """Called by the pool with the connection that it chose."""
        self._lifeline.hold(connection)
        self._held.append(connection)

    def tighten(self) -> None:
        """Let the next read last no longer than the time left.

        Raises:
            requests.Timeout: no time is left.
        """
        left = self._lifeline.remaining()
        for connection in self._held:
            if connection.line is not None and connection.lifeline is self._lifeline:
                connection.line.settimeout(left)

    def release(self) -> None:
        """Called when the response has been read, or lost."""
        for connection in self._held:
            self._lifeline.release(connection)
        self._held.clear()


class _Line(HTTPConnection):
    """A connection that remembers its socket: http.client forgets it before the body is read."""

    lifeline: Lifeline | None = None
    line: socket.socket | None = None

    def connect(self) -> None:
        super().connect()
        self.line = self.sock
        if self.lifeline is not None and self.lifeline.is_over:
            self.close()
            self.lifeline.remaining()

    def shut(self) -> None:
        """End both directions at once; a thread that waits for the socket wakes up."""
        line = self.line
        if line is not None:
            try:
                # Not SSLSocket.shutdown, which would pull the TLS state from under the reader.
                socket.socket.shutdown(line, socket.SHUT_RDWR)
            except OSError:
                self.line = None  # closed already


class _TlsLine(_Line, HTTPSConnection):
    """The same over TLS."""


class _Pool(HTTPConnectionPool):
    """Tells each request's patience which connection it got."""

    ConnectionCls = _Line

    def _make_request(self, conn: Any, *args: Any, **keywords: Any) -> BaseHTTPResponse:  # noqa: ANN401 - urllib3's own signature
        patience = keywords.get("timeout")
        if isinstance(patience, Patience):
            patience.hold(conn)
        return super()._make_request(conn, *args, **keywords)


class _TlsPool(_Pool, HTTPSConnectionPool):
    """The same over TLS."""

    ConnectionCls = _TlsLine


class LifelineManager(PoolManager):
    """A pool manager whose connections can be cut."""

    def __init__(self, **keywords: Any) -> None:  # noqa: ANN401 - urllib3's own signature
        """Take urllib3's own arguments."""
        super().__init__(**keywords)
        self.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}
