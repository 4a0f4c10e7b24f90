from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Semaphore

import anyio
import pytest
from scripted.http_client import wait_for
from scripted.token_model import ScriptedTokenModel

from chatbot.errors import Draining, ErrorCode, ZwrotnicaError
from serving.http.errors import Refusal
from serving.reference.batching import BatchQueue
from serving.reference.metrics import ReferenceMetrics
from serving.reference.row_text import Order
from serving.reference.token_model import RowSampling

FOREVER_S = 3600.0


@asynccontextmanager
async def opened(
    model: ScriptedTokenModel,
    *,
    batch: int = 4,
    wait_s: float = 0.0,
    places: int = 16,
    metrics: ReferenceMetrics | None = None,
) -> AsyncIterator[BatchQueue]:
    queue = BatchQueue(
        model,
        batch=batch,
        wait_s=wait_s,
        places=places,
        metrics=metrics or ReferenceMetrics(),
    )
    async with queue:
        await wait_for(lambda: queue.is_ready)
        yield queue


def order(text: str) -> Order:
    return Order(ids=tuple(text.encode()), sampling=RowSampling(seed=0), max_tokens=100)


async def answer(queue: BatchQueue, text: str, into: list[str] | None = None) -> str:
    told, finish = "", None
    with queue.place(order(text)) as row:
        while finish is None:
            read = await row.read()
            told, finish = told + read.text, read.finish
    if into is not None:
        into.append(told)
    return told


async def test_a_row_alone_is_answered() -> None:
    async with opened(ScriptedTokenModel()) as queue:
        assert await answer(queue, "żółw") == "żółw"


async def test_a_full_batch_does_not_wait() -> None:
    model = ScriptedTokenModel()
    async with (
        opened(model, batch=2, wait_s=FOREVER_S) as queue,
        anyio.create_task_group() as group,
    ):
        group.start_soon(answer, queue, "a")
        group.start_soon(answer, queue, "b")
    assert model.asked() == [["a", "b"]]


async def test_who_comes_while_a_batch_runs_waits_for_the_next() -> None:
    model = ScriptedTokenModel()
    model.gate.clear()
    ended: list[str] = []
    async with opened(model) as queue, anyio.create_task_group() as group:
        group.start_soon(answer, queue, "long row", ended)
        await wait_for(lambda: len(model.batches) == 1)
        group.start_soon(answer, queue, "b", ended)
        await wait_for(lambda: queue.turns == 2)
        model.gate.set()
    assert model.asked() == [["long row"], ["b"]]
    assert ended == ["long row", "b"]


async def test_a_batch_runs_until_its_longest_row_has_ended() -> None:
    model, metrics = ScriptedTokenModel(), ReferenceMetrics()
    async with opened(model, batch=2, wait_s=FOREVER_S, metrics=metrics) as queue:
        async with anyio.create_task_group() as group:
            group.start_soon(answer, queue, "a")
            group.start_soon(answer, queue, "abcd")
        await wait_for(lambda: queue.turns == 0)
    assert model.steps == len("abcd") + 1
    assert metrics.registry.get_sample_value("zwrotnica_reference_idle_tokens_total") == 3
    assert metrics.registry.get_sample_value("zwrotnica_reference_generated_tokens_total") == 7


async def test_a_short_row_is_whole_before_a_long_one_of_its_batch() -> None:
    model = ScriptedTokenModel(permits=Semaphore(2))
    async with (
        opened(model, batch=2, wait_s=FOREVER_S) as queue,
        anyio.create_task_group() as group,
    ):
        group.start_soon(answer, queue, "a long one")
        assert await answer(queue, "b") == "b"
        assert model.steps == 2
        group.cancel_scope.cancel()
        assert model.permits is not None
        model.permits.release(len("a long one"))  # it may take some before it hears of its leaving


async def test_a_batch_that_nobody_waits_for_ends_within_a_step() -> None:
    model, metrics = ScriptedTokenModel(permits=Semaphore(1)), ReferenceMetrics()
    assert model.permits is not None
    async with opened(model, metrics=metrics) as queue:
        with queue.place(order("a long one")) as row:
            await row.read()
        assert queue.turns == 0
        model.permits.release(2)
        assert await answer(queue, "") == ""
    # Its first, at most the one that had begun when it was left, and that of the next order.
    assert model.steps <= 3
    cancelled = metrics.registry.get_sample_value(
        "zwrotnica_reference_cancelled_total", {"phase": "running"}
    )
    assert cancelled == 1


async def test_a_row_that_leaves_while_it_waits_is_never_generated() -> None:
    model = ScriptedTokenModel()
    model.gate.clear()
    async with opened(model) as queue, anyio.create_task_group() as group:
        group.start_soon(answer, queue, "a")
        await wait_for(lambda: len(model.batches) == 1)
        with queue.place(order("b")):
            assert queue.turns == 2
        model.gate.set()
    assert model.asked() == [["a"]]


async def test_a_full_queue_refuses_one_more() -> None:
    model = ScriptedTokenModel()
    model.gate.clear()
    async with opened(model, places=1) as queue, anyio.create_task_group() as group:
        group.start_soon(answer, queue, "a")
        await wait_for(lambda: queue.turns == 1)
        with pytest.raises(Refusal, match="at most 1 may") as caught:
            await answer(queue, "b")
        model.gate.set()
    assert caught.value.code == ErrorCode.QUEUE_FULL


async def test_an_error_of_the_model_ends_its_batch_and_not_the_next() -> None:
    model = ScriptedTokenModel(step_error=ZwrotnicaError("no memory"))
    async with opened(model) as queue:
        with pytest.raises(ZwrotnicaError, match="no memory"):
            await answer(queue, "a")
        model.step_error = None
        assert await answer(queue, "b") == "b"


async def test_a_model_that_cannot_be_loaded_is_told() -> None:
    queue = BatchQueue(
        ScriptedTokenModel(load_error=ZwrotnicaError("no weights")),
        batch=1,
        wait_s=0.0,
        places=1,
        metrics=ReferenceMetrics(),
    )
    async with queue:
        await wait_for(lambda: queue.failure is not None)
        with pytest.raises(Refusal, match="being loaded"):
            queue.check_room()
    assert str(queue.failure) == "no weights"


async def test_draining_lets_a_running_row_end_and_refuses_new_ones() -> None:
    model = ScriptedTokenModel()
    model.gate.clear()
    ended: list[str] = []
    async with opened(model) as queue, anyio.create_task_group() as group:
        group.start_soon(answer, queue, "a", ended)
        await wait_for(lambda: len(model.batches) == 1)
        group.start_soon(queue.drain, FOREVER_S)
        await wait_for(lambda: queue.is_draining)
        with pytest.raises(Draining):
            queue.check_room()
        model.gate.set()
    assert ended == ["a"]


async def test_draining_ends_what_takes_too_long() -> None:
    model = ScriptedTokenModel(permits=Semaphore(0))
    assert model.permits is not None
    async with opened(model) as queue:
        with queue.place(order("a")) as row:
            await wait_for(lambda: len(model.batches) == 1)
            await queue.drain(0.0)
            with pytest.raises(Draining):
                await row.read()
        model.permits.release()
