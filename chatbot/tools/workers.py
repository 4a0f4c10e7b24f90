"""A pool of warm processes that are killed at their time limit."""

import pickle
import resource
import signal
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from os import getpid, kill
from pkgutil import resolve_name
from types import TracebackType
from typing import Generic, ParamSpec, Self, TypeVar, cast

from anyio import CancelScope, to_thread
from pebble import ProcessExpired, ProcessFuture, ProcessPool

from chatbot.errors import WorkerBusy, WorkerError, WorkerLost, WorkerTimeout
from chatbot.tools.processes import ForkServerProcesses

P = ParamSpec("P")
T = TypeVar("T")

ALARM_DELAY_S = 0.25
GRACE_S = 5.0
MEBIBYTE = 1024 * 1024


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


@dataclass(frozen=True, slots=True)
class _Reply:
    """What a worker sends back, pickled: the function's value, or what it raised."""

    value: object = None
    error: Exception | None = None


class ProcessWorkers:
    """Implements `chatbot.ports.Workers` on pebble: forked in 20 ms from a server that is warm.

    Nothing starts before the first `call` or `warm`. A worker is killed at its time limit even
    inside C code, may use ``memory_mib`` of address space, and cannot write a file. Functions must
    be importable and free of side effects: one whose worker died through no fault of its own may be
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
        self._workers = workers
        self._memory = memory_mib * MEBIBYTE
        self._max_calls = max_calls
        self._max_reply = max_reply_bytes
        self._processes = ForkServerProcesses((__name__, *preload))
        self._free = threading.Semaphore(workers)
        self._lock = threading.Lock()
        self._pool: ProcessPool | None = None
        self._futures: set[ProcessFuture[bytes]] = set()
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
        """End every process, also when the caller is being cancelled; takes less than a second."""
        with CancelScope(shield=True):
            await to_thread.run_sync(self._close)

    def warm(self) -> None:
        """Start the processes in the background, so that the first call finds them ready."""
        threading.Thread(target=self._start, name="workers-warm", daemon=True).start()

    def call(self, timeout_s: float, function: Callable[P, T], *args: P.args, **kw: P.kwargs) -> T:
        """Run an importable ``function`` in a worker and wait for its result.

        Raises:
            WorkerBusy: no worker became free within ``timeout_s`` seconds.
            WorkerTimeout: it was killed after ``timeout_s`` seconds.
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
        """Have the order carried out; a pool that broke down meanwhile is replaced once."""
        for _ in range(2):
            pool = self._open_pool()
            try:
                future = pool.schedule(
                    _carry_out, args=(order, timeout_s, self._max_reply), timeout=timeout_s
                )
                return self._wait(future, timeout_s)
            except RuntimeError:  # includes BrokenProcessPool
                self._discard(pool)
        raise WorkerLost("the workers died twice")

    def _wait(self, future: ProcessFuture[bytes], timeout_s: float) -> bytes:
        with self._lock:
            self._futures.add(future)
        try:
            return future.result(timeout=timeout_s + GRACE_S)
        except TimeoutError as error:
            _cancel(future)
            raise WorkerTimeout(f"killed after {timeout_s} s") from error
        except ProcessExpired as error:
            if error.exitcode == -signal.SIGALRM:
                raise WorkerTimeout(f"ended itself after {timeout_s} s") from error
            raise WorkerLost(f"the worker died with exit code {error.exitcode}") from error
        except CancelledError as error:
            raise WorkerLost("the workers were closed during the call") from error
        finally:
            with self._lock:
                self._futures.discard(future)

    def _open_pool(self) -> ProcessPool:
        with self._lock:
            if self._is_closed:
                raise WorkerLost("the workers are closed")
            if self._pool is None:
                self._pool = ProcessPool(
                    max_workers=self._workers,
                    max_tasks=self._max_calls,
                    initializer=_limit_worker,
                    initargs=(self._memory,),
                    context=self._processes,
                )
            return self._pool

    def _start(self) -> None:
        try:
            _ = self._open_pool().active  # pebble starts a pool when it is first asked for anything
        except (WorkerLost, BrokenProcessPool):
            return  # closed meanwhile, or the next call tries again and tells

    def _discard(self, pool: ProcessPool) -> None:
        """Clear a broken pool away; the first of several callers does it."""
        with self._lock:
            is_ours, self._pool = self._pool is pool, None if self._pool is pool else self._pool
        if is_ours:
            pool.stop()  # type: ignore[no-untyped-call]  # pebble left it without annotations
            pool.join()

    def _close(self) -> None:
        with self._lock:
            self._is_closed = True
            pool, futures = self._pool, tuple(self._futures)
        for future in futures:
            _cancel(future)
        if pool is not None:
            self._discard(pool)
        self._processes.stop()


def _cancel(future: ProcessFuture[bytes]) -> None:
    future.cancel()  # type: ignore[no-untyped-call]  # pebble left it without annotations


def _open(reply: bytes) -> object:
    """The value in a reply, or what the function raised.

    Raises:
        WorkerLost: the reply cannot be read here.
        Exception: what the function raised.
    """
    try:
        content: _Reply = pickle.loads(reply)  # noqa: S301 - our own worker wrote it
    except (pickle.UnpicklingError, AttributeError, ImportError, TypeError) as error:
        raise WorkerLost(f"the worker's reply cannot be read: {error}") from error
    if content.error is not None:
        raise content.error
    return content.value


# --- what runs inside a worker -----------------------------------------------------------------


def _limit_worker(memory: int) -> None:
    """Bound a fresh worker: address space, no core dump, no file; SIGTERM ends it at once.

    pebble ends a worker by SIGTERM and waits three seconds for a handler in Python, which never
    runs while C code computes; the default action needs no Python.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for limit, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(limit, (value, value))


def _carry_out(order: bytes, timeout_s: float, max_reply: int) -> bytes:
    """Run the ordered function and pickle what came of it.

    An alarm, whose default action ends the process, goes off a little after the limit: it holds
    when the clock of the machine jumps, or when nobody is left to kill this process.
    """
    signal.setitimer(signal.ITIMER_REAL, timeout_s + ALARM_DELAY_S)
    try:
        reply = _pickle(_run(order))
    except MemoryError:
        kill(getpid(), signal.SIGKILL)  # a process that ran out of memory is not to be trusted
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if len(reply) <= max_reply:
        return reply
    return _pickle(_Reply(error=WorkerError(f"the result has more than {max_reply} bytes")))


def _run(order: bytes) -> _Reply:
    function, args, kw = pickle.loads(order)  # noqa: S301 - our own parent process wrote it
    try:
        return _Reply(value=function(*args, **kw))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the edge of a process: the caller gets it all
        error.add_note(traceback.format_exc())
        return _Reply(error=error)


def _pickle(reply: _Reply) -> bytes:
    try:
        return pickle.dumps(reply)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        return pickle.dumps(_Reply(error=WorkerError(f"the reply cannot be sent: {error}")))
