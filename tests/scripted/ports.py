"""Ports for servers of the tests."""

import socket
from contextlib import ExitStack


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    [port] = free_ports(1)
    return port


def free_ports(number: int) -> list[int]:
    """As many different ports that nobody listens on."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(number)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
