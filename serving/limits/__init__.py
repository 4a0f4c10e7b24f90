"""How fast accounts and groups may ask: requests and tokens a minute."""

from serving.limits.buckets import Buckets
from serving.limits.rates import Hold, Kind, Pacer, Rate, Standing, Verdict, Want

__all__ = ["Buckets", "Hold", "Kind", "Pacer", "Rate", "Standing", "Verdict", "Want"]
