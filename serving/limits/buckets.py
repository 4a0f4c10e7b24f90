"""Rates in the memory of one process: token buckets, which fill evenly."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from chatbot.ports import Clock
from serving.limits.rates import MINUTE_S, Kind, Rate, Standing, Verdict, Want
from serving.limits.scales import Scale

MOST_KEPT: Final = 100_000
"""Buckets in memory; at one more, those that are full are forgotten, which changes nothing."""
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
        self._scale = Scale(share=share)
        self._levels: dict[_Key, _Level] = {}

    async def take(self, wants: Sequence[Want]) -> Verdict:
        """Let a request in, or say when; nothing else runs in between."""
        now = self._clock.monotonic()
        levels = [self._level(want.rate, now) for want in wants]
        wait_s = self._scale.wait_s(wants, levels)
        if wait_s == 0:
            for place, want in enumerate(wants):
                levels[place] -= want.amount
                self._keep(want.rate, levels[place], now)
        standing = self._scale.standing
        standings = [standing(want.rate, one) for want, one in zip(wants, levels, strict=True)]
        return Verdict(wait_s, standings, self.correct)

    def correct(self, rate: Rate, amount: int) -> None:
        """Give back, never more than a bucket holds, or take more."""
        now = self._clock.monotonic()
        level = min(self._scale.size(rate), self._level(rate, now) + amount)
        self._keep(rate, level, now)

    async def look(self, rates: Sequence[Rate]) -> Sequence[Standing]:
        """What is left."""
        now = self._clock.monotonic()
        return [self._scale.standing(rate, self._level(rate, now)) for rate in rates]

    def _level(self, rate: Rate, now: float) -> float:
        size = self._scale.size(rate)
        kept = self._levels.get((rate.subject, rate.kind))
        if kept is None:
            return size
        level, at = kept
        return min(size, level + (now - at) * self._scale.flow(rate))

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
