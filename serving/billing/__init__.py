"""The ledger: what each request used and what that costs, reserved before and settled after it."""

from serving.billing.bills import Bill, Billing, open_billing
from serving.billing.ledger import Entry, Ledger, open_ledger
from serving.billing.prices import PriceList, Prices, read_prices
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
    "Bill",
    "BilledLeg",
    "Billing",
    "Entry",
    "Exhausted",
    "IdempotencyKey",
    "Ledger",
    "PriceList",
    "Prices",
    "Reservation",
    "Taken",
    "open_billing",
    "open_ledger",
    "read_prices",
]
