"""The queue of rows: in order, bounded, generated in static batches by one thread."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from types import TracebackType
from typing import Final, Self, TypeAlias, TypeVar

import anyio
from anyio import to_thread

from chatbot.errors import Draining, ErrorCode
from serving.http.errors import Refusal
from serving.reference.metrics import ReferenceMetrics
from serving.reference.row import Row
from serving.reference.row_text import Order, Piece, RowText
from serving.reference.token_model import Prompt, RowSampling, TokenModel

_CLOSING_S: Final = 1.0
_LOADING_S: Final = 10.0
_WARM_UP: Final = "Raz, dwa"
T = TypeVar("T")
Step: TypeAlias = tuple[tuple[Row, Piece], ...]


class BatchQueue:
    """Hands rows to one model; an async context manager that owns the model's thread.

    A batch is filled until it has ``batch`` rows or the first has waited for ``wait_s``, and runs
    until its longest row has ended; whoever comes meanwhile waits for the next. ``failure`` is why
    the model could not be loaded, once that is known.
    """

    def __init__(
        self,
        model: TokenModel,
        *,
        batch: int,
        wait_s: float,
        places: int,
        metrics: ReferenceMetrics,
        on_failure: Callable[[], None] = lambda: None,
    ) -> None:
        """``places``: rows waiting or running at once.

        ``on_failure`` is called where the model cannot be loaded.
        """
        self.model = model
        self._batch = batch
        self._wait_s = wait_s
        self._places = places
        self._metrics = metrics
        self._on_failure = on_failure
        self._batch_s = 0.0
        self._waiting: deque[Row] = deque()
        self._running: tuple[Row, ...] = ()
        self._has_changed = anyio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._opened = AsyncExitStack()
        self._is_stopping = False
        self.is_ready = False
        self.is_draining = False
        self.failure: BaseException | None = None

    async def __aenter__(self) -> Self:
        """Begin to load the model; rows are taken once ``is_ready``."""
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
        """Rows that wait, or are generated and not at their end."""
        return len(self._waiting) + sum(_is_wanted(row) for row in self._running)

    def check_room(self) -> None:
        """Whether one more row would be taken.

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
        if self.turns >= self._places:
            self._metrics.refused.inc()
            raise Refusal(
                f"{self.turns} requests wait or are being answered; at most {self._places} may",
                code=ErrorCode.QUEUE_FULL,
                retry_after_s=self._batch_s,
            )

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

    async def drain(self, limit_s: float) -> None:
        """Refuse new rows, give the others ``limit_s`` seconds, then end them."""
        self.is_draining = True
        await self._wait_until_empty(limit_s)
        for row in (*self._waiting, *self._running):
            if _is_wanted(row):
                row.fail(Draining("the server is shutting down"))
        await self._wait_until_empty(_CLOSING_S)

    def _give_up(self, row: Row) -> None:
        if row in self._waiting:
            self._waiting.remove(row)
            self._metrics.cancelled.labels("waiting").inc()
        elif _is_wanted(row):
            self._metrics.cancelled.labels("running").inc()
        row.has_left = True
        self._note()

    def _note(self) -> None:
        """Tell the figures and whoever waits that the queue has changed."""
        self._metrics.waiting.set(len(self._waiting))
        self._metrics.running.set(sum(_is_wanted(row) for row in self._running))
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
                await self._fill()
                rows = [self._waiting.popleft() for _ in self._waiting_rows()]
                if rows:
                    await self._run(tuple(rows))
        finally:
            self.is_ready = False

    async def _load(self) -> BaseException | None:
        """Load, and generate one token."""
        loaded = await self._in_thread(partial(self.model.load))
        if loaded.exception() is not None:
            return loaded.exception()
        return (await self._in_thread(partial(_warm_up, self.model))).exception()

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

    async def _in_thread(self, call: "partial[T]") -> "asyncio.Future[T]":
        """Run ``call`` in the model's thread; the future that is returned is done."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, call)
        await asyncio.wait([future])
        return future


def _is_wanted(row: Row) -> bool:
    return row.finish is None and not row.has_left


def _warm_up(model: TokenModel) -> None:
    prompt = Prompt(
        ids=model.read_text(_WARM_UP, has_start=True), sampling=RowSampling(seed=0, temperature=0.0)
    )
    model.begin((prompt,)).step()


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
