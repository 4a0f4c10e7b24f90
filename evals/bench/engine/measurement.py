"""Measures a plan into its record, from the beginning or on from where it was broken off."""

from dataclasses import dataclass, replace
from pathlib import Path

import aiohttp
import click

from evals.bench.engine.client import GONE, open_session
from evals.bench.engine.experience import Reader
from evals.bench.engine.record import (
    Header,
    RecordFile,
    begin_record,
    build_header,
    read_record,
    resume_record,
)
from evals.bench.engine.resumption import check_same
from evals.bench.engine.runs import Plan, run_step
from evals.bench.engine.samples import Cell, Sample
from evals.bench.engine.targets import find_model
from evals.bench.engine.trial import try_target


@dataclass(frozen=True, kw_only=True, slots=True)
class Circumstances:
    """What the record tells beside the plan: ``limit_s`` is the most seconds of one answer."""

    limit_s: float
    hardware: str
    reader: Reader


async def measure(plan: Plan, path: Path, told: Circumstances, *, is_resumed: bool = False) -> None:
    """Measure all of the plan that the record at ``path`` has not yet, showing progress.

    Raises:
        click.ClickException: a server does not answer, or went away; or the record is of another
            plan.
    """
    async with open_session(limit_s=told.limit_s) as session:
        plan = replace(
            plan,
            targets=tuple([
                replace(one, model=await find_model(session, one)) for one in plan.targets
            ]),
        )
        servers = [await try_target(session, plan, one) for one in plan.targets]
        header = build_header(
            plan, servers, limit_s=told.limit_s, hardware=told.hardware, reader=told.reader
        )
        done = _find_done(path, header) if is_resumed else frozenset()
        with resume_record(path) if is_resumed else begin_record(path, header) as record:
            await _run(session, plan, record, done)


def _find_done(path: Path, header: Header) -> frozenset[tuple[Cell, int]]:
    before = read_record(path)
    check_same(before.header, header, str(path))
    return frozenset((one.cell, one.round) for one in before.rounds)


async def _run(
    session: aiohttp.ClientSession,
    plan: Plan,
    record: RecordFile,
    done: frozenset[tuple[Cell, int]],
) -> None:
    gone: set[str] = set()
    left = [step for step in plan.steps() if (step.cell, step.round) not in done]
    count = sum(step.load.count_requests(plan.requests) for step in left)
    with click.progressbar(length=count, label="engine") as bar:

        def keep(sample: Sample) -> None:
            record.add_sample(sample)
            if (sample.error or "").startswith(GONE):
                gone.add(sample.cell.target)
            bar.update(1)

        for step in left:
            whole = await run_step(session, plan, step, keep)
            if step.target.name in gone:
                raise click.ClickException(
                    f"{step.target.name!r} at {step.target.url} is gone; for what was measured "
                    f"before: zwrotnica bench report {record.path}; to go on when it is back: "
                    f"the same command with --resume {record.path}"
                )
            record.add_round(whole)
