"""Rates of all workers and servers together, and one's own share while their keeper is away."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import anyio
import structlog

from chatbot.ports import Clock
from serving.limits.buckets import Buckets
from serving.limits.keeper import Act, Keeper, KeeperAway, Kept
from serving.limits.rates import Kind, Rate, Standing, Verdict, Want
from serving.limits.scales import Scale

AGAIN_S: Final = 1.0
"""Seconds between two looks whether the keeper is back."""
_Owed: TypeAlias = dict[tuple[str, Kind], Want]
_log = structlog.get_logger()


class SharedBuckets:
    """Buckets at a keeper whom all ask; where it does not answer, ``own`` ones decide.

    Time is this process's monotonic one, moved to where the keeper is: what clocks show matters to
    nobody. What requests did not use is told to the keeper by `keep_up`, many at a time.
    """

    def __init__(
        self, keeper: Keeper, *, own: Buckets, clock: Clock, on_alone: Callable[[], None]
    ) -> None:
        """``on_alone`` hears of each request that ``own`` buckets decide."""
        self._keeper = keeper
        self._own = own
        self._clock = clock
        self._on_alone = on_alone
        self._scale = Scale()
        self._ahead_s: float | None = None
        self._is_away = False
        self._owed: _Owed = {}
        self._woken = anyio.Event()

    async def take(self, wants: Sequence[Want]) -> Verdict:
        """Let a request in, or say when."""
        kept = None if self._is_away else await self._ask("take", wants)
        if kept is None:
            self._on_alone()
            return await self._own.take(wants)
        standing = self._scale.standing
        return Verdict(
            0.0 if kept.fits else self._scale.wait_s(wants, kept.levels),
            [standing(want.rate, one) for want, one in zip(wants, kept.levels, strict=True)],
            self.correct,
        )

    def correct(self, rate: Rate, amount: int) -> None:
        """Give back or take more, as soon as the keeper can be told."""
        self._owe(Want(rate, -amount))
        self._woken.set()

    async def look(self, rates: Sequence[Rate]) -> Sequence[Standing]:
        """What is left."""
        wants = [Want(rate, 0) for rate in rates]
        kept = None if self._is_away or not rates else await self._ask("look", wants)
        if kept is None:
            return await self._own.look(rates)
        return [
            self._scale.standing(rate, one) for rate, one in zip(rates, kept.levels, strict=True)
        ]

    async def keep_up(self) -> None:
        """Tell the keeper what is owed, and look whether it is back, until cancelled."""
        while True:
            await self._woken.wait()
            self._woken = anyio.Event()
            while self._owed or self._is_away:
                if self._is_away:
                    await anyio.sleep(AGAIN_S)
                await self.settle()

    async def settle(self) -> None:
        """Tell the keeper what is owed, once; where nothing is, only whether it is there."""
        wants, self._owed = tuple(self._owed.values()), {}
        with anyio.CancelScope(shield=True):  # for as long as the keeper lets anybody wait
            kept = await self._ask("correct", wants)
        if kept is None:
            for want in wants:
                if want.amount > 0:  # it may have been told: what was given back is not given twice
                    self._owe(want)

    def _owe(self, want: Want) -> None:
        rate = want.rate
        before = self._owed.get((rate.subject, rate.kind))
        amount = want.amount + (before.amount if before else 0)
        self._owed[rate.subject, rate.kind] = Want(rate, amount)

    async def _ask(self, act: Act, wants: Sequence[Want]) -> Kept | None:
        """The keeper's answer; ``None`` where there is none, and so until it is back."""
        asked = self._clock.monotonic()
        time_s = 0.0 if self._ahead_s is None else asked + self._ahead_s
        try:
            kept = await self._keeper.ask(act, wants, time_s=time_s)
        except KeeperAway as error:
            self._lose(error)
            return None
        self._follow(kept.time_s)
        return kept

    def _follow(self, time_s: float) -> None:
        """Never be behind the keeper's time, which others may have told."""
        ahead_s = time_s - self._clock.monotonic()
        if self._ahead_s is None or ahead_s > self._ahead_s:
            self._ahead_s = ahead_s
        if self._is_away:
            self._is_away = False
            _log.info("shared_limits_back")

    def _lose(self, error: KeeperAway) -> None:
        if not self._is_away:
            self._is_away = True
            _log.error("shared_limits_away", reason=error.message)
        self._woken.set()
