"""A pool of warm processes that are ended at their time limit."""

import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import RLock
from threading import Lock, Semaphore
from types import TracebackType
from typing import ParamSpec, Self, TypeVar, cast

from anyio import CancelScope, to_thread
from pebble import ProcessExpired, ProcessFuture, ProcessPool
from pebble.pool.process import WORKERS_NAME

from chatbot.errors import WorkerBusy, WorkerLost, WorkerTimeout
from chatbot.tools.orders import carry_out, open_reply, pack, prepare_worker

P = ParamSpec("P")
T = TypeVar("T")

START_S = 30.0
GRACE_S = 1.0
LOOK_S = 0.1
SERVER_DIED = 255
"""The exit code of a worker whose fork server has died: nobody knows what became of it."""

MEBIBYTE = 1024 * 1024


class _Context(ForkServerContext):
    """The standard one, which holds the locks that it makes, and so their names.

    pebble drops a pool's locks before it ends the workers; one that is still starting would not
    find them, and say so.
    """

    def __init__(self) -> None:
        self.locks: list[RLock] = []

    def RLock(self) -> RLock:  # noqa: N802 - the standard name
        self.locks.append(lock := super().RLock())
        return lock


class _Pool(ProcessPool):
    """pebble's, with workers from the interpreter's fork server."""

    def __init__(
        self, *, workers: int, max_calls: int, memory_bytes: int, preload: Sequence[str]
    ) -> None:
        """Start nothing: the first order does."""
        self._locking = _Context()
        super().__init__(
            max_workers=workers,
            max_tasks=max_calls,
            initializer=prepare_worker,
            initargs=(memory_bytes, preload),
            context=self._locking,
        )

    def end(self) -> None:
        """End the workers now, and clear everything away."""
        self.stop()  # type: ignore[no-untyped-call]  # pebble left it without annotations
        self.join()
        self._locking.locks.clear()  # here, for the garbage collector may come amid a lock


class ProcessWorkers:
    """Implements `chatbot.ports.Workers` on pebble's pool, forked from a server that is warm.

    Nothing starts before the first `call` or `warm`. A worker ends at its time limit even inside C
    code, may use ``memory_mib`` of address space, and cannot write a file. Functions must be
    importable and free of side effects: one whose worker died through no fault of its own may be
    run a second time. When all workers are busy a call waits for as long as its own limit.
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
        self._pool: _Pool | None = None
        self._is_closed = False

    async def __aenter__(self) -> Self:
        """Start nothing; see `warm`.

        Raises:
            RuntimeError: this is a worker, which imports the main module, which starts workers.
        """
        if multiprocessing.current_process().name == WORKERS_NAME:
            raise RuntimeError('put what the program does under `if __name__ == "__main__":`')
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every worker, also when the caller is being cancelled."""
        with CancelScope(shield=True):
            await to_thread.run_sync(self._close)

    def warm(self) -> None:
        """Let the fork server start, without waiting for it; the first call then takes 30 ms."""
        with self._lock, suppress(OSError):  # the first call tries again, and tells
            if not self._is_closed:
                _start_server(self._preload)

    def call(self, timeout_s: float, function: Callable[P, T], *args: P.args, **kw: P.kwargs) -> T:
        """Run an importable ``function`` in a worker and wait for its result.

        Raises:
            WorkerBusy: no worker became free within ``timeout_s`` seconds.
            WorkerTimeout: it was ended after ``timeout_s`` seconds.
            WorkerLost: the process died, for want of memory or killed from outside.
            WorkerError: the result is larger than a reply may be.
            Exception: whatever the function itself raised.
        """
        order = pack(function, *args, **kw)
        if not self._free.acquire(timeout=timeout_s):
            raise WorkerBusy(f"no worker became free within {timeout_s} s")
        try:
            reply = self._order(timeout_s, order)
        finally:
            self._free.release()
        return cast("T", open_reply(reply))  # a pickle carries no types

    def _order(self, timeout_s: float, order: bytes) -> bytes:
        """Have the order carried out; a pool that broke down meanwhile is replaced once."""
        cause: Exception | None = None
        for _ in range(2):
            pool = self._open_pool()
            try:
                future = pool.schedule(carry_out, args=(order, timeout_s, self._max_reply))
                return _wait(pool, future, timeout_s)
            except (RuntimeError, OSError) as error:  # the pool or a worker of it died
                _blame_order(error, timeout_s)
                cause = error
            self._discard(pool)
        raise WorkerLost("no worker can be started") from cause

    def _open_pool(self) -> _Pool:
        with self._lock:
            if self._is_closed:
                raise WorkerLost("the workers are closed")
            if self._pool is None:
                self._pool = self._build_pool()
            return self._pool

    def _build_pool(self) -> _Pool:
        try:
            _start_server(self._preload)
        except OSError as error:
            raise WorkerLost("no worker can be started") from error
        return _Pool(
            workers=self._size,
            max_calls=self._max_calls,
            memory_bytes=self._memory,
            preload=self._preload,
        )

    def _discard(self, pool: _Pool) -> None:
        """Clear a pool away; the first of several callers does it."""
        with self._lock:
            is_ours = self._pool is pool
            if is_ours:
                self._pool = None
        if is_ours:
            pool.end()

    def _close(self) -> None:
        with self._lock:
            self._is_closed = True
            pool = self._pool
        if pool is not None:
            self._discard(pool)


def _start_server(preload: Sequence[str]) -> None:
    """Start the interpreter's fork server, unless it runs, and do not wait until it is ready.

    It and its workers never see Ctrl-C, which is for the program to answer.
    """
    forkserver.set_forkserver_preload([carry_out.__module__, *preload])
    resource_tracker.ensure_running()  # first, because it unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(pool: _Pool, future: ProcessFuture[bytes], timeout_s: float) -> bytes:
    """The reply to an order.

    Raises:
        WorkerTimeout: its worker did not even die at the limit.
        ProcessExpired: its worker died.
        RuntimeError: the pool broke down, or was closed.
    """
    is_running = False
    ends = time.monotonic() + START_S
    while time.monotonic() < ends:
        with suppress(TimeoutError):
            return future.result(timeout=LOOK_S)
        if not pool.active:
            raise RuntimeError("the pool broke down")
        if not is_running and future.running():
            is_running, ends = True, time.monotonic() + timeout_s + GRACE_S
    if not is_running:
        raise RuntimeError("no worker took the order")
    future.cancel()  # type: ignore[no-untyped-call]  # pebble left it without annotations
    raise WorkerTimeout(f"killed, for it did not end by itself after {timeout_s} s")


def _blame_order(error: Exception, timeout_s: float) -> None:
    """Tell of a worker that died of what it was ordered to do; else it may be tried again.

    Raises:
        WorkerTimeout: by its own alarm.
        WorkerLost: of something else.
    """
    if not isinstance(error, ProcessExpired) or error.exitcode == SERVER_DIED:
        return
    if error.exitcode == -signal.SIGALRM:
        raise WorkerTimeout(f"ended after {timeout_s} s") from error
    raise WorkerLost(f"the worker died with exit code {error.exitcode}") from error
