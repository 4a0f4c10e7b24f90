"""An order to a worker process: packed, carried out within its limits, its reply opened."""

import os
import pickle
import resource
import signal
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pkgutil import resolve_name
from typing import Generic, ParamSpec, TypeVar

from chatbot.errors import WorkerError, WorkerLost

P = ParamSpec("P")
T = TypeVar("T")


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


def pack(function: Callable[P, T], *args: P.args, **kw: P.kwargs) -> bytes:
    """The order to run an importable ``function``."""
    return pickle.dumps((function, args, kw))


def open_reply(reply: bytes) -> object:
    """The value in a reply, or what the function raised.

    Raises:
        WorkerLost: the reply cannot be read here.
        Exception: what the function raised.
    """
    try:
        content: _Reply = pickle.loads(reply)  # noqa: S301 - our own worker wrote it
    except (pickle.UnpicklingError, AttributeError, ImportError, TypeError, EOFError) as error:
        raise WorkerLost(f"the worker's reply cannot be read: {error}") from error
    if content.error is not None:
        raise content.error
    return content.value


# --- what runs inside a worker -----------------------------------------------------------------


def prepare_worker(memory_bytes: int, preload: Sequence[str]) -> None:
    """Bound a fresh worker: address space, no core dump, no file; SIGTERM ends it at once.

    Args:
        memory_bytes: The address space that it may use.
        preload: Modules that its fork server has imported, unless another pool had started that.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler in Python waits for C code to end
    for name in preload:
        with suppress(ImportError):
            import_module(name)
    for limit, value in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(limit, (value, value))


def carry_out(order: bytes, timeout_s: float, longest: int) -> bytes:
    """Run the ordered function and pickle what came of it, at most ``longest`` bytes.

    An alarm, whose default action ends the process, goes off at the limit, also while C code
    computes; no clock that can be set moves it. A process that ran out of memory is not to be
    trusted, so it ends as well.
    """
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        reply = _pickle(_run(order))
    except (MemoryError, SystemExit, KeyboardInterrupt):
        os._exit(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if len(reply) <= longest:
        return reply
    return _pickle(_Reply(error=WorkerError(f"the result has more than {longest} bytes")))


def _run(order: bytes) -> _Reply:
    try:
        function, args, kw = pickle.loads(order)  # noqa: S301 - our own parent process wrote it
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
