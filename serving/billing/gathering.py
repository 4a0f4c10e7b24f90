"""What waits in the event loop until its group begins: the fewer groups, the less they cost."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from serving.billing.orders import Order, Reserve, Sync
from serving.billing.records import Settlement

PACE_S: Final = 0.010
"""For how long what nobody hurries waits for others, and between two groups at least."""
HELD_S: Final = 0.05
"""For how long endings may wait for others, while nobody asks for what they set free."""


class Gathering:
    """Hands orders over in groups; it belongs to its event loop, where alone it is used.

    Endings wait the longest. What depends on others' endings takes them with it.
    """

    def __init__(self, hand_over: Callable[[list[Order]], None]) -> None:
        """``hand_over`` is given each group, in the order in which its parts came."""
        self._hand_over = hand_over
        self._loop = asyncio.get_running_loop()
        self._orders: list[Order] = []
        self._ends: list[Order] = []
        self._ends_due = 0.0
        self._takes_ends = False
        self._began = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def __len__(self) -> int:
        """How many orders wait here."""
        return len(self._orders) + len(self._ends)

    def put(self, order: Order) -> None:
        """Have ``order`` handed over with others, soon."""
        now = time.monotonic()
        if isinstance(order, Settlement) and order.kept is None:
            if not self._ends:
                self._ends_due = now + HELD_S
                self._wake_at(self._ends_due, now)
            self._ends.append(order)
            return
        self._orders.append(order)
        if _asks_for_ends(order):
            self._takes_ends = True
            self._wake_at(self._began + PACE_S, now)
        else:
            self._wake_at(now + PACE_S, now)

    def hurry(self) -> None:
        """Somebody waits for what is here: its group begins as soon as the pace allows."""
        if self._orders:
            self._wake_at(self._began + PACE_S, time.monotonic())

    def flush(self) -> None:
        """Hand over everything now."""
        self._takes_ends = True
        self._begin()

    def _wake_at(self, due: float, now: float) -> None:
        if self._timer is not None:
            if due >= self._due:
                return
            self._timer.cancel()
        self._due = due
        self._timer = self._loop.call_later(max(0.0, due - now), self._begin)

    def _begin(self) -> None:
        """Begin a group; endings that could not wait for the next one go with it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = time.monotonic()
        group, self._orders = self._orders, []
        if self._ends and (self._takes_ends or self._ends_due < now + PACE_S):
            group = [*self._ends, *group]
            self._ends = []
        elif self._ends:
            self._wake_at(self._ends_due, now)
        self._takes_ends = False
        if group:
            self._began = now
            self._hand_over(group)


def _asks_for_ends(order: Order) -> bool:
    """Whether others' endings decide about ``order``, or somebody may ask for it at once."""
    match order:
        case Reserve():
            wanted = order.entry.reservation
            return wanted.idempotency is not None or bool(wanted.allowances)
        case Settlement() | Sync():
            return True
        case _:
            return False
