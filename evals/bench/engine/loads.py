"""How requests come: so many at a time, or at random moments whatever the server does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import click

BATCHES = (1, 2, 16, 32, 64, 128, 256, 512)
ARRIVALS = "closed | poisson:RATE | gamma:RATE:VARIATION"


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """A closed loop of ``batch`` requests at a time, or ``rate`` requests a second.

    ``variation`` is the standard deviation of the gaps between requests by their mean: 1 is a
    Poisson process, more comes in bursts.
    """

    batch: int | None = None
    rate: float | None = None
    variation: float = 1.0

    @property
    def name(self) -> str:
        """``16``, ``poisson 4/s`` or ``gamma 4/s, variation 2``."""
        if self.rate is None:
            return str(self.batch)
        if self.variation == 1:
            return f"poisson {self.rate:g}/s"
        return f"gamma {self.rate:g}/s, variation {self.variation:g}"

    def count_requests(self, least: int) -> int:
        """How many requests one round has: enough to fill the batch."""
        return max(least, self.batch or 0)

    def moments(self, order: Random) -> Iterator[float]:
        """When requests come, in seconds from the beginning; all at once in a closed loop."""
        at = 0.0
        while True:
            yield at
            if self.rate is not None:
                shape = 1 / self.variation**2
                at += order.gammavariate(shape, 1 / (shape * self.rate))


def read_name(name: str) -> Load:
    """The load that has this name."""
    if name.isdecimal():
        return Load(batch=int(name))
    rate, _, variation = name.partition(" ")[2].partition("/s, variation ")
    return Load(rate=float(rate.removesuffix("/s")), variation=float(variation or 1))


def read_loads(arrivals: Sequence[str], batches: Sequence[int]) -> tuple[Load, ...]:
    """The loads that were asked for, each once.

    Raises:
        click.BadParameter: one of ``arrivals`` has not the form of `ARRIVALS`.
    """
    loads = [load for text in arrivals for load in _read_load(text, batches)]
    return tuple(dict.fromkeys(loads))


def _read_load(text: str, batches: Sequence[int]) -> list[Load]:
    name, *words = text.split(":")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = [0.0]
    match name, numbers:
        case "closed", []:
            return [Load(batch=batch) for batch in batches]
        case "poisson", [rate] if 0 < rate < float("inf"):
            return [Load(rate=rate)]
        case "gamma", [rate, variation] if min(numbers) > 0 and max(numbers) < float("inf"):
            return [Load(rate=rate, variation=variation)]
        case _:
            raise click.BadParameter(f"{text!r} is none of {ARRIVALS}, with numbers above 0")
