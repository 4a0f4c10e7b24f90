"""The queue of pictures: in order, bounded, drawn in batches, left at once by who has gone."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from types import TracebackType
from typing import Final, Self, TypeVar

import anyio
from anyio import to_thread

from chatbot.errors import Draining, ErrorCode
from serving.http.errors import Refusal
from serving.images.metrics import ImageMetrics, Pace
from serving.images.order import Commission, Order
from serving.images.painter import Canvas, Drawing, Painter, Wish

_CLOSING_S: Final = 1.0
_LOADING_S: Final = 10.0
T = TypeVar("T")
_WARM_UP: Final = Wish(prompt="a lighthouse at dusk", seed=0)


class PictureQueue:
    """Hands pictures to one painter; an async context manager that owns the painter's thread.

    ``failure`` is why the painter could not be loaded, once that is known.
    """

    def __init__(
        self,
        painter: Painter,
        *,
        warm_up: Canvas,
        places: int,
        batch: int,
        metrics: ImageMetrics,
        on_failure: Callable[[], None] = lambda: None,
    ) -> None:
        """``places``: pictures waiting or running at once; ``batch``: pictures of one run.

        ``on_failure`` is called where the painter cannot be loaded.
        """
        self._painter = painter
        self._warm_up = warm_up
        self._places = places
        self._batch = batch
        self._metrics = metrics
        self._on_failure = on_failure
        self._pace = Pace()
        self._waiting: deque[Commission] = deque()
        self._running: tuple[Commission, ...] = ()
        self._has_changed = anyio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="painter")
        self._opened = AsyncExitStack()
        self._is_stopping = False
        self.is_ready = False
        self.is_draining = False
        self.failure: BaseException | None = None

    async def __aenter__(self) -> Self:
        """Begin to load the painter; orders are taken once ``is_ready``."""
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

    @property
    def turns(self) -> int:
        """Pictures that wait or are being drawn."""
        return len(self._waiting) + len(self._running)

    @contextmanager
    def place(self, wishes: Sequence[Wish], canvas: Canvas, *, is_alone: bool) -> Iterator[Order]:
        """Hold places for the wishes; leaving the block gives up what is not drawn yet.

        ``is_alone``: each of them has a run of the pipeline to itself.

        Raises:
            Refusal: the queue is full (with when to come back), or the painter is not ready.
            Draining: the server is shutting down.
        """
        self._check_room(len(wishes))
        order = Order(wishes, canvas, is_alone=is_alone)
        self._waiting.extend(order.commissions)
        self._note()
        try:
            yield order
        finally:
            self._give_up(order)

    async def drain(self, limit_s: float) -> None:
        """Refuse new orders, give the others ``limit_s`` seconds, then end them."""
        self.is_draining = True
        await self._wait_until_empty(limit_s)
        for commission in (*self._waiting, *self._running):
            commission.order.fail(Draining("the server is shutting down"))
        await self._wait_until_empty(_CLOSING_S)

    def _check_room(self, wanted: int) -> None:
        if self.is_draining:
            raise Draining("the server is shutting down")
        if not self.is_ready:
            raise Refusal(
                "the model is being loaded",
                code=ErrorCode.ENGINE_UNAVAILABLE,
                retry_after_s=_LOADING_S,
            )
        if self.turns + wanted > self._places:
            self._metrics.refused.inc(wanted)
            held = sum(one.canvas.work for one in (*self._waiting, *self._running))
            raise Refusal(
                f"{self.turns} pictures wait or are being drawn; at most {self._places} may",
                code=ErrorCode.QUEUE_FULL,
                retry_after_s=self._pace.seconds(held),
            )

    def _give_up(self, order: Order) -> None:
        for commission in order.commissions:
            if commission in self._waiting:
                self._waiting.remove(commission)
                self._metrics.cancelled.labels("waiting").inc()
            elif commission in self._running and not commission.has_left:
                self._metrics.cancelled.labels("running").inc()
            commission.has_left = True
        self._note()

    def _note(self) -> None:
        """Tell the figures and whoever waits that the queue has changed."""
        self._metrics.waiting.set(len(self._waiting))
        self._metrics.running.set(len(self._running))
        self._has_changed.set()
        self._has_changed = anyio.Event()

    async def _wait_until_empty(self, limit_s: float) -> None:
        with anyio.move_on_after(limit_s):
            while self.turns:
                await self._has_changed.wait()

    async def _work(self) -> None:
        self.failure = await self._load()
        if self.failure is not None:
            self._on_failure()
            return
        self.is_ready = True
        try:
            while True:
                while not self._waiting:
                    await self._has_changed.wait()
                await self._draw(self._next_batch())
        finally:
            self.is_ready = False

    async def _load(self) -> BaseException | None:
        """Load and warm up; what is measured then is the first pace."""
        loaded = await self._in_thread(partial(self._painter.load))
        if loaded.exception() is not None:
            return loaded.exception()
        began = time.monotonic()
        draw = partial(self._painter.draw, (_WARM_UP,), self._warm_up, self._goes_on)
        drawn = await self._in_thread(draw)
        if drawn.exception() is None:
            self._pace.note(self._warm_up.work, time.monotonic() - began)
        return drawn.exception()

    def _next_batch(self) -> tuple[Commission, ...]:
        """The first in the queue, with those behind it that can be drawn in the same run."""
        head = self._waiting[0]
        alike = [one for one in self._waiting if one is head or head.goes_with(one)]
        return tuple(alike[: self._batch])

    async def _draw(self, batch: tuple[Commission, ...]) -> None:
        began = time.monotonic()
        for commission in batch:
            self._waiting.remove(commission)
            self._metrics.wait_seconds.observe(began - commission.ordered)
        self._running = batch
        self._note()
        self._metrics.batches.inc()
        loop = asyncio.get_running_loop()

        def on_step(step: int) -> bool:
            loop.call_soon_threadsafe(self._report, batch, step)
            return self._goes_on(step) and not all(one.has_left for one in batch)

        canvas = batch[0].canvas
        wishes = tuple(one.wish for one in batch)
        drawn = await self._in_thread(partial(self._painter.draw, wishes, canvas, on_step))
        self._running = ()
        self._hand_over(batch, drawn, time.monotonic() - began)
        self._note()

    def _hand_over(
        self,
        batch: tuple[Commission, ...],
        drawn: "asyncio.Future[tuple[Drawing, ...] | None]",
        seconds: float,
    ) -> None:
        if (error := drawn.exception()) is not None:
            for commission in batch:
                commission.order.fail(error)
            return
        drawings = drawn.result()
        if drawings is None:
            return
        self._pace.note(batch[0].canvas.work * len(batch), seconds)
        for commission, drawing in zip(batch, drawings, strict=True):
            self._metrics.pictures.inc()
            self._metrics.picture_seconds.observe(seconds / len(batch))
            self._metrics.cut_prompts.inc(drawing.prompt != commission.wish.prompt)
            commission.finish(drawing)

    def _report(self, batch: tuple[Commission, ...], step: int) -> None:
        self._metrics.steps.inc(bool(step))
        for commission in batch:
            commission.advance(step)

    def _goes_on(self, _step: int) -> bool:
        return not self._is_stopping

    async def _in_thread(self, call: "partial[T]") -> "asyncio.Future[T]":
        """Run ``call`` in the painter's thread; the future that is returned is done."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, call)
        await asyncio.wait([future])
        return future
