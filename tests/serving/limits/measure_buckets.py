"""Processor time that limits of a minute take of a request: `python …/measure_buckets.py`."""

import time

import anyio
import click

from serving.clock import SystemClock
from serving.gateway.pacing import headers_of
from serving.limits import Buckets, Hold, Rate, Want

REQUESTS = 20_000
OTHERS = 50_000
RATES = tuple(
    Rate(subject, kind, 10**9) for subject in ("ala", "studenci") for kind in ("requests", "tokens")
)


async def measure() -> float:
    """Microseconds a request: its own two limits and its group's, taken, told, corrected."""
    buckets = Buckets(clock=SystemClock())
    for number in range(OTHERS):
        await buckets.take([Want(Rate(f"other-{number}", "requests", 5), 1)])
    began = time.process_time()
    for _ in range(REQUESTS):
        wants = [Want(rate, 1 if rate.kind == "requests" else 100) for rate in RATES]
        verdict = await buckets.take(wants)
        headers_of(verdict.standings)
        Hold(wants, buckets.correct).end(50)
    return (time.process_time() - began) / REQUESTS * 1e6


if __name__ == "__main__":
    click.echo(f"{anyio.run(measure):.1f} µs a request, with {OTHERS} other buckets")
