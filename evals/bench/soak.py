"""A long run: memory, descriptors and threads of the gateway under mixed load with leavers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Final

from evals.bench.cores import choose_cores
from evals.bench.gateway.product import Running, serve
from evals.bench.native import Pace, Programs, Work, load, simulator
from evals.bench.processes import (
    count_descriptors,
    count_threads,
    list_family,
    read_resident_mib,
)

PACE: Final = Pace(first_ms=5.0, gap_ms=2.0, tokens=8)
STREAMS: Final = 32
BATCH: Final = 500
LEAVE: Final = 7
"""Of so many requests one is left at its first token."""
SETTLED: Final = 10_000
"""Requests after which memory may not grow any more."""
MEMORY_SPARE: Final = 0.05
COUNT_SPARE: Final = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class Count:
    """The gateway's processes after ``requests`` requests, of which so many failed."""

    requests: int
    failed: int
    resident_mib: float
    descriptors: int
    threads: int


def soak(programs: Programs, folder: Path, *, requests: int, batch: int = BATCH) -> Iterator[Count]:
    """Load pass-through and routed chatbot in turn, leaving some answers; counts after each pair.

    Raises:
        click.ClickException: the gateway does not start.
    """
    cores = choose_cores()
    with (
        simulator(programs.simulator, PACE, cores=cores.engine) as engine,
        serve(folder, engine.url, cores=cores.gateway) as running,
    ):
        done = failed = 0
        for turn, target in enumerate(cycle(running.list_targets(PACE))):
            address, port, path = target.endpoint
            work = Work(
                address=address,
                port=port,
                path=path,
                warm_body=target.body(1),
                body=target.body(PACE.tokens),
                streams=STREAMS,
                requests=batch,
                leave=LEAVE,
            )
            samples = load(programs.load, work, lambda: None, cores=cores.load).samples
            done += batch + STREAMS
            failed += sum(not (one.is_done or one.was_left) for one in samples)
            if turn % 2:
                yield _count(running, done, failed)
            if turn % 2 and done >= requests:
                return


def _count(running: Running, requests: int, failed: int) -> Count:
    pids = list_family(running.pid)
    return Count(
        requests=requests,
        failed=failed,
        resident_mib=read_resident_mib(pids),
        descriptors=count_descriptors(pids),
        threads=count_threads(pids),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Whether a soak shows a leak: ``faults`` says where, empty if nowhere."""

    settled: Count
    last: Count
    faults: tuple[str, ...]

    @property
    def growth(self) -> float:
        """How much memory grew since the gateway had settled: 0.05 is 5 %."""
        return self.last.resident_mib / self.settled.resident_mib - 1


def judge(counts: Sequence[Count], *, settled_at: int = SETTLED) -> Verdict:
    """Compare the last count with those until ``settled_at`` requests, at least the first.

    Memory may grow by a twentieth, descriptors and threads by a tenth of the most there were.
    """
    later = [one for one in counts if one.requests >= settled_at]
    settled, last = (later or counts)[0], counts[-1]
    early = [one for one in counts if one.requests <= settled.requests]
    found = Verdict(settled=settled, last=last, faults=())
    faults = []
    if found.growth > MEMORY_SPARE:
        faults.append(f"memory grew by {found.growth:.1%}")
    for name in ("descriptors", "threads"):
        most, now = max(getattr(one, name) for one in early), getattr(last, name)
        if now > most * (1 + COUNT_SPARE):
            faults.append(f"{now} {name} after {most}")
    if last.failed:
        faults.append(f"{last.failed} answers failed")
    return Verdict(settled=settled, last=last, faults=tuple(faults))
