"""The ledger as the gateway uses it: reserve before the first byte, settle once at the end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Final
from zoneinfo import ZoneInfo

import anyio
from sqlalchemy import URL, Engine, create_engine

from chatbot.errors import StorageUnavailable, ZwrotnicaError
from chatbot.ports import Clock
from serving.billing.leftovers import Leftovers
from serving.billing.orders import Begin, Reserve, Sync
from serving.billing.presence import Presence
from serving.billing.prices import PriceList
from serving.billing.records import (
    ABANDONED,
    Accepted,
    BilledLeg,
    Exhausted,
    Finish,
    KeptReply,
    NewEntry,
    Note,
    Reservation,
    Settlement,
    Taken,
)
from serving.billing.writer import Writer
from serving.settings import StorageSettings
from serving.storage.backends import backend_of, find_url
from serving.storage.modes import LEDGER, WRITES

_GRACE_S: Final = 1.0
_SLOW: Final = "the disk of the database takes too long"
CLOSING_S: Final = 5.0
"""For how long the end of a process waits for what is not on the disk yet."""


class Entry:
    """One request that has been reserved; it is settled once, further endings change nothing."""

    __slots__ = ("_ledger", "_noted", "entry_id", "is_settled")

    def __init__(self, ledger: "Ledger", entry_id: str) -> None:
        """The row is on the disk."""
        self._ledger = ledger
        self._noted: Sequence[BilledLeg] = ()
        self.entry_id = entry_id
        self.is_settled = False

    def note(self, legs: Sequence[BilledLeg]) -> None:
        """Write down all legs known by now: they are charged even if this process dies."""
        if not self.is_settled and len(legs) > len(self._noted):
            self._noted = legs
            self._ledger.put(Note(entry_id=self.entry_id, legs=legs))

    def settle(
        self,
        legs: Sequence[BilledLeg],
        *,
        finish: Finish,
        error: str | None = None,
        kept: KeptReply | None = None,
    ) -> None:
        """End the request: these are all its legs, what was noted first; returns at once."""
        if self.is_settled:
            return
        self.is_settled = True
        self._ledger.put(
            Settlement(
                entry_id=self.entry_id,
                ended_at=self._ledger.now(),
                legs=legs if len(legs) >= len(self._noted) else self._noted,
                finish=finish,
                error=error,
                kept=kept,
            )
        )


class Pending:
    """A reservation on its way to the disk; left before it is there, it is none.

    A request that ends so early is written all the same where it failed or has cost something,
    though nobody waits for it.
    """

    __slots__ = ("_ledger", "_order")

    def __init__(self, ledger: "Ledger", order: Reserve) -> None:
        """The order is given."""
        self._ledger = ledger
        self._order = order

    async def confirm(self, *, hurries: bool = True) -> Entry | Taken | Exhausted:
        """The entry, as soon as it is on the disk, or why there is none.

        Who does not hurry waits for others to share a transaction, for some milliseconds. Whoever
        is interrupted has still to `leave` or to `end`.

        Raises:
            StorageUnavailable: it cannot be written within ``storage.wait_s``.
        """
        if self._order.told is None:
            if hurries:
                self._ledger.hurry()
            await self._wait()
        match self._order.told:
            case Accepted():
                return Entry(self._ledger, self._order.entry.entry_id)
            case Taken() | Exhausted() as refused:
                return refused
            case ZwrotnicaError() as error:
                raise error
            case _:
                raise StorageUnavailable(_SLOW)

    def end(self, legs: Sequence[BilledLeg], *, finish: Finish, error: str | None) -> None:
        """End the request; returns at once."""
        self._order.ending = Settlement(
            entry_id=self._order.entry.entry_id,
            ended_at=self._ledger.now(),
            legs=legs,
            finish=finish,
            error=error,
        )
        if (entry := self.leave()) is not None:
            entry.settle(legs, finish=finish, error=error)

    def leave(self) -> Entry | None:
        """The entry where it is on the disk by now; else there will be none."""
        order = self._order
        order.has_left = True
        if order.told is None:
            return None
        order.has_left = False
        return (
            Entry(self._ledger, order.entry.entry_id) if isinstance(order.told, Accepted) else None
        )

    def abandon(self) -> None:
        """Nobody needs it any more: what is on the disk by now is made void."""
        if (entry := self.leave()) is not None:
            entry.settle((), finish="cancelled", error=ABANDONED)

    async def _wait(self) -> None:
        """Wait until something is told, however long a disk takes that does not answer."""
        order, loop = self._order, asyncio.get_running_loop()
        order.waiter = waiter = loop.create_future()
        if order.told is not None:
            return
        left_s = order.deadline + _GRACE_S - monotonic()
        timer = loop.call_later(max(0.0, left_s), _stop_waiting, waiter)
        try:
            await waiter
        finally:
            timer.cancel()
        if order.told is None:
            raise StorageUnavailable(_SLOW)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Day:
    """A day of a time zone, from one midnight to the next."""

    name: str
    begins: datetime
    ends: datetime

    @classmethod
    def of(cls, moment: datetime, zone: ZoneInfo) -> "_Day":
        """The day that ``moment`` is in."""
        day = moment.astimezone(zone).date()
        return cls(
            name=day.isoformat(),
            begins=datetime.combine(day, time.min, zone).astimezone(UTC),
            ends=datetime.combine(day + timedelta(days=1), time.min, zone).astimezone(UTC),
        )


class Ledger:
    """Reservations and settlements of one process; see `open_ledger`."""

    def __init__(
        self,
        writer: Writer,
        *,
        name: str,
        clock: Clock,
        new_id: Callable[[], str],
        zone: ZoneInfo,
        prices: PriceList,
        wait_s: float,
    ) -> None:
        """``name`` is the writer's, ``zone`` the one in which days begin.

        Ids of entries follow each other: a database finds their places next to each other.
        """
        self._writer = writer
        self._name = name
        self._clock = clock
        self._first_id = new_id()
        self._number = count(1)
        self._zone = zone
        self._today = _Day.of(clock.now(), zone)
        self._prices = prices
        self._wait_s = wait_s

    @property
    def fault(self) -> str | None:
        """Why nothing can be written now, as far as the writer has met it."""
        return self._writer.fault

    def now(self) -> datetime:
        """The time by which rows are dated."""
        return self._clock.now()

    def put(self, order: Note | Settlement) -> None:
        """Have ``order`` written some time; returns at once."""
        self._writer.put(order)

    def hurry(self) -> None:
        """Somebody waits for what was begun."""
        self._writer.hurry()

    def begin(self, wanted: Reservation) -> Pending:
        """Have a request put into the ledger; returns at once.

        Raises:
            StorageUnavailable: the writer has ended, or too many wait for it.
        """
        deadline = monotonic() + self._wait_s
        order = Reserve(entry=self._entry(wanted), deadline=deadline)
        self._writer.put(order)
        return Pending(self, order)

    async def reserve(self, wanted: Reservation) -> Entry | Taken | Exhausted:
        """Put a request into the ledger and return its entry, or why it gets none.

        Raises:
            StorageUnavailable: see `Pending.confirm`.
        """
        pending = self.begin(wanted)
        try:
            return await pending.confirm()
        except BaseException:
            pending.abandon()
            raise

    def _entry(self, wanted: Reservation) -> NewEntry:
        now = self._clock.now()
        if not self._today.begins <= now < self._today.ends:
            self._today = _Day.of(now, self._zone)
        return NewEntry(
            entry_id=f"{self._first_id}{next(self._number):08x}",
            created_at=now,
            day=self._today.name,
            price_version=self._prices.version,
            writer=self._name,
            reservation=wanted,
        )

    async def sync(self) -> None:
        """Return when everything ordered before is on the disk."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._writer.put(Sync(answer=answer))
        await answer


