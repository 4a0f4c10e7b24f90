"""The queue of rows: in order, bounded, generated in static batches by one thread."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeAlias

import anyio

from chatbot.errors import Draining
from serving.model_server.queue import ModelQueue
from serving.reference.metrics import ReferenceMetrics
from serving.reference.row import Row
from serving.reference.row_text import Order, Piece, RowText
from serving.reference.token_model import Prompt, RowSampling, TokenModel

_WARM_UP: Final = "Raz, dwa"
Step: TypeAlias = tuple[tuple[Row, Piece], ...]


class BatchQueue(ModelQueue[Row]):
    """Hands rows to one model in static batches.

    A batch is filled until it has ``batch`` rows or the first has waited for ``wait_s``, and runs
    until its longest row has ended; whoever comes meanwhile waits for the next.
    """

    _FULL = "requests wait or are being answered"

    def __init__(
        self,
        model: TokenModel,
        *,
        batch: int,
        wait_s: float,
        places: int,
        metrics: ReferenceMetrics,
    ) -> None:
        """``places``: rows waiting or running at once."""
        super().__init__(places=places, metrics=metrics)
        self.model = model
        self._batch = batch
        self._wait_s = wait_s
        self._metrics = metrics
        self._batch_s = 0.0

    @contextmanager
    def place(self, order: Order) -> Iterator[Row]:
        """Hold a place for a row; leaving the block gives up what is not generated yet.

        Raises:
            Refusal: as `check_room`.
            Draining: as `check_room`.
        """
        self.check_room()
        row = Row(order)
        self._waiting.append(row)
        self._note()
        try:
            yield row
        finally:
            self._give_up(row)

    def _give_up(self, row: Row) -> None:
        if row in self._waiting:
            self._waiting.remove(row)
            self._metrics.cancelled.labels("waiting").inc()
        elif _is_wanted(row):
            self._metrics.cancelled.labels("running").inc()
        row.has_left = True
        self._note()

    def _load(self) -> None:
        self.model.load()

    def _warm_up(self) -> None:
        """Generate one token."""
        ids = self.model.read_text(_WARM_UP, has_start=True)
        prompt = Prompt(ids=ids, sampling=RowSampling(seed=0, temperature=0.0))
        self.model.begin((prompt,)).step()

    def _count_running(self) -> int:
        return sum(_is_wanted(row) for row in self._running)

    def _end_all(self, error: Draining) -> None:
        for row in (*self._waiting, *self._running):
            if _is_wanted(row):
                row.fail(error)

    def _backlog_s(self) -> float:
        return self._batch_s

    async def _run_batch(self) -> None:
        await self._fill()
        rows = [self._waiting.popleft() for _ in self._waiting_rows()]
        if rows:
            await self._run(tuple(rows))

    async def _fill(self) -> None:
        """Wait for a first row, then for as many as go along within the time."""
        while not self._waiting:
            await self._has_changed.wait()
        with anyio.move_on_after(self._wait_s):
            while len(self._waiting) < self._batch and not self.is_draining:
                await self._has_changed.wait()

    def _waiting_rows(self) -> range:
        return range(min(self._batch, len(self._waiting)))

    async def _run(self, rows: tuple[Row, ...]) -> None:
        began = time.monotonic()
        for row in rows:
            self._metrics.wait_seconds.observe(began - row.ordered)
            self._metrics.prompt_tokens.inc(len(row.order.ids))
        self._metrics.batches.inc()
        self._running = rows
        self._note()
        loop = asyncio.get_running_loop()

        def on_step(step: Step, idle: int, seconds: float) -> bool:
            loop.call_soon_threadsafe(self._deliver, step, idle, seconds)
            return not self._is_stopping

        done = await self._in_thread(partial(_generate, self.model, rows, on_step))
        self._running = ()
        self._batch_s = time.monotonic() - began
        if (error := done.exception()) is not None:
            for row in rows:
                if _is_wanted(row):
                    row.fail(error)
        self._note()

    def _deliver(self, step: Step, idle: int, seconds: float) -> None:
        """Hand over what one step of the model has brought, in the loop."""
        self._metrics.step_seconds.observe(seconds)
        self._metrics.generated_tokens.inc(len(step))
        self._metrics.idle_tokens.inc(idle)
        for row, piece in step:
            if not row.tokens:
                self._metrics.first_token_seconds.observe(time.monotonic() - row.ordered)
            row.deliver(piece)
        self._note()


def _is_wanted(row: Row) -> bool:
    return row.finish is None and not row.has_left


def _generate(
    model: TokenModel, rows: Sequence[Row], on_step: Callable[[Step, int, float], bool]
) -> None:
    """Generate the rows in the calling thread until all have ended or nobody waits for them.

    ``on_step`` is told what each step brings to the rows that go on, for how many others it was
    computed, and its seconds; once it returns false nothing further is computed.
    """
    batch = model.begin([Prompt(ids=row.order.ids, sampling=row.order.sampling) for row in rows])
    texts = [RowText(row.order, model) for row in rows]
    goes_on = True
    while goes_on and not all(
        text.is_done or row.has_left for row, text in zip(rows, texts, strict=True)
    ):
        began = time.monotonic()
        tokens = batch.step()
        seconds = time.monotonic() - began
        step = tuple(
            (row, text.take(token))
            for row, text, token in zip(rows, texts, tokens, strict=True)
            if not (text.is_done or row.has_left)
        )
        goes_on = on_step(step, len(rows) - len(step), seconds)
