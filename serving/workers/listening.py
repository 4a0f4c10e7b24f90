"""The sockets of several processes that serve one port: the kernel spreads connections over them.

With ``SO_REUSEPORT`` (Linux) every process has a queue of its own, chosen by a hash of the client's
address, so that no worker can take all connections of a burst.
"""

import socket
import sys
from typing import Final

from serving.http.binding import bind_one, in_use
from serving.settings import SettingsError

_LOOPBACK: Final = "127.0.0.1"


def reserve_port(host: str, port: int) -> socket.socket:
    """A socket that holds the port for workers and takes no connection itself.

    Raises:
        SettingsError: somebody else has the port, or this system cannot share one.
    """
    if sys.platform != "linux":
        raise SettingsError("workers above 1 need Linux, whose kernel spreads connections")
    with bind_one(host, port) as alone:
        free = int(alone.getsockname()[1])
        try:
            alone.listen()  # only then does the kernel say that another holds it for its workers
        except OSError as error:
            raise in_use(host, free) from error
    return bind_one(host, free, is_shared=True)


def open_shared(host: str, port: int) -> socket.socket:
    """A worker's own socket at the port that its supervisor holds."""
    return bind_one(host, port, is_shared=True)


def listen_privately() -> socket.socket:
    """A socket at a free port of the loopback, for requests of other workers."""
    return bind_one(_LOOPBACK, 0)
