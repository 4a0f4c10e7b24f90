"""The ledger as the gateway uses it: reserve before the first byte, settle once at the end."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Final, assert_never
from zoneinfo import ZoneInfo

import anyio
from anyio import to_thread
from sqlalchemy import URL, Engine, create_engine

from chatbot.errors import StorageUnavailable
from chatbot.ports import Clock
from serving.billing.orders import Begin, Reserve, Sync
from serving.billing.presence import Presence
from serving.billing.prices import PriceList
from serving.billing.records import (
    Accepted,
    BilledLeg,
    Exhausted,
    Finish,
    KeptReply,
    NewEntry,
    Note,
    Outcome,
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
    """A reservation on its way to the disk; left before it is there, it is none."""

    __slots__ = ("_answer", "_entry_id", "_ledger", "_timer")

    def __init__(
        self,
        ledger: "Ledger",
        entry_id: str,
        answer: asyncio.Future[Outcome],
        timer: asyncio.TimerHandle,
    ) -> None:
        """The order is given."""
        self._ledger = ledger
        self._entry_id = entry_id
        self._answer = answer
        self._timer = timer

    async def confirm(self) -> Entry | Taken | Exhausted:
        """The entry, as soon as it is on the disk, or why there is none.

        Raises:
            StorageUnavailable: it cannot be written within ``storage.wait_s``.
        """
        try:
            outcome = await self._answer
        finally:
            self._timer.cancel()
        return self._read(outcome)

    def leave(self) -> Entry | None:
        """The entry where it is on the disk by now; else there will be none."""
        self._timer.cancel()
        if not self._answer.done():
            self._answer.cancel()
        if self._answer.cancelled() or self._answer.exception() is not None:
            return None
        found = self._read(self._answer.result())
        return found if isinstance(found, Entry) else None

    def _read(self, outcome: Outcome) -> Entry | Taken | Exhausted:
        match outcome:
            case Accepted():
                return Entry(self._ledger, self._entry_id)
            case Taken() | Exhausted():
                return outcome
            case _:
                assert_never(outcome)


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
        """``name`` is the writer's, ``zone`` the one in which days begin."""
        self._writer = writer
        self._name = name
        self._clock = clock
        self._new_id = new_id
        self._zone = zone
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

    def begin(self, wanted: Reservation) -> Pending:
        """Have a request put into the ledger; returns at once.

        Raises:
            StorageUnavailable: the writer has ended, or too many wait for it.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Outcome] = loop.create_future()
        entry = self._entry(wanted)
        deadline = time.monotonic() + self._wait_s
        self._writer.put(Reserve(entry=entry, deadline=deadline, answer=answer))
        timer = loop.call_later(self._wait_s + _GRACE_S, _give_up, answer)
        return Pending(self, entry.entry_id, answer, timer)

    async def reserve(self, wanted: Reservation) -> Entry | Taken | Exhausted:
        """Put a request into the ledger and return its entry, or why it gets none.

        Raises:
            StorageUnavailable: see `Pending.confirm`.
        """
        return await self.begin(wanted).confirm()

    def _entry(self, wanted: Reservation) -> NewEntry:
        now = self._clock.now()
        return NewEntry(
            entry_id=self._new_id(),
            created_at=now,
            day=now.astimezone(self._zone).date().isoformat(),
            price_version=self._prices.version,
            writer=self._name,
            reservation=wanted,
        )

    async def sync(self) -> None:
        """Return when everything ordered before is on the disk."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._writer.put(Sync(answer=answer))
        await answer


def _give_up(answer: asyncio.Future[Outcome]) -> None:
    """The disk takes longer than anybody waits for a lock."""
    if not answer.done():
        answer.set_exception(StorageUnavailable(_SLOW))


@asynccontextmanager
async def open_ledger(
    storage: StorageSettings,
    data_dir: Path,
    *,
    clock: Clock,
    new_id: Callable[[], str],
    zone: ZoneInfo,
    prices: PriceList,
    observe: Callable[[float], None] | None = None,
    closing_s: float = CLOSING_S,
) -> AsyncIterator[Ledger]:
    """The ledger of this process, on the database of ``storage``, whose tables are there already.

    It first ends what dead processes left reserved. Leaving waits up to ``closing_s`` seconds for
    what is not written yet.

    Raises:
        SettingsError: the address of the database is of no use.
        OSError: the data folder cannot be written.
    """
    presence = Presence(data_dir)
    name = presence.name(new_id())
    engine = connect(find_url(storage, data_dir), storage)
    writer = Writer(engine, observe=observe)
    with presence.hold(name):
        writer.put(
            Begin(
                is_alive=presence.is_alive,
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
                await to_thread.run_sync(writer.close, closing_s)
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
