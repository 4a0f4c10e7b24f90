"""The sockets of several processes that serve one port: the kernel spreads connections over them.

With ``SO_REUSEPORT`` (Linux) every process has a queue of its own, chosen by a hash of the client's
address, so that no worker can take all connections of a burst.
"""

import errno
import socket
import sys
from typing import Final

from serving.settings import SettingsError

_LOOPBACK: Final = "127.0.0.1"


def reserve_port(host: str, port: int) -> socket.socket:
    """A socket that holds the port for workers and takes no connection itself.

    Raises:
        SettingsError: somebody else has the port, or this system cannot share one.
    """
    if sys.platform != "linux":
        raise SettingsError("workers above 1 need Linux, whose kernel spreads connections")
    with _bind(host, port, is_shared=False) as alone:
        free = int(alone.getsockname()[1])
    return _bind(host, free, is_shared=True)


def open_shared(host: str, port: int) -> socket.socket:
    """A worker's own socket at the port that its supervisor holds."""
    return _bind(host, port, is_shared=True)


def listen_privately() -> socket.socket:
    """A socket at a free port of the loopback, for requests of other workers."""
    return _bind(_LOOPBACK, 0, is_shared=False)


def _bind(host: str, port: int, *, is_shared: bool) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise SettingsError(f"host {host!r} cannot be used: {error.strerror}") from error
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if is_shared:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        opened.bind(address)
        if not is_shared:
            opened.listen()  # only then does the kernel say that another listens there
    except OSError as error:
        opened.close()
        why = "is in use" if error.errno == errno.EADDRINUSE else f"fails: {error.strerror}"
        raise SettingsError(f"port {port} of {host!r} {why}; choose another by --port") from error
    return opened
