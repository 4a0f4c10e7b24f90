"""Whether a server could listen on its address."""

import errno
import socket

from chatbot.errors import ZwrotnicaError


class AddressUnusable(ZwrotnicaError):
    """Nothing can listen on this address now."""


def check_address(engine: str, address: tuple[str, int]) -> None:
    """Check that nobody listens on ``address`` (host and port), and that one may.

    Raises:
        AddressUnusable: somebody does, or the host is not this machine's.
    """
    host, port = address
    try:
        family, _, _, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
            probe.bind(place)
    except OSError as error:
        raise AddressUnusable(
            f"engine {engine!r} cannot listen on {host}:{port}: {_explain(error)}"
        ) from error


def _explain(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "another process does; end it, or change the engine's 'port'"
    return f"{error.strerror}; see the engine's 'url' and 'launch.host'"
