"""W2: `zwrotnica serve` is told to end under 200 streams, with one worker and with three."""

from pathlib import Path

import pytest
from faults.drain_case import EXIT_S, Drain, drain
from faults.gateways import KINDS, OURS, Engines, Limits, running
from scripted.fault_process import fault_process
from scripted.fault_report import Figure, Publish
from scripted.ports import free_port

pytestmark = pytest.mark.faults

LIMITS = Limits.at(1.0)


async def drained(folder: Path, *, workers: int) -> Drain:
    with fault_process() as engine:
        engines = Engines(fault=engine.port, calm=engine.port, dead=free_port(), hole=free_port())
        kind = KINDS[OURS]
        with running(kind, folder, engines, LIMITS, workers=workers) as gateway:
            return await drain(gateway, LIMITS)


@pytest.mark.parametrize("workers", [1, 3])
async def test_w2_told_to_end_under_two_hundred_streams(
    tmp_path: Path, publish: Publish, workers: int
) -> None:
    done = await drained(tmp_path, workers=workers)
    crew = "one worker" if workers == 1 else f"{workers} workers"
    assert len(done.short) + len(done.long) == 200
    assert done.code == 0
    assert all(one.status == 503 for one in done.refused)
    assert all("server_draining" in one.error for one in (*done.refused, *done.long))

    for what, n, passed in (
        ("streams shorter than the limit end well", len(done.short), done.finished),
        ("longer ones are told `server_draining`", len(done.long), done.told),
        ("new requests → 503 at once", len(done.refused), done.turned_away),
    ):
        publish(Figure(case="W2", what=f"{crew}: {what}", n=n, passed=passed))
    publish(
        Figure(
            case="W2",
            what=f"{crew}: SIGTERM to exit 0",
            n=1,
            passed=1,
            times=(done.exit_s,),
            limit_s=LIMITS.drain_s + EXIT_S,
        )
    )
