"""The fault table by hand: the same faults, clients and judges for this gateway and for others.

`PYTHONPATH=tests:. .venv/bin/python -m faults.table --with nginx --into docs/faults.md#gateways`
"""

import asyncio
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import click
from faults.body_cases import body_cases
from faults.cases import Case, Scene, Try, in_time
from faults.client_cases import client_cases
from faults.drain_case import drain
from faults.engine_cases import engine_cases
from faults.gateways import KINDS, OURS, Engines, Gateway, Kind, Limits, read_kind, running
from faults.rendering import Row, Run, render
from faults.request_cases import request_cases
from scripted.black_box import listen
from scripted.bystanders import Bystanders, Calm, bystanders
from scripted.fault_process import FaultProcess, fault_process
from scripted.ports import free_port

from evals.bench.cores import choose_cores, run_on
from evals.output import write_between

LONG_ENOUGH_S = 0.8
"""A case is played again and again at least so long, for bystanders to be met."""
MOST_S = 4.0
"""After which no further round of a case begins, however few tries there were."""
CALM_S = 0.5
"""Until a bystander's first token, where the faults before are over."""
CALMING_S = 10.0
"""For which a gateway is waited for that is not yet done with the faults before."""
MOST_TRIES = 400
MEMORY_EVERY_S = 0.05
SETTLING_S = 2.0
LEFT_OVER = 64
"""Descriptors more than before that are no leak: the idle connections of a pool."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """What stands around every gateway."""

    engine: FaultProcess
    engines: Engines
    limits: Limits
    folder: Path


def all_cases(limits: Limits) -> list[Case]:
    """Every case that is played against one process, in the order of the table."""
    return [*engine_cases(limits), *client_cases(), *request_cases(limits), *body_cases()]


@contextmanager
def open_stage(limits: Limits, folder: Path) -> Iterator[Stage]:
    """The fault server and the addresses that nobody answers at."""
    with (
        fault_process() as engine,
        socket.socket() as hole,
        socket.socket() as filler,
    ):
        hole.bind(("127.0.0.1", 0))
        hole.listen(0)  # one connection fills its queue; the next is never answered
        filler.connect(hole.getsockname())
        engines = Engines(fault=engine.port, calm=0, dead=free_port(), hole=hole.getsockname()[1])
        yield Stage(engine=engine, engines=engines, limits=limits, folder=folder)


async def play(scene: Scene, case: Case, others: Bystanders) -> Row:
    """One row: the case played often and long enough, with what it cost the gateway and others."""
    await calm_down(scene)
    gateway, began = scene.gateway, time.monotonic()
    before, peak = gateway.resident_mib(), 0.0
    tries: list[Try] = []

    async def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, gateway.resident_mib() - before)
            await anyio.sleep(MEMORY_EVERY_S)

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        while not is_enough(len(tries), time.monotonic() - began, least=case.least):
            tries += [in_time(one, case.limit_s) for one in await case.play(scene)]
        group.cancel_scope.cancel()
    grown = max(peak, gateway.resident_mib() - before)
    if case.memory_mib is not None:
        is_much = grown > case.memory_mib
        tries.append(Try(why=f"grows by more than {case.memory_mib:.0f} MB" if is_much else ""))
    return Row.of(case, tries, grown_mib=grown, calm=others.between(began, time.monotonic()))


def is_enough(tries: int, seconds: float, *, least: int) -> bool:
    """Whether a case that was played so often, for so long, is done."""
    if not tries:
        return False
    is_short = tries < least or (seconds < LONG_ENOUGH_S and tries < MOST_TRIES)
    return seconds > MOST_S or not is_short


async def calm_down(scene: Scene) -> None:
    """Wait until the gateway answers others as quickly as ever, so that no case spoils the next."""
    gateway = scene.gateway
    request = gateway.request("calm", "Ułóż fraszkę.")
    end = time.monotonic() + CALMING_S
    while time.monotonic() < end:
        seen = await listen(gateway.port, request, limit_s=CALMING_S)
        if seen.first_at is not None and seen.first_at - seen.began_at < CALM_S:
            break
    await scene.forget()


async def play_all(
    stage: Stage, gateway: Gateway, others: Bystanders, cases: Sequence[Case]
) -> list[Row]:
    """Every case against one running gateway, and whether it lets go of everything (I3)."""
    scene = Scene(gateway=gateway, engine=stage.engine, limits=stage.limits)
    rows = []
    before = gateway.descriptors()
    for case in cases:
        if why := case.absent(gateway.kind):
            rows.append(Row.absent(case, why))
            continue
        began = time.monotonic()
        rows.append(await play(scene, case, others))
        click.echo(f"  {rows[-1].say()} ({time.monotonic() - began:.1f} s)", err=True)
    return [*rows, await look_for_leaks(gateway, before, others)]


async def look_for_leaks(gateway: Gateway, before: int, others: Bystanders) -> Row:
    """Files and sockets are back to their number before all the faults."""
    case = Case(name="I3", what="files and sockets as before all of it, 2 s after", play=_nothing)
    began = time.monotonic()
    end = began + SETTLING_S
    while gateway.descriptors() > before + LEFT_OVER and time.monotonic() < end:  # noqa: ASYNC110 - another process
        await anyio.sleep(0.1)
    left = gateway.descriptors() - before
    why = f"{left} more are open" if left > LEFT_OVER else ""
    calm = others.between(began, time.monotonic())
    return Row.of(case, [Try(why=why)], grown_mib=0.0, calm=calm)


async def _nothing(_: Scene) -> Sequence[Try]:
    return ()


def play_drains(stage: Stage, kind: Kind) -> list[Row]:
    """W2, in a process of its own for each number of workers."""
    return [_play_drain(stage, kind, workers) for workers in ((1, 2) if kind.has_workers else (1,))]


def _play_drain(stage: Stage, kind: Kind, workers: int) -> Row:
    several = f", {workers} workers" if workers > 1 else ""
    limits = stage.limits
    case = Case(
        name="W2",
        what=f"told to end under 200 streams{several}: those shorter than {limits.drain_s:g} s "
        f"end, others are told, new ones refused, all is over within {limits.drain_s + 1:g} s",
        play=_nothing,
    )
    with running(kind, stage.folder / "drain", stage.engines, limits, workers=workers) as gateway:
        done = asyncio.run(drain(gateway, limits))
    one = Try(why=done.why, seconds=done.exit_s)
    calm = Calm(answers=0, lost=0, p50_s=None, p99_s=None)
    return Row.of(case, [one], grown_mib=None, calm=calm)


def play_kind(stage: Stage, kind: Kind, cases: Sequence[Case]) -> Run:
    """All rows of one gateway."""
    began = time.monotonic()
    with ExitStack() as stack:
        stack.enter_context(run_on(choose_cores().load))
        others = stack.enter_context(bystanders())
        engines = replace(stage.engines, calm=others.port)
        gateway = stack.enter_context(running(kind, stage.folder / "table", engines, stage.limits))
        click.echo(f"{kind.name} {gateway.version}", err=True)
        others.begin(gateway.port, gateway.request("calm", "Ułóż fraszkę."))
        rows = asyncio.run(play_all(stage, gateway, others, cases))
        version = gateway.version
    rows += play_drains(replace(stage, engines=engines), kind)
    click.echo(f"  {time.monotonic() - began:.0f} s", err=True)
    return Run(name=kind.name, version=version, rows=rows)


@click.command()
@click.option("--target", default=OURS, type=click.Choice(["ours", *KINDS, "none"]), help="First.")
@click.option("--with", "others", multiple=True, metavar="NAME[=COMMAND]", help="Further gateways.")
@click.option("--speed", default=10.0, show_default=True, help="By what limits are divided.")
@click.option("--only", metavar="E1,C3,…", help="These cases alone.")
@click.option("--into", metavar="FILE#NAME", help="Renew the table between FILE's marks.")
def table(
    *, target: str, others: tuple[str, ...], speed: float, only: str | None, into: str | None
) -> None:
    """Play the same faults against this gateway and others, and print the table."""
    limits = Limits.at(speed)
    names = [*([] if target == "none" else [OURS if target == "ours" else target]), *others]
    wanted = set(only.split(",")) if only else None
    cases = [one for one in all_cases(limits) if wanted is None or one.name in wanted]
    try:
        kinds = [read_kind(name) for name in names]
    except KeyError as error:
        raise click.BadParameter(f"{error} is none of {', '.join(KINDS)}") from error
    with tempfile.TemporaryDirectory() as folder, open_stage(limits, Path(folder)) as stage:
        text = render([play_kind(stage, kind, cases) for kind in kinds], limits)
    click.echo(text)
    if into is not None:
        path, _, name = into.partition("#")
        write_between(Path(path), name or "gateways", text)


if __name__ == "__main__":
    table()
