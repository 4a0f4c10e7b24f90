"""What the ledger is told and tells, as frozen values; money in micro-units of the currency."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from chatbot.types import FinishReason, LegRole, UsageSource

PathKind: TypeAlias = Literal["chat", "by_name", "chat_api", "images", "route", "title"]
State: TypeAlias = Literal["reserved", "settled", "void"]
Payer: TypeAlias = Literal["user", "house"]
Finish: TypeAlias = FinishReason | Literal["failed"]

CRASHED: Final = "crashed"
"""Error code of what its process did not live to settle."""
ABANDONED: Final = "abandoned"
"""Error code of what was reserved for somebody who had left by then."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IdempotencyKey:
    """A client's own name for a request; the same name stands for the same payload."""

    key: str
    payload_hash: str


Measure: TypeAlias = Literal["tokens", "images", "amount", "running"]
Period: TypeAlias = Literal["day", "month", "now"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowance:
    """How much ``subject`` may use in each period, what is reserved counted.

    ``subject`` is the owner of a request, or one of its groups, whose members use it together;
    ``group`` is then that group's name. An ``amount`` is in micro-units; ``running`` are requests
    at once, of the period ``now``.
    """

    subject: str
    measure: Measure
    period: Period
    limit: int
    group: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reservation:
    """A request that is about to be served, and the most that it should cost and use.

    ``message_id``: of the answer, where it is stored; ``key_id``: the key that was used, if any.
    ``groups`` count what it uses beside its owner; ``tokens`` and ``images`` may be left out where
    no allowance asks for them. ``on_end`` hears once how many tokens its user pays.
    """

    owner: str
    request_id: str
    model: str
    path: PathKind
    amount: int = 0
    tokens: int = 0
    images: int = 0
    key_id: str | None = None
    message_id: str | None = None
    idempotency: IdempotencyKey | None = None
    groups: tuple[str, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    on_end: Callable[[int], None] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewEntry:
    """A reservation with all that its row needs; ``day`` is the institution's, as 2026-07-31."""

    entry_id: str
    created_at: datetime
    day: str
    price_version: str
    writer: str
    reservation: Reservation


@dataclass(frozen=True, kw_only=True, slots=True)
class BilledLeg:
    """One engine call with what it costs, and whom; ``ms`` where its time is known."""

    engine: str
    role: LegRole
    prompt_tokens: int
    completion_tokens: int
    source: UsageSource
    payer: Payer
    images: int = 0
    amount: int = 0
    ms: int | None = None


def paid_tokens(legs: Sequence[BilledLeg]) -> int:
    """The tokens that the user pays of engine calls."""
    return sum(leg.prompt_tokens + leg.completion_tokens for leg in legs if leg.payer == "user")


@dataclass(frozen=True, kw_only=True, slots=True)
class WholeReply:
    """All that a client was sent, as it can be sent again."""

    media_type: str
    body: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptReply:
    """A reply to be kept; ``room`` is for all replies of its owner, in bytes."""

    reply: WholeReply
    room: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Settlement:
    """How a request ended; ``error`` is the code that its client got, if any.

    ``kept`` is its reply, where it has an idempotency key and is whole.
    """

    entry_id: str
    ended_at: datetime
    legs: Sequence[BilledLeg]
    finish: Finish
    error: str | None = None
    kept: KeptReply | None = None

    @property
    def state(self) -> State:
        """Void is what failed before anything was used."""
        return "void" if self.error is not None and not self.legs else "settled"

    @property
    def charged(self) -> int:
        """What the user pays: the house pays for routing."""
        return sum(leg.amount for leg in self.legs if leg.payer == "user")

    @property
    def tokens(self) -> int:
        """The tokens that the user pays."""
        return paid_tokens(self.legs)

    @property
    def images(self) -> int:
        """The pictures that the user pays."""
        return sum(leg.images for leg in self.legs if leg.payer == "user")

    @property
    def is_whole(self) -> bool:
        """Whether its answer is one that a repeated request need not make again."""
        return self.error is None and self.finish != "cancelled"


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """The legs that are known before a request has ended."""

    entry_id: str
    legs: Sequence[BilledLeg]


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted:
    """The reservation is on the disk."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """The idempotency key is in use: by which request, and what became of that.

    ``reply`` is what that was answered, where it is kept and the payload is the same.
    """

    entry_id: str
    state: State
    is_same_payload: bool
    message_id: str | None
    reply: WholeReply | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Exhausted:
    """The allowance does not cover the reservation; ``left`` is what it still covers."""

    allowance: Allowance
    left: int


Outcome: TypeAlias = Accepted | Taken | Exhausted
