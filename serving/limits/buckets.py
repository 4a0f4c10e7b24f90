"""Rates in the memory of one process: token buckets, which fill evenly."""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from chatbot.ports import Clock
from serving.limits.rates import MINUTE_S, Kind, Rate, Standing, Verdict, Want

MOST_KEPT: Final = 100_000
"""Buckets in memory; at one more, those that are full are forgotten, which changes nothing."""
_ROUNDING: Final = 1e-6
"""Of levels, which are not whole: who comes when told to is let in."""
_Key: TypeAlias = tuple[str, Kind]
_Level: TypeAlias = tuple[float, float]


class Buckets:
    """A bucket for each rate: it holds a minute's worth and fills at the same pace, all the time.

    Each of several processes has its ``share`` of every rate; a bucket holds one at least, so that
    together they let no more in than the rate, for longer than a moment.
    """

    def __init__(self, *, clock: Clock, share: float = 1.0) -> None:
        """All buckets are full."""
        self._clock = clock
        self._share = share
        self._levels: dict[_Key, _Level] = {}

    async def take(self, wants: Sequence[Want]) -> Verdict:
        """Let a request in, or say when; nothing else runs in between."""
        now = self._clock.monotonic()
        levels = [self._level(want.rate, now) for want in wants]
        wait_s = 0.0
        for want, level in zip(wants, levels, strict=True):
            missing = min(want.amount, self._size(want.rate)) - level
            if missing > _ROUNDING or not want.rate.per_minute:
                wait_s = max(wait_s, self._seconds(want.rate, missing))
        if wait_s == 0:
            for place, want in enumerate(wants):
                levels[place] -= want.amount
                self._keep(want.rate, levels[place], now)
        return Verdict(
            wait_s,
            [self._standing(want.rate, level) for want, level in zip(wants, levels, strict=True)],
        )

    def correct(self, rate: Rate, amount: int) -> None:
        """Give back, never more than a bucket holds, or take more."""
        now = self._clock.monotonic()
        self._keep(rate, min(self._size(rate), self._level(rate, now) + amount), now)

    async def look(self, rates: Sequence[Rate]) -> Sequence[Standing]:
        """What is left."""
        now = self._clock.monotonic()
        return [self._standing(rate, self._level(rate, now)) for rate in rates]

    def _size(self, rate: Rate) -> float:
        """What a full bucket holds; a rate of 0 lets nothing in."""
        return max(1.0, rate.per_minute * self._share) if rate.per_minute else 0.0

    def _seconds(self, rate: Rate, amount: float) -> float:
        """How long a bucket takes to fill by ``amount``."""
        if not rate.per_minute:
            return math.inf
        return amount * MINUTE_S / (rate.per_minute * self._share)

    def _level(self, rate: Rate, now: float) -> float:
        size = self._size(rate)
        kept = self._levels.get((rate.subject, rate.kind))
        if kept is None:
            return size
        level, at = kept
        return min(size, level + (now - at) * rate.per_minute * self._share / MINUTE_S)

    def _keep(self, rate: Rate, level: float, now: float) -> None:
        if len(self._levels) >= MOST_KEPT:
            self._forget_full(now)
        self._levels[rate.subject, rate.kind] = level, now

    def _forget_full(self, now: float) -> None:
        """What was not asked for in the last minute is full, unless it is deep in debt."""
        self._levels = {
            key: (level, at)
            for key, (level, at) in self._levels.items()
            if level < 0 or now - at < MINUTE_S
        }

    def _standing(self, rate: Rate, level: float) -> Standing:
        missing = self._size(rate) - level
        return Standing(
            rate, max(0, math.floor(level)), self._seconds(rate, missing) if missing > 0 else 0.0
        )
