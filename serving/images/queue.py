"""The queue of pictures: in order, bounded, drawn in batches, left at once by who has gone."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from chatbot.errors import Draining
from serving.images.metrics import ImageMetrics, Pace
from serving.images.order import Commission, Order
from serving.images.painter import Canvas, Drawing, Painter, Wish
from serving.model_server.queue import ModelQueue

_WARM_UP: Final = Wish(prompt="a lighthouse at dusk", seed=0)


class PictureQueue(ModelQueue[Commission]):
    """Hands pictures to one painter."""

    _FULL = "pictures wait or are being drawn"

    def __init__(
        self,
        painter: Painter,
        *,
        warm_up: Canvas,
        places: int,
        batch: int,
        metrics: ImageMetrics,
    ) -> None:
        """``places``: pictures waiting or running at once; ``batch``: pictures of one run.

        ``warm_up``: what is drawn before the first order.
        """
        super().__init__(places=places, metrics=metrics)
        self._painter = painter
        self._first = warm_up
        self._batch = batch
        self._metrics = metrics
        self._pace = Pace()

    @contextmanager
    def place(self, wishes: Sequence[Wish], canvas: Canvas, *, is_alone: bool) -> Iterator[Order]:
        """Hold places for the wishes; leaving the block gives up what is not drawn yet.

        ``is_alone``: each of them has a run of the pipeline to itself.

        Raises:
            Refusal: as `check_room`.
            Draining: as `check_room`.
        """
        self.check_room(len(wishes))
        order = Order(wishes, canvas, is_alone=is_alone)
        self._waiting.extend(order.commissions)
        self._note()
        try:
            yield order
        finally:
            self._give_up(order)

    def _give_up(self, order: Order) -> None:
        for commission in order.commissions:
            if commission in self._waiting:
                self._waiting.remove(commission)
                self._metrics.cancelled.labels("waiting").inc()
            elif commission in self._running and not commission.has_left:
                self._metrics.cancelled.labels("running").inc()
            commission.has_left = True
        self._note()

    def _load(self) -> None:
        self._painter.load()

    def _warm_up(self) -> None:
        """Draw one picture; what is measured then is the first pace."""
        began = time.monotonic()
        self._painter.draw((_WARM_UP,), self._first, self._goes_on)
        self._pace.note(self._first.work, time.monotonic() - began)

    def _count_running(self) -> int:
        return len(self._running)

    def _end_all(self, error: Draining) -> None:
        for commission in (*self._waiting, *self._running):
            commission.order.fail(error)

    def _backlog_s(self) -> float:
        return self._pace.seconds(sum(one.canvas.work for one in (*self._waiting, *self._running)))

    async def _run_batch(self) -> None:
        while not self._waiting:
            await self._has_changed.wait()
        await self._draw(self._next_batch())

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
