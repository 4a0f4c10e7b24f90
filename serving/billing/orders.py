"""What waits for the ledger's writer, and how what waits together is written together."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection

from chatbot.errors import ZwrotnicaError
from serving.billing import store
from serving.billing.leftovers import Leftovers
from serving.billing.records import NewEntry, Note, Outcome, Settlement


@dataclass(kw_only=True, slots=True, eq=False)
class Reserve:
    """A reservation that its request waits for, until ``deadline`` in monotonic seconds.

    The writer's thread alone sets ``told``, once, and looks then at the rest, which the event loop
    alone sets and then looks at ``told``: so one of the two sees what the other has done. Who has
    left is written only where there is an ``ending``, which is set before.
    """

    entry: NewEntry
    deadline: float
    told: Outcome | ZwrotnicaError | None = None
    waiter: asyncio.Future[None] | None = None
    ending: Settlement | None = None
    has_left: bool = False


@dataclass(kw_only=True, slots=True)
class Sync:
    """Asks to be told when everything ordered before is on the disk."""

    answer: asyncio.Future[None]


@dataclass(kw_only=True, slots=True)
class Begin:
    """What a writer does first: keep what its prices mean."""

    now: datetime
    price_version: str
    prices: str

    def write(self, connection: Connection) -> None:
        """Do it."""
        store.keep_prices(connection, version=self.price_version, prices=self.prices, now=self.now)


@dataclass(kw_only=True, slots=True)
class Look:
    """What a writer does now and then: end what others left."""

    leftovers: Leftovers


Order: TypeAlias = Begin | Look | Reserve | Settlement | Note | Sync


@dataclass(kw_only=True, slots=True)
class Batch:
    """Orders that share one transaction, by kind.

    What ends comes before what begins, so that a key or an allowance that becomes free is free.
    """

    begins: list[Begin] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    reserves: list[Reserve] = field(default_factory=list)
    settlements: list[Settlement] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    syncs: list[Sync] = field(default_factory=list)

    @classmethod
    def of(cls, orders: Iterable[Order]) -> "Batch":
        """Sort ``orders``; whoever has left without an ending is left out."""
        batch = cls()
        for order in orders:
            match order:
                case Reserve() if not order.has_left or order.ending is not None:
                    batch.reserves.append(order)
                case Settlement():
                    batch.settlements.append(order)
                case Note():
                    batch.notes.append(order)
                case Sync():
                    batch.syncs.append(order)
                case Begin():
                    batch.begins.append(order)
                case Look():
                    batch.looks = [order]
                case _:
                    pass
        return batch

    def write(self, connection: Connection) -> Sequence[Outcome]:
        """Write everything and return what becomes of the reservations."""
        for begin in self.begins:
            begin.write(connection)
        for look in self.looks:
            look.leftovers.end(connection)
        store.write_legs(connection, self.notes)
        entries = [one.entry for one in self.reserves]
        return store.write(connection, self.settlements, entries)

    def kept(self) -> list[Order]:
        """What has to be written some time, whoever waits for it."""
        return [*self.begins, *self.looks, *self.notes, *self.settlements, *self.syncs]
