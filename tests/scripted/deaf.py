"""A socket that hears nothing more, not even at the level of TCP: as if its machine were gone."""

import ctypes
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

SO_ATTACH_FILTER, SO_DETACH_FILTER = 26, 27
"""Of Linux's ``asm-generic/socket.h``."""
DROP_ALL = struct.pack("HBBI", 0x06, 0, 0, 0)
"""The BPF program ``ret 0``, which lets no segment through; it needs no privilege."""


class Filterable(Protocol):
    """A socket, or asyncio's stand-in for one."""

    def setsockopt(self, level: int, option: int, value: int | bytes, /) -> None:
        """As `socket.socket.setsockopt`."""
        ...


@contextmanager
def deaf(sock: Filterable) -> Iterator[None]:
    """Within the block the other end of ``sock`` gets no acknowledgement of anything (Linux)."""
    program = ctypes.create_string_buffer(DROP_ALL, len(DROP_ALL))
    sock.setsockopt(
        socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", 1, ctypes.addressof(program))
    )
    try:
        yield
    finally:
        sock.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)
