"""Reads the processor time of a gateway, of what measures it, and of everything else at once."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import click

from evals.bench.gateway.targets import Target
from evals.bench.processes import list_family, read_cpu_s, read_machine_s, read_resident_mib

_IDLE_S: Final = 2.0
_FALLING: Final = 0.8
_MOST_READINGS: Final = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """Seconds until now: by the clock, of the gateway, of the simulator, of the whole machine."""

    at: float
    gateway_s: float | None
    engine_s: float
    machine_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Meter:
    """What is read around each load of one target."""

    target: Target
    engine_pid: int

    def read(self) -> Reading:
        """The present reading.

        Raises:
            click.ClickException: the gateway has ended.
        """
        return Reading(
            at=time.monotonic(),
            gateway_s=None if self.target.pid is None else read_cpu_s(self._family()),
            engine_s=read_cpu_s([self.engine_pid]),
            machine_s=read_machine_s(),
        )

    def resident_mib(self) -> float | None:
        """Memory of the gateway's processes."""
        return None if self.target.pid is None else read_resident_mib(self._family())

    def idle_share(self) -> float | None:
        """Share of a core that the gateway takes with nothing to do, once it has started."""
        if self.target.pid is None:
            return None
        return settled(self._share() for _ in range(_MOST_READINGS))

    def _share(self) -> float:
        before = self.read()
        time.sleep(_IDLE_S)
        after = self.read()
        return ((after.gateway_s or 0.0) - (before.gateway_s or 0.0)) / (after.at - before.at)

    def _family(self) -> Sequence[int]:
        try:
            return list_family(self.target.pid or 0)
        except OSError as error:
            raise click.ClickException(
                f"{self.target.name!r}: process {self.target.pid} is gone or another user's"
            ) from error


def settled(shares: Iterable[float]) -> float:
    """The first share that is followed by none clearly smaller.

    A gateway that answers may still be starting its workers: what that takes is not its rest, and
    no measurement may begin before it is over.
    """
    last = float("inf")
    for share in shares:
        if share >= _FALLING * last:
            return min(share, last)
        last = share
    return last
