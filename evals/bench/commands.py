"""The commands of ``zwrotnica bench``, without those that have rooms of their own."""

from pathlib import Path

import click

from evals.bench.detector import measure_detector
from evals.bench.gateway.cli import gateway
from evals.bench.grounding import PARTS, measure_grounding
from evals.bench.native import compile_programs
from evals.bench.page import measure_page
from evals.bench.report import (
    detector_table,
    grounding_table,
    page_table,
    second_look_table,
    verdict_table,
    write_lines,
)
from evals.bench.second_look import HALVES, measure_second_look
from evals.bench.soak import Count, judge, soak as run_soak
from evals.bench.verdict import measure_verdicts

FOLDER = Path(".cache/bench")
RESULTS = "results.jsonl"
folder_option = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=FOLDER,
    show_default=True,
    help="Where programs, logs and results go.",
)
rounds_option = click.option(
    "--rounds", type=click.IntRange(1), default=10, show_default=True, help="Interleaved rounds."
)
seed_option = click.option("--seed", type=int, default=1, show_default=True)


@click.command()
@folder_option
def verdict(folder: Path) -> None:
    """Cost of the verdict: microseconds a delta."""
    costs = measure_verdicts()
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / RESULTS, "verdict", costs)
    click.echo(verdict_table(costs))


@click.command()
@folder_option
@rounds_option
@seed_option
def detector(folder: Path, rounds: int, seed: int) -> None:
    """Cost of the embedded engine's detector: milliseconds a prompt."""
    costs = measure_detector(rounds=rounds, seed=seed)
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / RESULTS, "detector", costs)
    click.echo(detector_table(costs))


@click.command()
@folder_option
@seed_option
@click.option("--wrong", is_flag=True, help="List the values that were not put right.")
def grounding(folder: Path, seed: int, *, wrong: bool) -> None:
    """How often damaged names are put right, and the cost of a call."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        costs, outcomes = measure_grounding(part, seed=seed)
        write_lines(folder / RESULTS, "grounding", costs)
        click.echo(grounding_table(costs))
        for one in outcomes:
            if wrong and not one.is_right:
                click.echo(f"{one.label}: {one.value!r} → {one.grounded}, {one.sample.texts[0]!r}")


@click.command(name="second-look")
@folder_option
@seed_option
def second_look(folder: Path, seed: int) -> None:
    """Which errors of a router model make the router ask a larger one."""
    looks = [look for half in HALVES for look in measure_second_look(half, seed=seed)]
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / RESULTS, "second_look", looks)
    click.echo(second_look_table(looks))


@click.command()
@folder_option
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
def page(folder: Path, rounds: int) -> None:
    """First words on the web chat's page against the Chat API beneath it."""
    programs = compile_programs(folder)
    ready_s, rows = measure_page(programs, folder / "page", rounds=rounds)
    write_lines(folder / RESULTS, "page", rows)
    click.echo(f"The page was ready {ready_s:.1f} s after the API.")
    click.echo(page_table(rows))


@click.command(name="all")
@folder_option
@rounds_option
@seed_option
@click.pass_context
def everything(context: click.Context, folder: Path, rounds: int, seed: int) -> None:
    """Every benchmark, one after the other."""
    context.invoke(verdict, folder=folder)
    context.invoke(detector, folder=folder, rounds=rounds, seed=seed)
    context.invoke(grounding, folder=folder, seed=seed)
    context.invoke(second_look, folder=folder, seed=seed)
    context.invoke(gateway, folder=folder, rounds=min(rounds, 5), seed=seed)
    context.invoke(page, folder=folder, rounds=min(rounds, 3))


@click.command()
@folder_option
@click.option("--requests", type=click.IntRange(1), default=100_000, show_default=True)
def soak(folder: Path, requests: int) -> None:
    """Memory, descriptors and threads of the gateway in a long run; exit code 1 if they grow."""
    programs = compile_programs(folder)
    counts: list[Count] = []
    click.echo("requests  failed  resident MiB  descriptors  threads")
    for count in run_soak(programs, folder / "soak", requests=requests):
        counts.append(count)
        click.echo(
            f"{count.requests:8d}  {count.failed:6d}  {count.resident_mib:12.1f}"
            f"  {count.descriptors:11d}  {count.threads:7d}"
        )
    write_lines(folder / RESULTS, "soak", counts)
    found = judge(counts)
    said = "; ".join(found.faults) or "nothing grew beyond its limit"
    click.echo(
        f"memory from {found.settled.requests:,} to {found.last.requests:,} requests: "
        f"{found.growth:+.1%}; {said}"
    )
    if found.faults:
        raise click.exceptions.Exit(1)
