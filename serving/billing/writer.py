"""The one writer of a process: a thread with its own connection that commits in groups."""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from chatbot.errors import StorageUnavailable
from serving.billing.orders import Batch, Order, Reserve, Sync, Told
from serving.billing.records import ABANDONED, Accepted, Settlement
from serving.storage.failures import Locked, translate

_log = logging.getLogger(__name__)

GROUP: Final = 512
"""Orders of one transaction at most."""
WAITING: Final = 65_536
"""Orders that may wait in memory; endings are always taken, they are as many as were reserved."""
_PAUSE_S: Final = 0.05
"""Between two attempts where the database cannot be written."""
PACE_S: Final = 0.010
"""Between the beginnings of two groups at least, so that busy times make large groups."""
HELD_S: Final = 0.05
"""For how long endings may wait for others, while nobody asks for what they set free."""
_GONE: Final = "the ledger's writer has ended; restart the gateway"
_BROKEN: Final = "the ledger cannot write this request; its log says why"
_UNFIT: Final = (SQLAlchemyError, ArithmeticError, TypeError, ValueError)
"""What a driver makes of a value that no column takes."""
_FULL: Final = "too many requests wait for the ledger"


class Writer:
    """Writes orders in groups: what comes while one group is committed makes the next.

    A locked, full or failing database loses nothing that was ordered to be settled: it is tried
    again until it works, and new reservations are refused meanwhile.
    """

    def __init__(self, engine: Engine, *, observe: Callable[[float], None] | None = None) -> None:
        """``observe`` is told the seconds that each group took, in the writer's thread."""
        self._engine = engine
        self._observe = observe
        self._queue: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)
        self._is_closing = False
        self._gives_up = False
        self._has_ended = False
        self._began = 0.0
        self._held: list[Order] = []
        self._held_since = 0.0
        self.fault: str | None = None

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def put(self, order: Order) -> None:
        """Have ``order`` written; returns at once.

        Raises:
            StorageUnavailable: somebody would wait for it, and too many wait already or nobody
                writes any more.
        """
        if isinstance(order, Reserve | Sync):
            if self._has_ended or self._is_closing:
                raise StorageUnavailable(_GONE)
            if self._queue.qsize() >= WAITING:
                raise StorageUnavailable(_FULL)
        self._queue.put(order)

    def close(self, limit_s: float) -> None:
        """Write what waits, for at most ``limit_s`` seconds, and end; it blocks its thread."""
        self._is_closing = True
        self._queue.put(None)
        self._thread.join(limit_s)
        self._gives_up = True
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        kept: list[Order] = []
        try:
            while not self._is_done(kept):
                kept = self._commit(kept + self._choose(self._take(waits=not kept)))
        finally:
            self._end(kept)

    def _is_done(self, kept: Sequence[Order]) -> bool:
        is_left = kept or self._held or not self._queue.empty()
        return self._gives_up or (self._is_closing and not is_left)

    def _take(self, *, waits: bool) -> list[Order]:
        """The next orders: wait for a first one, or for a moment where some are left to do."""
        orders: list[Order] = []
        try:
            order = self._queue.get(timeout=self._longest_wait() if waits else _PAUSE_S)
            self._let_gather()
            while True:
                if order is not None:
                    orders.append(order)
                if len(orders) >= GROUP:
                    return orders
                order = self._queue.get_nowait()
        except queue.Empty:
            return orders

    def _longest_wait(self) -> float | None:
        return max(0.0, self._held_since + HELD_S - time.monotonic()) if self._held else None

    def _choose(self, orders: Sequence[Order]) -> list[Order]:
        """What has to be written now; endings wait for others, and for whoever asks for them."""
        if not self._held:
            self._held_since = time.monotonic()
        if self._is_closing or self._longest_wait() == 0.0 or any(map(_asks_for_ends, orders)):
            chosen, self._held = [*self._held, *orders], []
            return chosen
        self._held += filter(_can_wait, orders)
        return [order for order in orders if not _can_wait(order)]

    def _let_gather(self) -> None:
        """What comes within the pace goes with the next group; in quiet times nothing waits."""
        rest_s = self._began + PACE_S - time.monotonic()
        if rest_s > 0 and not self._is_closing:
            time.sleep(rest_s)
        self._began = time.monotonic()

    def _commit(self, orders: Sequence[Order]) -> list[Order]:
        """Write ``orders`` and return those that have to be tried again."""
        if not orders:
            return []
        batch = Batch.of(orders)
        began = time.monotonic()
        doubtful: Sequence[Reserve] = ()
        try:
            with translate(), self._engine.begin() as connection:
                outcomes = batch.write(connection)
                doubtful = batch.reserves  # a server may die after it has committed
        except Locked as error:
            return self._refuse(batch, error, until=began)
        except StorageUnavailable as error:
            return [*self._refuse(batch, error), *map(_voided, doubtful)]
        except _UNFIT as error:
            return self._divide(orders, error)
        self.fault = None
        if self._observe is not None:
            self._observe(time.monotonic() - began)
        told = zip(batch.reserves, outcomes, strict=True)
        self._tell(batch, [Told(reserve=one, outcome=outcome) for one, outcome in told])
        return []

    def _refuse(
        self, batch: Batch, error: StorageUnavailable, *, until: float | None = None
    ) -> list[Order]:
        """Keep what ends; tell new requests, where it is a lock only those out of patience.

        Where the database fails, on a full disk for one, replies are not tried again: what is
        charged needs the little room that may be left.
        """
        self.fault = error.message
        late = [one for one in batch.reserves if until is None or one.deadline <= until]
        self._tell(Batch(), [Told(reserve=one, error=error) for one in late])
        waiting = [] if until is None else [one for one in batch.reserves if one.deadline > until]
        kept = batch.kept() if until is not None else map(_without_reply, batch.kept())
        return [*kept, *waiting]

    def _divide(self, orders: Sequence[Order], error: Exception) -> list[Order]:
        """One order that cannot be written takes no other with it."""
        if len(orders) > 1:
            return [left for order in orders for left in self._commit([order])]
        if orders and (light := _without_reply(orders[0])) is not orders[0]:
            return self._commit([light])
        name = type(orders[0]).__name__ if orders else "none"
        _log.error("ledger_order_lost", extra={"order": name, "error": type(error).__name__})
        broken = [one for one in orders if isinstance(one, Reserve)]
        lost = StorageUnavailable(_BROKEN)
        self._tell(Batch(), [Told(reserve=one, error=lost) for one in broken])
        return []

    def _end(self, kept: Sequence[Order]) -> None:
        """Nobody waits for a writer that has ended."""
        self._has_ended = True
        self.fault = self.fault or _GONE
        left = [*kept, *self._held, *self._take_rest()]
        batch = Batch.of(left)
        if number := len(batch.settlements):
            _log.error("ledger_settlements_lost", extra={"number": number, "error": self.fault})
        gone = StorageUnavailable(_GONE)
        self._tell(batch, [Told(reserve=one, error=gone) for one in batch.reserves])

    def _take_rest(self) -> list[Order]:
        rest: list[Order] = []
        while not self._queue.empty():
            order = self._queue.get()
            if order is not None:
                rest.append(order)
        return rest

    def _tell(self, batch: Batch, told: Sequence[Told]) -> None:
        """Wake everybody who waits for these, by one call into the event loop."""
        if told or batch.syncs:
            syncs = [one.answer for one in batch.syncs]
            self._loop.call_soon_threadsafe(self._wake, told, syncs)

    def _wake(self, told: Sequence[Told], syncs: Sequence[asyncio.Future[None]]) -> None:
        """In the event loop, where alone it is known who still waits."""
        for one in told:
            answer = one.reserve.answer
            if answer.done():
                self._void(one)
            elif one.error is not None:
                answer.set_exception(one.error)
            elif one.outcome is not None:
                answer.set_result(one.outcome)
        for sync in syncs:
            if not sync.done():
                sync.set_result(None)

    def _void(self, told: Told) -> None:
        """What was reserved for somebody who had left by then is not used."""
        if isinstance(told.outcome, Accepted):
            self.put(_voided(told.reserve))


def _voided(reserve: Reserve) -> Settlement:
    """The end of what nobody uses, which changes nothing where it was never begun."""
    return Settlement(
        entry_id=reserve.entry.entry_id,
        ended_at=reserve.entry.created_at,
        legs=(),
        finish="cancelled",
        error=ABANDONED,
    )


def _without_reply(order: Order) -> Order:
    """The same end of a request, with nothing kept of what was answered."""
    if isinstance(order, Settlement) and order.kept is not None:
        return replace(order, kept=None)
    return order


def _can_wait(order: Order) -> bool:
    """Whether it is an end alone, without a reply that somebody may ask for again."""
    return isinstance(order, Settlement) and order.kept is None


def _asks_for_ends(order: Order) -> bool:
    """Whether what others have used, or which keys are free, decides about ``order``."""
    match order:
        case Reserve():
            wanted = order.entry.reservation
            return wanted.idempotency is not None or bool(wanted.allowances)
        case Sync():
            return True
        case _:
            return False
