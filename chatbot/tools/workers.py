"""A pool of warm processes that are ended at their time limit."""

import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pkgutil import resolve_name
from threading import Lock, Semaphore
from types import TracebackType
from typing import Generic, ParamSpec, Self, TypeVar, cast

from anyio import CancelScope, to_thread

from chatbot.errors import WorkerBusy, WorkerError, WorkerLost, WorkerTimeout
from chatbot.tools.fork_server import ORDER, READY, REPLY, Reply

P = ParamSpec("P")
T = TypeVar("T")

START_S = 30.0
GRACE_S = 1.0
MEBIBYTE = 1024 * 1024
_SERVER = (
    "import sys; sys.path[:] = {path!r}; "
    "from chatbot.tools.fork_server import serve; serve({fd}, {memory}, {preload!r})"
)


@dataclass(frozen=True, slots=True)
class ByName(Generic[P, T]):
    """A function that only the worker imports: ``path`` is ``"package.module:function"``.

    So the gateway never loads the libraries that its workers compute with.
    """

    path: str

    def __call__(self, *args: P.args, **kw: P.kwargs) -> T:
        """Import the function and call it."""
        result: T = resolve_name(self.path)(*args, **kw)
        return result


class ProcessWorkers:
    """Implements `chatbot.ports.Workers`: processes forked in milliseconds from a warm server.

    Nothing starts before the first `call` or `warm`. A worker ends at its time limit even inside C
    code, may use ``memory_mib`` of address space, and cannot write a file. Functions must be
    importable. When all workers are busy a call waits for as long as its own limit.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        preload: Sequence[str] = (),
        memory_mib: int = 512,
        max_calls: int = 500,
        max_reply_bytes: int = MEBIBYTE,
    ) -> None:
        """Keep the limits; ``max_calls`` renews a worker after so many calls."""
        self._size = workers
        self._preload = tuple(preload)
        self._memory = memory_mib * MEBIBYTE
        self._max_calls = max_calls
        self._max_reply = max_reply_bytes
        self._free = Semaphore(workers)
        self._lock = Lock()
        self._server: _Server | None = None
        self._idle: list[_Worker] = []
        self._is_closed = False

    async def __aenter__(self) -> Self:
        """Start nothing; see `warm`."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every process, also when the caller is being cancelled."""
        with CancelScope(shield=True):
            await to_thread.run_sync(self._close)

    def warm(self) -> None:
        """Let the processes start, without waiting for them."""
        with self._lock:
            while not self._is_closed and len(self._idle) < self._size:
                self._idle.append(self._running_server().fork())

    def call(self, timeout_s: float, function: Callable[P, T], *args: P.args, **kw: P.kwargs) -> T:
        """Run an importable ``function`` in a worker and wait for its result.

        Raises:
            WorkerBusy: no worker became free within ``timeout_s`` seconds.
            WorkerTimeout: it was ended after ``timeout_s`` seconds.
            WorkerLost: the process died, for want of memory or killed from outside.
            WorkerError: the result is larger than a reply may be.
            Exception: whatever the function itself raised.
        """
        order = pickle.dumps((function, args, kw))
        if not self._free.acquire(timeout=timeout_s):
            raise WorkerBusy(f"no worker became free within {timeout_s} s")
        try:
            reply = self._order(timeout_s, order)
        finally:
            self._free.release()
        return cast("T", _open(reply))  # a pickle carries no types

    def _order(self, timeout_s: float, order: bytes) -> bytes:
        worker = self._take()
        try:
            reply = worker.ask(order, timeout_s, self._max_reply)
        except BaseException as error:
            worker.close()
            if self._is_closed and isinstance(error, WorkerError):
                raise WorkerLost("the workers were closed during the call") from error
            raise
        self._give_back(worker)
        return reply

    def _take(self) -> "_Worker":
        """A worker that is alive and ready; a server that died meanwhile is replaced once."""
        for _ in range(2):
            while (worker := self._take_idle()) is not None:
                if worker.is_ready():
                    return worker
                worker.close()
            with self._lock:
                server = self._running_server()
                worker = server.fork()
            if worker.is_ready():
                return worker
            worker.close()
            self._retire(server, patience_s=GRACE_S)
        raise WorkerLost("no worker can be started")

    def _take_idle(self) -> "_Worker | None":
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _give_back(self, worker: "_Worker") -> None:
        with self._lock:
            if worker.calls < self._max_calls and not self._is_closed:
                self._idle.append(worker)
                return
        worker.close()

    def _running_server(self) -> "_Server":
        if self._is_closed:
            raise WorkerLost("the workers are closed")
        if self._server is None:
            self._server = _Server(self._memory, self._preload)
        return self._server

    def _retire(self, server: "_Server | None", *, patience_s: float = 0) -> None:
        """Stop a server, if nobody has done so; the next call starts another."""
        with self._lock:
            if server is None or server is not self._server:
                return
            self._server = None
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()
        server.stop(patience_s=patience_s)

    def _close(self) -> None:
        with self._lock:
            self._is_closed = True
            server = self._server
        self._retire(server)


