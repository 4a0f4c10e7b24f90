"""The command ``zwrotnica bench gateway``."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click

from evals.bench.cores import choose_cores
from evals.bench.engine.cli import read_batches, read_key
from evals.bench.gateway.meter import Meter
from evals.bench.gateway.product import KEY, serve
from evals.bench.gateway.recipes import RECIPES, Recipe, read_recipe, start
from evals.bench.gateway.record import Header, begin_record, read_record
from evals.bench.gateway.rounds import Load
from evals.bench.gateway.run import Plan, Stage, run_plan
from evals.bench.gateway.running import wait_for_answer
from evals.bench.gateway.tables import report
from evals.bench.gateway.targets import DIRECT, FORM, Target, read_target
from evals.bench.native import Pace, compile_programs, simulator
from evals.bench.plotting import PLOTS, load_plots

PACE: Final = Pace(first_ms=20.0, gap_ms=10.0, tokens=64)
STREAMS: Final = "1,16,64,256"
SHORT: Final = Load(streams=16, tokens=1, requests=64)
"""Answers of one token, whose cost is that of a request; so many for each repeat."""
LEAST: Final = 8
"""Requests of a round, where there are few streams."""
_POSITIVE = click.FloatRange(0, min_open=True)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_RECORD = click.Path(path_type=Path, dir_okay=False, exists=True)
_shown = partial(click.option, show_default=True)


@click.command()
@click.option("--target", "targets", multiple=True, metavar=FORM, help="A gateway of yours.")
@click.option(
    "--with",
    "recipes",
    multiple=True,
    metavar="NAME[=COMMAND]",
    help=f"A gateway to be started here, if it is installed: {', '.join(RECIPES)}.",
)
@click.option("--key-env", metavar="VARIABLE", help="Environment variable with the targets' key.")
@_shown("--streams", metavar="1,16,…", default=STREAMS, help="Streams at a time.")
@_shown("--tokens", type=click.IntRange(2), default=PACE.tokens, help="Tokens of an answer.")
@_shown("--first-ms", type=_POSITIVE, default=PACE.first_ms, help="The engine's first token.")
@_shown("--gap-ms", type=_POSITIVE, default=PACE.gap_ms, help="Between the engine's tokens.")
@_shown("--rounds", type=click.IntRange(1), default=5, help="Interleaved rounds.")
@_shown("--repeats", type=click.IntRange(1), default=4, help="Requests a stream, each round.")
@click.option("--together", is_flag=True, help="Open all streams of a round in the same instant.")
@_shown("--limit-s", type=_POSITIVE, default=20.0, help="No request of a round begins later.")
@_shown("--engine-port", type=click.IntRange(0, 65535), default=0, help="Of the simulator; 0: any.")
@_shown("--seed", type=int, default=1, help="Of the order.")
@_shown("--folder", type=_FOLDER, default=Path(".cache/bench"), help="Programs, logs, results.")
@_shown("--plots", type=PLOTS, default="svg", help="A picture, beside the record.")
@click.option("--report", "old", type=_RECORD, help="Show a record instead of a new run.")
def gateway(
    *,
    targets: tuple[str, ...],
    recipes: tuple[str, ...],
    key_env: str | None,
    streams: str,
    tokens: int,
    first_ms: float,
    gap_ms: float,
    rounds: int,
    repeats: int,
    together: bool,
    limit_s: float,
    engine_port: int,
    seed: int,
    folder: Path,
    plots: str,
    old: Path | None,
) -> None:
    """Gateways before a simulated engine: added latency, speed, cost, side by side.

    Measured are the engine called directly, this gateway by an engine's name and as the routed
    chatbot, each with and without its ledger, those of --with, and those of --target, which have
    to stand before the simulator: give it a port of your choice by --engine-port.
    """
    if old is not None:
        _show(old, plots)
        return
    if targets and not engine_port:
        raise click.BadParameter(
            "a gateway of yours has to stand before the simulator: give that a port, and the "
            "gateway http://127.0.0.1:PORT/v1 as its engine",
            param_hint="--engine-port",
        )
    key = None if key_env is None else read_key(key_env)
    pace = Pace(first_ms=first_ms, gap_ms=gap_ms, tokens=tokens)
    plan = Plan(
        loads=tuple(_read_loads(streams, tokens, repeats)),
        rounds=rounds,
        seed=seed,
        together=together,
        limit_s=limit_s,
    )
    others = [read_target(text, key) for text in targets]
    wanted = [read_recipe(text) for text in recipes]
    path = folder / f"gateway-{datetime.now(UTC):%Y%m%d-%H%M%S}.jsonl"
    with (
        _stage(folder, engine_port, pace) as stage,
        _all_targets(stage, folder / "gateway", wanted, others) as measured,
    ):
        _run(stage, plan, measured, path)
    _show(path, plots)


def _show(path: Path, shape: str) -> None:
    """Print the tables of a record and leave them beside it, with its picture."""
    record = read_record(path)
    text = report(record)
    path.with_suffix(".md").write_text(text + "\n", encoding="utf-8")
    click.echo(f"{text}\n\n{path}\n{path.with_suffix('.md')}")
    again = f"zwrotnica bench gateway --report {path}"
    if plotter := load_plots("evals.bench.gateway.plots", shape, again):
        for written in plotter.draw(record, path, shape):
            click.echo(written)


def _read_loads(streams: str, tokens: int, repeats: int) -> Iterator[Load]:
    for one in read_batches(streams, option="--streams"):
        yield Load(streams=one, tokens=tokens, requests=max(LEAST, repeats * one))
    yield replace(SHORT, requests=repeats * SHORT.requests)


@contextmanager
def _stage(folder: Path, port: int, pace: Pace) -> Iterator[Stage]:
    programs, cores = compile_programs(folder), choose_cores()
    with simulator(programs.simulator, pace, port=port, cores=cores.engine) as engine:
        yield Stage(programs=programs, engine=engine, cores=cores)


@contextmanager
def _all_targets(
    stage: Stage, folder: Path, recipes: Sequence[Recipe], others: Sequence[Target]
) -> Iterator[tuple[Target, ...]]:
    """Every target, ready: the engine, this gateway, those of recipes, and those that run."""
    engine, core = stage.engine, stage.cores.gateway
    with ExitStack() as stack:
        found = [
            stack.enter_context(start(one, folder, engine.port, cores=core)) for one in recipes
        ]
        own = stack.enter_context(serve(folder / "zwrotnica", engine.url, key=KEY, cores=core))
        bare = stack.enter_context(
            serve(folder / "bare", engine.url, has_ledger=False, key=KEY, cores=core)
        )
        for one in others:
            wait_for_answer(one, None, f"it has to stand before the simulator, {engine.url}")
        direct = Target(name=DIRECT, url=engine.url)
        ours = (*own.list_targets(engine.pace), *bare.list_targets(engine.pace))
        targets = (direct, *ours, *found, *others)
        if len({one.name for one in targets}) < len(targets):
            raise click.ClickException("two targets have the same name")
        yield targets


def _run(stage: Stage, plan: Plan, targets: tuple[Target, ...], path: Path) -> None:
    meters = [Meter(target=one, engine_pid=stage.engine.pid) for one in targets]
    cores = stage.cores
    header = Header(
        targets=targets,
        idle_shares={meter.target.name: meter.idle_share() for meter in meters},
        first_ms=stage.engine.pace.first_ms,
        gap_ms=stage.engine.pace.gap_ms,
        rounds=plan.rounds,
        seed=plan.seed,
        together=plan.together,
        limit_s=plan.limit_s,
        cores=tuple(
            None if one is None else tuple(one) for one in (cores.gateway, cores.engine, cores.load)
        ),
        is_shared=cores.is_shared,
    )
    with begin_record(path, header) as record:
        for _ in run_plan(stage, plan, targets, record):
            pass
