"""Has the kernel give up clients whose machine is gone without a word."""

import socket
from typing import Final, Protocol

_PROBES: Final = 3
"""Unanswered ones after which the kernel ends a connection."""
_PARTS: Final = _PROBES + 2
"""The limit in parts: two of silence, then one for each probe."""


class Settable(Protocol):
    """A socket, or uvloop's stand-in for one."""

    def setsockopt(self, level: int, option: int, value: int, /) -> None:
        """As `socket.socket.setsockopt`."""
        ...


def watch_clients(listening: Settable, *, within_s: int) -> None:
    """End accepted connections whose other end answers nothing for about ``within_s`` seconds.

    A connection on which nothing is sent is probed; one on which something is has so long for it
    to be acknowledged. Those that ``listening`` accepts inherit both (tcp(7)). The kernel counts
    whole seconds; where it knows none of this (not Linux) nothing is changed.
    """
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        return
    part_s = max(1, within_s // _PARTS)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_KEEPIDLE, 2 * part_s),
        (socket.TCP_KEEPINTVL, part_s),
        (socket.TCP_KEEPCNT, _PROBES),
        (socket.TCP_USER_TIMEOUT, within_s * 1_000),
    ):
        listening.setsockopt(socket.IPPROTO_TCP, option, value)
