import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from threading import Semaphore

import anyio
import pytest
from scripted.painter import SMALL, ScriptedPainter
from scripted.patience import PATIENCE_S

from chatbot.errors import Draining, ErrorCode, ZwrotnicaError
from serving.http.errors import Refusal
from serving.images.metrics import ImageMetrics, Pace
from serving.images.order import Order
from serving.images.painter import Canvas, Wish
from serving.images.queue import PictureQueue

LARGE = replace(SMALL, width=128)
ENDLESS = 1_000_000


@asynccontextmanager
async def opened(
    painter: ScriptedPainter,
    *,
    places: int = 16,
    batch: int = 4,
    metrics: ImageMetrics | None = None,
) -> AsyncIterator[PictureQueue]:
    queue = PictureQueue(
        painter, warm_up=SMALL, places=places, batch=batch, metrics=metrics or ImageMetrics()
    )
    async with queue:
        await until(lambda: queue.is_ready)
        yield queue


async def until(is_so: Callable[[], bool]) -> None:
    with anyio.fail_after(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - the painter's thread wakes nobody
            await anyio.sleep(0.002)


def wishes(*seeds: int) -> tuple[Wish, ...]:
    return tuple(Wish(prompt="kot", seed=seed) for seed in seeds)


async def draw(
    queue: PictureQueue, *seeds: int, canvas: Canvas = SMALL, is_alone: bool = False
) -> Order:
    with queue.place(wishes(*seeds), canvas, is_alone=is_alone) as order:
        while not order.is_done:
            await order.change()
    return order


async def draw_behind_a_gate(
    painter: ScriptedPainter, queue: PictureQueue, *orders: tuple[int, Canvas, bool]
) -> None:
    """Place the orders in turn while a first one is being drawn, then let all be drawn."""
    painter.gate.clear()
    async with anyio.create_task_group() as group:
        group.start_soon(draw, queue, 0)
        await until(lambda: len(painter.batches) == 1)
        for place, (seed, canvas, is_alone) in enumerate(orders, start=2):
            group.start_soon(_draw_one, queue, seed, canvas, is_alone)
            await until(partial(_has_turns, queue, place))
        painter.gate.set()


def _has_turns(queue: PictureQueue, turns: int) -> bool:
    return queue.turns == turns


async def _draw_one(queue: PictureQueue, seed: int, canvas: Canvas, is_alone: bool) -> None:
    await draw(queue, seed, canvas=canvas, is_alone=is_alone)


async def test_an_order_is_drawn() -> None:
    async with opened(ScriptedPainter()) as queue:
        order = await draw(queue, 1, 2)

    assert [drawing.picture.encode("png", 100) for drawing in order.drawings] == [
        b"png 100 1 64x64",
        b"png 100 2 64x64",
    ]
    assert (order.step, order.of) == (8, 8)


async def test_pictures_of_one_size_are_drawn_together() -> None:
    painter = ScriptedPainter()
    async with opened(painter) as queue:
        waiting = [(seed, SMALL, False) for seed in range(1, 7)]
        await draw_behind_a_gate(painter, queue, *waiting)

    assert painter.batches == [(0,), (1, 2, 3, 4), (5, 6)]


async def test_the_first_is_next_and_others_of_its_size_go_along() -> None:
    painter = ScriptedPainter()
    async with opened(painter) as queue:
        waiting = ((1, LARGE, False), (2, SMALL, False), (3, LARGE, False))
        await draw_behind_a_gate(painter, queue, *waiting)

    assert painter.batches == [(0,), (1, 3), (2,)]
    assert painter.canvases == [SMALL, LARGE, SMALL]


async def test_pictures_of_other_steps_are_drawn_apart() -> None:
    painter = ScriptedPainter()
    async with opened(painter) as queue:
        waiting = ((1, SMALL, False), (2, replace(SMALL, steps=2), False))
        await draw_behind_a_gate(painter, queue, *waiting)

    assert painter.batches == [(0,), (1,), (2,)]


async def test_pictures_that_shall_be_alone_are_drawn_alone() -> None:
    painter = ScriptedPainter()
    async with opened(painter) as queue:
        waiting = ((1, SMALL, True), (2, SMALL, False), (3, SMALL, True), (4, SMALL, False))
        await draw_behind_a_gate(painter, queue, *waiting)

    assert painter.batches == [(0,), (1,), (2, 4), (3,)]


async def test_a_full_queue_refuses_and_says_when_to_come_back() -> None:
    painter = ScriptedPainter(step_s=0.05)
    began = time.monotonic()
    async with opened(painter, places=3) as queue:
        await draw(queue, 0)
        a_picture_s = time.monotonic() - began
        painter.gate.clear()
        with queue.place(wishes(1, 2), SMALL, is_alone=False):
            with pytest.raises(Refusal) as refusal, queue.place(wishes(3, 4), SMALL, is_alone=True):
                pass
            with queue.place(wishes(5), SMALL, is_alone=False):
                assert queue.turns == 3
            painter.gate.set()

    assert refusal.value.code is ErrorCode.QUEUE_FULL
    held, of_it_measured = 2, 0.3
    assert refusal.value.retry_after_s is not None
    assert held * of_it_measured * 0.2 <= refusal.value.retry_after_s <= held * a_picture_s


async def test_who_leaves_while_waiting_leaves_the_queue_at_once() -> None:
    painter = ScriptedPainter()
    metrics = ImageMetrics()
    async with opened(painter, metrics=metrics) as queue:
        painter.gate.clear()
        async with anyio.create_task_group() as group:
            group.start_soon(draw, queue, 1)
            await until(lambda: len(painter.batches) == 1)
            with queue.place(wishes(2), SMALL, is_alone=False):
                assert queue.turns == 2
            assert queue.turns == 1
            painter.gate.set()

    assert painter.batches == [(1,)]
    assert metrics.cancelled.labels("waiting")._value.get() == 1


async def test_when_all_have_left_the_run_ends_within_one_step() -> None:
    painter = ScriptedPainter(permits=Semaphore(2))
    async with opened(painter) as queue:
        with queue.place(wishes(1), replace(SMALL, steps=100), is_alone=False) as order:
            await until(lambda: order.step == 2)
        assert painter.permits is not None
        painter.permits.release(1000)
        await until(lambda: queue.turns == 0)

        assert (painter.stopped, painter.steps) == (1, 3)
        await draw(queue, 2)


async def test_a_run_goes_on_for_those_who_stay() -> None:
    painter = ScriptedPainter(permits=Semaphore(SMALL.steps + 1))
    assert painter.permits is not None
    async with opened(painter) as queue:
        painter.gate.clear()
        with queue.place(wishes(0), SMALL, is_alone=False):
            await until(lambda: len(painter.batches) == 1)
            async with anyio.create_task_group() as group:
                group.start_soon(draw, queue, 1)
                await until(lambda: queue.turns == 2)
                with queue.place(wishes(2), SMALL, is_alone=False) as order:
                    painter.gate.set()
                    await until(lambda: order.step == 1)
                painter.permits.release(1000)

    assert painter.batches == [(0,), (1, 2)]
    assert painter.stopped == 0


async def test_a_failing_run_fails_its_orders_and_no_others() -> None:
    painter = ScriptedPainter()
    async with opened(painter) as queue:
        painter.draw_error = RuntimeError("a bug")
        with pytest.raises(RuntimeError, match="a bug"):
            await draw(queue, 1)
        painter.draw_error = None

        assert len((await draw(queue, 2)).drawings) == 1


async def test_before_the_model_is_loaded_orders_are_refused() -> None:
    painter = ScriptedPainter()
    painter.may_load.clear()
    async with PictureQueue(
        painter, warm_up=SMALL, places=1, batch=1, metrics=ImageMetrics()
    ) as queue:
        with pytest.raises(Refusal, match="being loaded") as refusal:
            await draw(queue, 1)
        painter.may_load.set()
        await until(lambda: queue.is_ready)

    assert refusal.value.code is ErrorCode.ENGINE_UNAVAILABLE


async def test_a_model_that_cannot_be_loaded_is_told_of() -> None:
    painter = ScriptedPainter(load_error=ZwrotnicaError("no weights"))
    async with PictureQueue(
        painter,
        warm_up=SMALL,
        places=1,
        batch=1,
        metrics=ImageMetrics(),
    ) as queue:
        await until(lambda: queue.failure is not None)

        assert str(queue.failure) == "no weights"
        assert not queue.is_ready


async def test_draining_finishes_what_can_be_and_refuses_the_new() -> None:
    painter = ScriptedPainter(step_s=0.01)
    async with opened(painter) as queue, anyio.create_task_group() as group:
        group.start_soon(draw, queue, 1)
        await until(lambda: queue.turns == 1)
        group.start_soon(queue.drain, PATIENCE_S)
        await until(lambda: queue.is_draining)
        with pytest.raises(Draining):
            await draw(queue, 2)

    assert painter.stopped == 0


async def test_draining_ends_what_lasts_too_long() -> None:
    painter = ScriptedPainter(step_s=0.02)
    async with opened(painter) as queue, anyio.create_task_group() as group:
        group.start_soon(queue.drain, 0.05)
        with pytest.raises(Draining):
            await draw(queue, 1, canvas=replace(SMALL, steps=ENDLESS))

    assert painter.stopped == 1


async def test_closing_the_queue_ends_the_run_after_its_step() -> None:
    painter = ScriptedPainter(step_s=0.02)
    with anyio.fail_after(PATIENCE_S), ExitStack() as orders:  # who ordered stays to the end
        async with opened(painter) as queue:
            placed = queue.place(wishes(1), replace(SMALL, steps=ENDLESS), is_alone=False)
            order = orders.enter_context(placed)
            await until(lambda: order.step >= 2)

    assert painter.stopped == 1


async def test_many_orders_and_departures_leave_nothing_behind() -> None:
    painter = ScriptedPainter(step_s=0.001)
    async with opened(painter, places=200) as queue:

        async def come_and_go(number: int) -> None:
            with anyio.move_on_after(0.001 * (number % 40)):
                await draw(queue, number, is_alone=number % 3 == 0)

        await asyncio.gather(*(come_and_go(number) for number in range(120)))
        await until(lambda: queue.turns == 0)

        assert len((await draw(queue, 1)).drawings) == 1


def test_the_pace_follows_what_is_measured() -> None:
    pace = Pace()
    assert pace.seconds(100) == 0

    pace.note(100, 1.0)
    assert pace.seconds(200) == pytest.approx(2.0)

    for _ in range(20):
        pace.note(100, 3.0)
    assert pace.seconds(100) == pytest.approx(3.0, rel=0.01)
