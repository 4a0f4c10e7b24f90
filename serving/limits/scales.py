"""How much a bucket holds, how fast it fills, and what its level means to a request."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from serving.limits.rates import MINUTE_S, Rate, Standing, Want

ROUNDING: Final = 1e-6
"""Of levels, which are not whole: who comes when told to is let in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """Buckets for a ``share`` of each rate: a minute's worth, which fills evenly in a minute.

    A bucket holds one at least, so that a small share lets somebody in now and then.
    """

    share: float = 1.0

    def size(self, rate: Rate) -> float:
        """What a full bucket holds; a rate of 0 lets nothing in."""
        return max(1.0, rate.per_minute * self.share) if rate.per_minute else 0.0

    def flow(self, rate: Rate) -> float:
        """What flows in each second."""
        return rate.per_minute * self.share / MINUTE_S

    def seconds(self, rate: Rate, amount: float) -> float:
        """How long a bucket takes to fill by ``amount``."""
        return amount / self.flow(rate) if rate.per_minute else math.inf

    def wait_s(self, wants: Sequence[Want], levels: Sequence[float]) -> float:
        """How long until all of ``wants`` fit, 0 where they do: of too large ones, a bucketful."""
        wait_s = 0.0
        for want, level in zip(wants, levels, strict=True):
            missing = min(want.amount, self.size(want.rate)) - level
            if missing > ROUNDING or not want.rate.per_minute:
                wait_s = max(wait_s, self.seconds(want.rate, missing))
        return wait_s

    def standing(self, rate: Rate, level: float) -> Standing:
        """What is left at a level, which debts make negative."""
        missing = self.size(rate) - level
        whole_in_s = self.seconds(rate, missing) if missing > 0 else 0.0
        return Standing(rate, max(0, math.floor(level)), whole_in_s)
