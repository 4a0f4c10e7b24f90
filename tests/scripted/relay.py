"""A way to a server on loopback that can be cut, as a train's tunnel cuts a telephone's."""

import select
import socket
import struct
import threading
from contextlib import suppress
from typing import Self

RESET = struct.pack("ii", 1, 0)
BYTES = 65_536
STEP_S = 0.02


class Relay:
    """Hands bytes on to ``port`` while its context is open; `url` is where clients connect."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._lines: set[socket.socket] = set()
        self._closing = threading.Event()
        self._tunnel = threading.Event()
        self._entrance = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._thread = threading.Thread(target=self._accept)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join()
        self._entrance.close()
        self._reset()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._entrance.getsockname()[1]}"

    def cut(self) -> None:
        """Reset every connection, and each new one until `mend`."""
        self._tunnel.set()
        self._reset()

    def mend(self) -> None:
        """Let connections through again."""
        self._tunnel.clear()

    def _reset(self) -> None:
        for line in tuple(self._lines):
            with suppress(OSError):
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                line.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._closing.is_set():
            if not select.select([self._entrance], [], [], STEP_S)[0]:
                continue
            client, _ = self._entrance.accept()
            if self._tunnel.is_set():
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                client.close()
            else:
                threading.Thread(target=self._hand_on, args=(client,), daemon=True).start()

    def _hand_on(self, client: socket.socket) -> None:
        with (
            suppress(OSError),
            client,
            socket.create_connection(("127.0.0.1", self.port)) as server,
        ):
            for line in (client, server):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._lines |= {client, server}
            try:
                self._pump(client, server)
            finally:
                self._lines -= {client, server}

    def _pump(self, client: socket.socket, server: socket.socket) -> None:
        other = {client: server, server: client}
        while not self._closing.is_set():
            for line in select.select(tuple(other), [], [], STEP_S)[0]:
                received = line.recv(BYTES)
                if not received:
                    return
                other[line].sendall(received)
