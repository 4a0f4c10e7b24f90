"""The ledger: what each request used and what that costs, reserved before and settled after it."""

from serving.billing.bills import Bill, Billing, open_billing
from serving.billing.ledger import Entry, Ledger, open_ledger
from serving.billing.prices import PriceList, Prices, read_prices
from serving.billing.records import (
    Allowance,
    BilledLeg,
    Exhausted,
    IdempotencyKey,
    Measure,
    Period,
    Reservation,
    Taken,
    WholeReply,
)
from serving.billing.repeats import AlreadyDone

__all__ = [
    "Allowance",
    "AlreadyDone",
    "Bill",
    "BilledLeg",
    "Billing",
    "Entry",
    "Exhausted",
    "IdempotencyKey",
    "Ledger",
    "Measure",
    "Period",
    "PriceList",
    "Prices",
    "Reservation",
    "Taken",
    "WholeReply",
    "open_billing",
    "open_ledger",
    "read_prices",
]
