"""Published figures as rows of a run's tables, and where they are from."""

from collections.abc import Sequence

from evals.bench.engine.figures import INTERVALS
from evals.bench.engine.reference import Published, PublishedLoad, PublishedSpeed, PublishedTimes

DASH = "–"


def speed_row(published: Published) -> str:
    """Its speed by length of the answer."""
    found = {one.least: one for one in published.speeds}
    cells = " | ".join(_say_speed(found.get(least)) for least, _ in INTERVALS)
    return f"| *{published.label}* | {DASH} | {DASH} | {cells} |"


def throughput_row(published: Published, loads: Sequence[str]) -> str:
    """Its throughput under each of ``loads``."""
    found = {one.load: one.throughput for one in published.loads}
    cells = " | ".join(_say(found.get(load)) for load in loads)
    return f"| *{published.label}* | {DASH} | {cells} |"


def latency_row(published: Published, load: PublishedLoad) -> str:
    """Its latency under one load."""
    return (
        f"| *{published.label}* | {load.load} | {DASH} | {DASH} | {DASH} "
        f"| {_say_times(load.first_ms)} | {_say_times(load.per_token_ms)} | {DASH} "
        f"| {_say_times(load.latency_ms)} | {DASH} | {DASH} | {DASH} |"
    )


def has_times(load: PublishedLoad) -> bool:
    """Whether anything of its latency was published."""
    return {load.first_ms, load.per_token_ms, load.latency_ms} != {PublishedTimes()}


def name_source(published: Published) -> str:
    """What it was measured on and with, and by whom."""
    return (
        f"*{published.label}*: not measured here. {published.hardware}; "
        f"{published.workload}. {published.source}, {published.url}"
    )


def _say_speed(speed: PublishedSpeed | None) -> str:
    if speed is None:
        return f"{DASH} | {DASH}"
    return f"{speed.speed:.1f} | {_say(speed.total_s)}"


def _say_times(times: PublishedTimes) -> str:
    if times == PublishedTimes():
        return DASH
    return " / ".join(_say(value) for value in (times.p50, times.p95, times.p99))


def _say(value: float | None) -> str:
    return DASH if value is None else f"{value:.1f}"
