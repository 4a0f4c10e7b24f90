"""Sockets at the address that a server shall have, and plain words where it cannot have it."""

import errno
import socket
from contextlib import ExitStack
from typing import Final, TypeAlias

from serving.settings import SettingsError

_Address: TypeAlias = tuple[object, ...]
_Option: TypeAlias = tuple[int, int]

_NOT_HERE: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""A name may have addresses that this machine has not, as ``localhost`` that of IPv6."""
_SHARED: Final[tuple[_Option, ...]] = (
    ((socket.SOL_SOCKET, socket.SO_REUSEPORT),) if hasattr(socket, "SO_REUSEPORT") else ()
)
_WAITING: Final = 2_048
"""Clients that the kernel lets wait, as uvicorn has it."""
_NO_IPV4: Final[_Option] = (socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)


def bind_one(host: str, port: int, *, is_shared: bool = False) -> socket.socket:
    """A socket at the first address of ``host``, which does not listen yet.

    ``is_shared``: other processes may have the port as well.

    Raises:
        SettingsError: the address is taken, or cannot be had.
    """
    family, address = _resolve(host, port)[0]
    try:
        return _bind(family, address, _SHARED if is_shared else ())
    except OSError as error:
        raise _unusable(host, port, error) from error


def listen_at(host: str, port: int) -> list[socket.socket]:
    """A socket that listens at each address of ``host`` that this machine has.

    For port 0 all have the same free one. Clients that come before the server is ready wait: a
    port that is bound alone could still be taken by another process.

    Raises:
        SettingsError: an address is taken, or none can be had.
    """
    bound: list[socket.socket] = []
    missing: OSError | None = None
    with ExitStack() as stack:
        for family, (name, _, *rest) in _resolve(host, port):
            address = (name, bound[0].getsockname()[1] if bound else port, *rest)
            options = (_NO_IPV4,) if family == socket.AF_INET6 else ()
            try:
                bound.append(stack.enter_context(_bind(family, address, options)))
                bound[-1].listen(_WAITING)
            except OSError as error:
                missing = error
                if error.errno not in _NOT_HERE:
                    break
        if missing is not None and not (bound and missing.errno in _NOT_HERE):
            raise _unusable(host, port, missing) from missing
        stack.pop_all()
    return bound


def in_use(host: str, port: int) -> SettingsError:
    """What is told where another process serves the address."""
    return SettingsError(f"port {port} of {host!r} is in use; choose another by --port")


def _unusable(host: str, port: int, error: OSError) -> SettingsError:
    if error.errno == errno.EADDRINUSE:
        return in_use(host, port)
    return SettingsError(
        f"port {port} of {host!r} fails: {error.strerror}; choose another by --port"
    )


def _resolve(host: str, port: int) -> list[tuple[int, _Address]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise SettingsError(f"host {host!r} cannot be used: {error.strerror}") from error
    return list(dict.fromkeys((int(family), address) for family, _, _, _, address in found))


def _bind(family: int, address: _Address, options: tuple[_Option, ...]) -> socket.socket:
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        for level, option in ((socket.SOL_SOCKET, socket.SO_REUSEADDR), *options):
            opened.setsockopt(level, option, 1)
        opened.bind(address)
    except BaseException:
        opened.close()
        raise
    return opened
