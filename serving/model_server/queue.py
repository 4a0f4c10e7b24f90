"""A bounded queue before one model: its thread, from loading the model to draining and the end."""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeAlias, TypeVar

import anyio
from anyio import to_thread

from chatbot.errors import Draining, ErrorCode
from serving.http.errors import Refusal
from serving.telemetry.families import Counter, Gauge

_CLOSING_S: Final = 1.0
_LOADING_S: Final = 10.0
T = TypeVar("T")
ItemT = TypeVar("ItemT")


class QueueMetrics(Protocol):
    """The figures that every queue keeps."""

    waiting: Gauge
    running: Gauge
    refused: Counter


class ModelQueue(ABC, Generic[ItemT]):
    """Hands items to one model; an async context manager that owns the model's thread.

    ``failure`` is why the model could not be loaded, once that is known.
    """

    _FULL: ClassVar[str]
    """What the items do that take the places, in words for the client."""

    def __init__(self, *, places: int, metrics: QueueMetrics) -> None:
        """``places``: items waiting or running at once."""
        self._places = places
        self._figures = metrics
        self._waiting: deque[ItemT] = deque()
        self._running: tuple[ItemT, ...] = ()
        self._has_changed = anyio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._opened = AsyncExitStack()
        self._is_stopping = False
        self.is_ready = False
        self.is_draining = False
        self.failure: BaseException | None = None

    async def __aenter__(self) -> Self:
        """Begin to load the model; items are taken once ``is_ready``."""
        self._opened.push_async_callback(self._end_thread)
        group = await self._opened.enter_async_context(anyio.create_task_group())
        self._opened.callback(group.cancel_scope.cancel)
        group.start_soon(self._work)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop within one step."""
        self._is_stopping = True
        await self._opened.__aexit__(kind, error, trace)

    async def _end_thread(self) -> None:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(self._thread.shutdown)

    @abstractmethod
    def _load(self) -> None:
        """Load the model, in its thread."""

    @abstractmethod
    def _warm_up(self) -> None:
        """Let the model work once, in its thread."""

    @abstractmethod
    async def _run_batch(self) -> None:
        """Wait for the next batch, and run it to its end."""

    @abstractmethod
    def _count_running(self) -> int:
        """How many of the items in the model hold a place."""

    @abstractmethod
    def _end_all(self, error: Draining) -> None:
        """Fail every item that waits or is not at its end."""

    @abstractmethod
    def _backlog_s(self) -> float:
        """Seconds after which a place may be free."""

    @property
    def turns(self) -> int:
        """Items that hold a place: they wait, or the model works on them."""
        return len(self._waiting) + self._count_running()

    def check_room(self, wanted: int = 1) -> None:
        """Whether so many more items would be taken.

        Raises:
            Refusal: the queue is full (with when to come back), or the model is not ready.
            Draining: the server is shutting down.
        """
        if self.is_draining:
            raise Draining("the server is shutting down")
        if not self.is_ready:
            raise Refusal(
                "the model is being loaded",
                code=ErrorCode.ENGINE_UNAVAILABLE,
                retry_after_s=_LOADING_S,
            )
        if self.turns + wanted > self._places:
            self._figures.refused.inc(wanted)
            raise Refusal(
                f"{self.turns} {self._FULL}; at most {self._places} may",
                code=ErrorCode.QUEUE_FULL,
                retry_after_s=self._backlog_s(),
            )

    async def drain(self, limit_s: float) -> None:
        """Refuse new items, give the others ``limit_s`` seconds, then end them."""
        self.is_draining = True
        await self._wait_until_empty(limit_s)
        self._end_all(Draining("the server is shutting down"))
        await self._wait_until_empty(_CLOSING_S)

    async def _wait_until_empty(self, limit_s: float) -> None:
        with anyio.move_on_after(limit_s):
            while self.turns:
                await self._has_changed.wait()

    def _note(self) -> None:
        """Tell the figures and whoever waits that the queue has changed."""
        self._figures.waiting.set(len(self._waiting))
        self._figures.running.set(self._count_running())
        self._has_changed.set()
        self._has_changed = anyio.Event()

    async def _work(self) -> None:
        for prepare in (self._load, self._warm_up):
            self.failure = (await self._in_thread(prepare)).exception()
            if self.failure is not None:
                return
        self.is_ready = True
        try:
            while True:
                await self._run_batch()
        finally:
            self.is_ready = False

    async def _in_thread(self, call: Callable[[], T]) -> "asyncio.Future[T]":
        """Run ``call`` in the model's thread; the future that is returned is done."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, call)
        await asyncio.wait([future])
        return future


AnyQueue: TypeAlias = ModelQueue[Any]  # whatever its items are