class _Server:
    """The process that forks workers, in a group of its own with them."""

    def __init__(self, memory_bytes: int, preload: tuple[str, ...]) -> None:
        self._control, theirs = socket.socketpair()
        program = _SERVER.format(
            path=list(map(str, sys.path)), fd=theirs.fileno(), memory=memory_bytes, preload=preload
        )
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - ourselves, with our own words
                (sys.executable, "-c", program),
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

    def fork(self) -> "_Worker":
        """Ask for a worker, without waiting for it."""
        ours, theirs = socket.socketpair()
        with theirs, suppress(ConnectionError):  # a dead server is noticed when nobody is ready
            socket.send_fds(self._control, [b"+"], [theirs.fileno()])
        return _Worker(ours)

    def stop(self, *, patience_s: float) -> None:
        """End the server with all its workers, unless it dies by itself within ``patience_s``.

        The workers of a server that has died may finish what they do.
        """
        try:
            self._process.wait(timeout=patience_s)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._control.close()


class _Worker:
    """One process at the other end of a socket, used by one caller at a time."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._stream = line.makefile("rb")
        self._has_begun = False
        self.calls = 0

    def is_ready(self) -> bool:
        """Whether it takes an order now; waits for one that has only just been asked for."""
        if not self._has_begun:
            self._line.settimeout(START_S)
            with suppress(OSError):
                self._has_begun = self._stream.read(len(READY)) == READY
        return self._has_begun and self._is_alive()

    def _is_alive(self) -> bool:
        """Whether the process has not closed its end: then there is nothing to read yet."""
        self._line.settimeout(0)
        try:
            return self._line.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def ask(self, order: bytes, timeout_s: float, longest: int) -> bytes:
        """Send an order and wait for the reply.

        Raises:
            WorkerTimeout: the process ended at the limit, or gave no sign soon after.
            WorkerLost: it ended before.
        """
        self.calls += 1
        self._line.settimeout(timeout_s + GRACE_S)
        began = time.monotonic()
        with suppress(OSError):
            self._line.sendall(ORDER.pack(timeout_s, longest, len(order)) + order)
            head = self._stream.read(REPLY.size)
            if len(head) == REPLY.size:
                return self._stream.read(*REPLY.unpack(head))
        if time.monotonic() - began >= timeout_s:
            raise WorkerTimeout(f"ended after {timeout_s} s")
        raise WorkerLost("the worker died during the call")

    def close(self) -> None:
        """Leave the process alone, which then ends."""
        self._stream.close()
        self._line.close()


def _open(reply: bytes) -> object:
    """The value in a reply, or what the function raised.

    Raises:
        WorkerLost: the reply cannot be read here.
        Exception: what the function raised.
    """
    try:
        content: Reply = pickle.loads(reply)  # noqa: S301 - our own worker wrote it
    except (pickle.UnpicklingError, AttributeError, ImportError, TypeError, EOFError) as error:
        raise WorkerLost(f"the worker's reply cannot be read: {error}") from error
    if content.error is not None:
        raise content.error
    return content.value
