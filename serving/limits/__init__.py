"""How fast accounts and groups may ask: requests and tokens a minute."""

from serving.limits.buckets import Buckets
from serving.limits.opening import open_pacer
from serving.limits.rates import (
    MINUTE_S,
    NOTHING_HELD,
    Hold,
    Kind,
    Pacer,
    Rate,
    Standing,
    Verdict,
    Want,
)

__all__ = [
    "MINUTE_S",
    "NOTHING_HELD",
    "Buckets",
    "Hold",
    "Kind",
    "Pacer",
    "Rate",
    "Standing",
    "Verdict",
    "Want",
    "open_pacer",
]