def _stop_waiting(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


@asynccontextmanager
async def open_ledger(
    storage: StorageSettings,
    data_dir: Path,
    *,
    clock: Clock,
    new_id: Callable[[], str],
    zone: ZoneInfo,
    prices: PriceList,
    lost_s: float,
    observe: Callable[[float], None] | None = None,
    closing_s: float = CLOSING_S,
) -> AsyncIterator[Ledger]:
    """The ledger of this process, on the database of ``storage``, whose tables are there already.

    It ends what dead processes left reserved, and what those of other data folders do not end
    within ``lost_s`` seconds. Leaving waits up to ``closing_s`` seconds for
    what is not written yet.

    Raises:
        SettingsError: the address of the database is of no use.
        OSError: the data folder cannot be written.
    """
    presence = Presence(data_dir)
    name = presence.name(new_id())
    engine = connect(find_url(storage, data_dir), storage)
    writer = Writer(engine, Leftovers(presence, clock=clock, lost_s=lost_s), observe=observe)
    with presence.hold(name):
        writer.put(
            Begin(
                now=clock.now(),
                price_version=prices.version,
                prices=prices.text,
            )
        )
        writer.start()
        try:
            yield Ledger(
                writer,
                name=name,
                clock=clock,
                new_id=new_id,
                zone=zone,
                prices=prices,
                wait_s=storage.wait_s,
            )
        finally:
            with anyio.CancelScope(shield=True):
                await writer.close(closing_s)
            engine.dispose()


def connect(url: URL, settings: StorageSettings) -> Engine:
    """The connection of a thread to the database at ``url``; its transactions write the ledger."""
    backend = backend_of(url)
    engine = create_engine(
        backend.for_thread(url),
        pool_size=1,
        max_overflow=0,
        hide_parameters=True,
        **backend.arguments(settings),
    )
    backend.equip(engine)
    return engine.execution_options(**{WRITES: True, LEDGER: True})
