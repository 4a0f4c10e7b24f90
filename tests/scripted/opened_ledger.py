"""A ledger on a file, as the gateway opens it, and the rows that it has written."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from zoneinfo import ZoneInfo

from scripted.databases import storage_in, stranger_in
from scripted.ledgers import OWNER, Rows, read_rows

from chatbot.ports import Clock
from chatbot.testing import ManualClock
from serving.billing import Entry, Ledger, PriceList, Reservation, open_ledger
from serving.billing.ledger import CLOSING_S
from serving.settings.billing import BillingSettings

_IDS = count(1)
WARSAW = ZoneInfo("Europe/Warsaw")


def new_id() -> str:
    """An id that no other process has."""
    return f"id-{os.getpid()}-{next(_IDS)}"


@asynccontextmanager
async def open_in(
    folder: Path,
    *,
    clock: Clock | None = None,
    prices: PriceList | None = None,
    closing_s: float = CLOSING_S,
    observe: Callable[[float], None] | None = None,
    **settings: float,
) -> AsyncIterator[Ledger]:
    """``settings`` are those of `StorageSettings`."""
    async with open_ledger(
        storage_in(folder, **settings),
        folder,
        clock=clock or ManualClock(),
        new_id=new_id,
        zone=WARSAW,
        prices=prices or PriceList(),
        closing_s=closing_s,
        lost_s=BillingSettings().lost_s,
        observe=observe,
    ) as ledger:
        yield ledger


def wanted(*, owner: str = OWNER, amount: int = 0, request_id: str = "request-1") -> Reservation:
    return Reservation(
        owner=owner, request_id=request_id, model="bielik", path="by_name", amount=amount
    )


async def begin(ledger: Ledger, *, amount: int = 0) -> Entry:
    """An entry that nothing stands in the way of."""
    entry = await ledger.reserve(wanted(amount=amount))
    assert isinstance(entry, Entry)
    return entry


def rows_in(folder: Path) -> Rows:
    """What others see of the ledger in ``folder``."""
    return read_rows(stranger_in(folder))


def states_in(folder: Path) -> dict[str, int]:
    """How many requests are in which state."""
    states = [row["state"] for row in rows_in(folder).requests.values()]
    return {state: states.count(state) for state in set(states)}
