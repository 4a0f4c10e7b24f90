"""The process that workers are forked from: it has imported what they need, and forks on request.

The standard library has such a server, but one for the whole interpreter that nobody may stop,
and each of its children imports the program's main module again, which for a gateway takes a
second. This one belongs to whoever started it, imports nothing of the program, and takes its
workers with it when it ends. It speaks through a socket: each message brings the end of another
socket, through which a worker forked for it takes its orders.
"""

import os
import pickle
import resource
import signal
import socket
import struct
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module

from chatbot.errors import WorkerError

READY = b"!"
ORDER = struct.Struct("!dQQ")
"""Before an order: its limit in seconds, the longest reply in bytes, its own length in bytes."""

REPLY = struct.Struct("!Q")
"""Before a reply: its length in bytes."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a worker sends back, pickled: the function's value, or what it raised."""

    value: object = None
    error: Exception | None = None


def serve(control_fd: int, memory_bytes: int, preload: Sequence[str]) -> None:
    """Fork workers until the other end of the control socket is closed; then end all of them.

    Args:
        control_fd: The socket through which workers are asked for.
        memory_bytes: The address space that a worker may use.
        preload: Modules to import first; one that cannot be imported is left to the worker.
    """
    for name in preload:
        with suppress(ImportError):
            import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # workers that end leave no zombies
    with socket.socket(fileno=control_fd) as control:
        while (orders := _accept(control)) is not None:
            if os.fork() == 0:
                control.close()
                _work(orders, memory_bytes)
            os.close(orders)
    os.killpg(0, signal.SIGKILL)


def _accept(control: socket.socket) -> int | None:
    """The socket that the next worker is to serve; ``None`` when nobody can ask any more."""
    with suppress(ConnectionError):
        _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        return descriptors[0] if descriptors else None
    return None


def _work(orders: int, memory_bytes: int) -> None:
    """A worker's whole life; never returns into the server's loop."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _limit_resources(memory_bytes)
        with socket.socket(fileno=orders) as line, line.makefile("rb") as stream:
            line.sendall(READY)
            while head := stream.read(ORDER.size):
                timeout_s, longest, size = ORDER.unpack(head)
                reply = _carry_out(stream.read(size), timeout_s, longest)
                line.sendall(REPLY.pack(len(reply)) + reply)
    finally:
        os._exit(0)


def _limit_resources(memory_bytes: int) -> None:
    """Bound address space; no core dump; no file can be written."""
    for limit, value in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(limit, (value, value))


def _carry_out(order: bytes, timeout_s: float, longest: int) -> bytes:
    """Run the ordered function and pickle what came of it.

    An alarm, whose default action ends the process, goes off at the limit, also while C code
    computes; no clock that can be set moves it. A process that ran out of memory is not to be
    trusted, so it ends as well.
    """
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        reply = _pickle(_run(order))
    except MemoryError:
        os._exit(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if len(reply) <= longest:
        return reply
    return _pickle(Reply(error=WorkerError(f"the result has more than {longest} bytes")))


def _run(order: bytes) -> Reply:
    try:
        function, args, kw = pickle.loads(order)  # noqa: S301 - our own parent process wrote it
        return Reply(value=function(*args, **kw))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the edge of a process: the caller gets it all
        error.add_note(traceback.format_exc())
        return Reply(error=error)


def _pickle(reply: Reply) -> bytes:
    try:
        return pickle.dumps(reply)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        return pickle.dumps(Reply(error=WorkerError(f"the reply cannot be sent: {error}")))
