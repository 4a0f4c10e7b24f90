"""The ledger: what each request used and what that costs, reserved before and settled after it."""

from serving.billing.ledger import Entry, Ledger, PriceList, open_ledger
from serving.billing.records import (
    Allowance,
    BilledLeg,
    Exhausted,
    IdempotencyKey,
    Reservation,
    Taken,
)

__all__ = [
    "Allowance",
    "BilledLeg",
    "Entry",
    "Exhausted",
    "IdempotencyKey",
    "Ledger",
    "PriceList",
    "Reservation",
    "Taken",
    "open_ledger",
]
