"""Loads every target in each round, in random order, and keeps each round in the record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

import click

from evals.bench.cores import Cores
from evals.bench.gateway.meter import Meter, Reading
from evals.bench.gateway.record import RecordFile
from evals.bench.gateway.rounds import (
    Load,
    Round,
    describe_failure,
    first_times,
    is_whole,
    rate,
)
from evals.bench.gateway.targets import Target
from evals.bench.native import Loading, Programs, Simulator, Work, load


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to measure.

    The first requests of a round are spread over the length of an answer, or sent ``together``.
    None is begun after ``limit_s``, so that a gateway that cannot follow ends a round too.
    """

    loads: tuple[Load, ...]
    rounds: int
    seed: int
    together: bool
    limit_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """What a run needs: compiled programs, a simulator that runs, and cores."""

    programs: Programs
    engine: Simulator
    cores: Cores


def run_plan(
    stage: Stage, plan: Plan, targets: Sequence[Target], record: RecordFile
) -> Iterator[Round]:
    """Measure the plan, showing progress; each round is in the record when it is given.

    Raises:
        click.ClickException: a gateway has ended.
    """
    count = plan.rounds * len(plan.loads) * len(targets)
    with click.progressbar(length=count, label="gateway", show_pos=True) as bar:
        for number, one, target in _steps(plan, targets):
            done = _measure(stage, plan, target, one, number)
            record.add("round", done)
            yield done
            bar.update(1)


def _steps(plan: Plan, targets: Sequence[Target]) -> Iterator[tuple[int, Load, Target]]:
    order = Random(plan.seed)  # noqa: S311 (the order of measurements, not a secret)
    for number, one in product(range(plan.rounds), plan.loads):
        for target in order.sample(targets, len(targets)):
            yield number, one, target


def _measure(stage: Stage, plan: Plan, target: Target, one: Load, number: int) -> Round:
    address, port, path = target.endpoint
    length_ms = replace(stage.engine.pace, tokens=one.tokens).whole_ms
    work = Work(
        address=address,
        port=port,
        path=path,
        warm_body=target.body(1),
        body=target.body(one.tokens),
        streams=one.streams,
        requests=one.requests,
        spread_ms=0.0 if plan.together else length_ms,
        limit_s=plan.limit_s,
        key=target.key,
    )
    meter = Meter(target=target, engine_pid=stage.engine.pid)
    loading = load(stage.programs.load, work, meter.read, cores=stage.cores.load)
    return build_round(target.name, one, number, loading, meter.resident_mib())


def build_round(
    target: str, one: Load, number: int, loading: Loading[Reading], resident_mib: float | None
) -> Round:
    """What is kept of a loading."""
    before, after, samples = loading.before, loading.after, loading.samples
    whole = [sample for sample in samples if is_whole(sample, one.tokens)]
    failures: dict[str, int] = {}
    for sample in samples:
        if not is_whole(sample, one.tokens):
            reason = describe_failure(sample, one.tokens)
            failures[reason] = failures.get(reason, 0) + 1
    gateway_s = _difference(before.gateway_s, after.gateway_s)
    engine_s = after.engine_s - before.engine_s
    measured_s = (gateway_s or 0.0) + engine_s + loading.cpu_s
    return Round(
        target=target,
        load=one,
        round=number,
        requests=len(samples),
        tokens=sum(sample.tokens for sample in samples),
        seconds=after.at - before.at,
        speed=rate(samples),
        first_ms=tuple(first_times(whole)),
        total_ms=tuple(round(sample.ended_ms - sample.sent_ms, 3) for sample in whole),
        failures=failures,
        gateway_cpu_s=gateway_s,
        engine_cpu_s=engine_s,
        load_cpu_s=loading.cpu_s,
        other_cpu_s=max(0.0, after.machine_s - before.machine_s - measured_s),
        resident_mib=resident_mib,
    )


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before
