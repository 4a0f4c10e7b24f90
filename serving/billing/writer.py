"""The one writer of a process: a thread with its own connection that commits in groups."""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from anyio import to_thread
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from chatbot.errors import StorageUnavailable
from serving.billing.gathering import Gathering
from serving.billing.held import HeldConnection
from serving.billing.leftovers import Leftovers
from serving.billing.orders import Batch, Look, Order, Reserve, Sync
from serving.billing.records import ABANDONED, Accepted, Outcome, Settlement
from serving.storage.failures import Locked, translate

_log = logging.getLogger(__name__)

GROUP: Final = 512
"""Orders of one transaction, and at most as many more."""
WAITING: Final = 65_536
"""Orders that may wait in memory; endings are always taken, they are as many as were reserved."""
_PAUSE_S: Final = 0.05
"""Between two attempts where the database cannot be written."""
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

    def __init__(
        self,
        engine: Engine,
        leftovers: Leftovers,
        *,
        observe: Callable[[float], None] | None = None,
    ) -> None:
        """``observe`` is told the seconds that each group took, in the writer's thread.

        What others left is ended with the first group, and then from time to time.
        """
        self._connection = HeldConnection(engine)
        self._leftovers = leftovers
        self._observe = observe
        self._queue: queue.SimpleQueue[list[Order]] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._gathering = Gathering(self._hand_over)
        self._handed_over = 0
        self._taken = 0
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)
        self._is_closing = False
        self._gives_up = False
        self._has_ended = False
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
            if self._handed_over - self._taken + len(self._gathering) >= WAITING:
                raise StorageUnavailable(_FULL)
        self._gathering.put(order)
        if self._is_closing:
            self._gathering.flush()

    def hurry(self) -> None:
        """Somebody waits for what was ordered."""
        self._gathering.hurry()

    async def close(self, limit_s: float) -> None:
        """Write what waits, for at most ``limit_s`` seconds, and end."""
        self._is_closing = True
        self._gathering.flush()
        await to_thread.run_sync(self._join, limit_s)

    def _join(self, limit_s: float) -> None:
        self._queue.put([])
        self._thread.join(limit_s)
        self._gives_up = True
        self._queue.put([])
        self._thread.join()

    def _hand_over(self, group: list[Order]) -> None:
        """Give a group to the thread, which is woken once for all of it."""
        self._handed_over += len(group)
        self._queue.put(group)

    def _run(self) -> None:
        kept: list[Order] = []
        try:
            while not self._is_done(kept):
                taken = self._take(waits=not kept)
                kept = self._commit([*self._look(), *kept, *taken])
        finally:
            self._end(kept)

    def _look(self) -> list[Order]:
        """What is to be done beside orders by now."""
        return [Look(leftovers=self._leftovers)] if self._leftovers.is_due else []

    def _is_done(self, kept: Sequence[Order]) -> bool:
        return self._gives_up or (self._is_closing and not kept and self._queue.empty())

    def _take(self, *, waits: bool) -> list[Order]:
        """The next orders, if any; waits for less where some are left to do."""
        orders: list[Order] = []
        try:
            orders += self._queue.get(timeout=self._leftovers.every_s if waits else _PAUSE_S)
            while len(orders) < GROUP:
                orders += self._queue.get_nowait()
        except queue.Empty:
            pass
        self._taken += len(orders)
        return orders

    def _commit(self, orders: Sequence[Order]) -> list[Order]:
        """Write ``orders`` and return those that have to be tried again."""
        if not orders:
            return []
        batch = Batch.of(orders)
        began = time.monotonic()
        doubtful: list[Reserve] = []

        def write(connection: Connection) -> Sequence[Outcome]:
            outcomes = batch.write(connection)
            doubtful.extend(batch.reserves)  # a server may die after it has committed
            return outcomes

        try:
            with translate():
                outcomes = self._connection.transact(write)
        except Locked as error:
            return self._refuse(batch, error, until=began)
        except StorageUnavailable as error:
            return [*self._refuse(batch, error), *map(_voided, doubtful)]
        except _UNFIT as error:
            return self._divide(orders, error)
        self.fault = None
        if self._observe is not None:
            self._observe(time.monotonic() - began)
        for one, outcome in zip(batch.reserves, outcomes, strict=True):
            one.told = outcome
        self._wake_all(batch.reserves, batch.syncs)
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
        self._fail(late, error)
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
        self._fail(broken, StorageUnavailable(_BROKEN))
        return []

    def _end(self, kept: Sequence[Order]) -> None:
        """Nobody waits for a writer that has ended."""
        self._has_ended = True
        self._connection.close()
        self.fault = self.fault or _GONE
        left = [*kept]
        while not self._queue.empty():
            left += self._queue.get()
        batch = Batch.of(left)
        if number := len(batch.settlements):
            _log.error("ledger_settlements_lost", extra={"number": number, "error": self.fault})
        self._fail(batch.reserves, StorageUnavailable(_GONE))
        self._wake_all((), batch.syncs)

    def _fail(self, reserves: Sequence[Reserve], error: StorageUnavailable) -> None:
        for one in reserves:
            one.told = error
        self._wake_all(reserves, ())

    def _wake_all(self, reserves: Sequence[Reserve], syncs: Sequence[Sync]) -> None:
        """Wake whoever waits for these, by one call; who comes later finds what was told."""
        waited_for = [one for one in reserves if one.waiter is not None or one.has_left]
        if waited_for or syncs:
            self._loop.call_soon_threadsafe(self._wake, waited_for, syncs)

    def _wake(self, reserves: Sequence[Reserve], syncs: Sequence[Sync]) -> None:
        """In the event loop; who had left by then has ended, or has no use of what was reserved."""
        waiters = [one.waiter for one in reserves] + [one.answer for one in syncs]
        for waiter in waiters:
            if waiter is not None and not waiter.done():
                waiter.set_result(None)
        for one in reserves:
            if one.has_left and isinstance(one.told, Accepted):
                self.put(one.ending or _voided(one))


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
