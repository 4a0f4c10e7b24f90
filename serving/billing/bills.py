"""The bill of one request: opened when it is let in, settled whatever ends it."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from zoneinfo import ZoneInfo

from chatbot.errors import ErrorCode, ZwrotnicaError
from chatbot.ports import Clock
from chatbot.types import Leg
from serving.billing.exhausted import tell_exhausted, tell_running
from serving.billing.ledger import Entry, Ledger, Pending, open_ledger
from serving.billing.prices import Prices, read_prices
from serving.billing.records import (
    Allowance,
    BilledLeg,
    Exhausted,
    Finish,
    KeptReply,
    Reservation,
    Taken,
    WholeReply,
    paid_tokens,
)
from serving.billing.repeats import refuse_taken
from serving.http.errors import Refusal
from serving.settings import Settings

_SOON_S: Final = 1.0
"""After how long a request may have ended: nobody knows."""


class Bill:
    """What one request has used so far; leaving the block settles it, by what ended it.

    ``finish`` and ``error`` say how it ended where no exception does; without either, its client
    has left.
    """

    __slots__ = (
        "_entry",
        "_kept",
        "_legs",
        "_on_end",
        "_pending",
        "_prices",
        "_room",
        "error",
        "finish",
    )

    def __init__(
        self,
        prices: Prices,
        pending: Pending | None = None,
        *,
        room: int = 0,
        on_end: Callable[[int], None] | None = None,
    ) -> None:
        """Without ``pending`` nothing is written; ``room`` is for an owner's kept replies.

        ``on_end`` hears how many tokens the user pays.
        """
        self._on_end = on_end
        self._kept: KeptReply | None = None
        self._room = room
        self._prices = prices
        self._pending = pending
        self._entry: Entry | None = None
        self._legs: Sequence[BilledLeg] = ()
        self.finish: Finish | None = None
        self.error: str | None = None

    async def confirm(self, *, hurries: bool = True) -> None:
        """Wait until the reservation is on the disk: nothing is given to a client before.

        Who has to wait for an engine anyway need not hurry: see `Pending.confirm`.

        Raises:
            StorageUnavailable: it cannot be written within ``storage.wait_s``.
            Refusal: the budget does not cover it, or its idempotency key is in use.
            AlreadyDone: a request with the same idempotency key and payload was answered.
        """
        if self._pending is None:
            return
        outcome = await self._pending.confirm(hurries=hurries)
        self._pending = None
        match outcome:
            case Entry() as entry:
                self._entry = entry
            case Exhausted(allowance=Allowance(measure="running")) as exhausted:
                code = ErrorCode.RATE_LIMIT_EXCEEDED
                raise Refusal(tell_running(exhausted), code=code, retry_after_s=_SOON_S)
            case Exhausted() as exhausted:
                told = tell_exhausted(exhausted, currency=self._prices.currency)
                raise Refusal(told, code=ErrorCode.BUDGET_EXCEEDED)
            case Taken() as taken:
                raise refuse_taken(taken)

    def keep(self, reply: WholeReply) -> None:
        """Keep this for who sends the request again, if it ends whole and has a key for that."""
        self._kept = KeptReply(reply=reply, room=self._room)

    def use(self, legs: Iterable[Leg]) -> None:
        """These are all engine calls of the request so far."""
        self._legs = tuple(map(self._prices.bill, legs))

    def give(self, legs: Iterable[Leg]) -> None:
        """As `use`, and the house pays for all of them."""
        self._legs = tuple(replace(self._prices.bill(leg), payer="house") for leg in legs)

    def charge(self, *legs: BilledLeg) -> None:
        """Add what the request has used, priced already."""
        self._legs = (*self._legs, *legs)

    def note(self) -> None:
        """Write down what is used by now, so that it is charged even if this process dies."""
        if self._entry is not None and self._legs:
            self._entry.note(self._legs)

    def __enter__(self) -> Self:
        """The request goes on."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Settle; what never came to the disk was never reserved, unless it failed or cost."""
        if self._on_end is not None:
            self._on_end(paid_tokens(self._legs))
        finish, code = self._end(error)
        if self._pending is not None and (code is not None or self._legs):
            self._pending.end(self._legs, finish=finish, error=code)
        elif self._pending is not None:
            self._pending.abandon()
        if self._entry is not None:
            self._entry.settle(self._legs, finish=finish, error=code, kept=self._kept)

    def _end(self, error: BaseException | None) -> tuple[Finish, str | None]:
        match error:
            case ZwrotnicaError():
                return "failed", error.code.value
            case Exception():
                return "failed", ErrorCode.INTERNAL_ERROR.value
            case None if self.error is not None:
                return "failed", self.error
            case None if self.finish is not None:
                return self.finish, None
            case _:
                return "cancelled", None


class Billing:
    """Opens bills; where the ledger is switched off, they are written nowhere."""

    def __init__(self, ledger: Ledger | None, prices: Prices, *, room: int = 0) -> None:
        """``ledger`` is open for as long as bills are; ``room``: of an owner's kept replies."""
        self._room = room
        self.prices = prices
        self.ledger = ledger

    @property
    def fault(self) -> str | None:
        """Why nothing can be written now, if so."""
        return None if self.ledger is None else self.ledger.fault

    def begin(self, wanted: Reservation) -> Bill:
        """A bill whose reservation is on its way to the disk: see `Bill.confirm`.

        Raises:
            StorageUnavailable: nothing is written any more, or too much waits for it.
        """
        if self.ledger is None:
            return Bill(self.prices, on_end=wanted.on_end)
        pending = self.ledger.begin(wanted)
        return Bill(self.prices, pending, room=self._room, on_end=wanted.on_end)


@asynccontextmanager
async def open_billing(
    settings: Settings,
    *,
    clock: Clock,
    new_id: Callable[[], str],
    observe: Callable[[float], None] | None = None,
) -> AsyncIterator[Billing]:
    """Bills on the database of ``settings``, whose tables are there already.

    Raises:
        SettingsError: a price is for an engine that is not configured.
    """
    prices = read_prices(settings)
    if not settings.billing.enabled:
        yield Billing(None, prices)
        return
    async with open_ledger(
        settings.storage,
        Path(settings.data_dir),
        clock=clock,
        new_id=new_id,
        zone=ZoneInfo(settings.billing.time_zone),
        prices=prices.list,
        lost_s=settings.billing.lost_s,
        observe=observe,
    ) as ledger:
        yield Billing(ledger, prices, room=settings.billing.kept_account_bytes)
