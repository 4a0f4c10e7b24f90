"""The commands of ``zwrotnica eval``."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import click

from evals.assembly import evaluate_router, take
from evals.bfcl.cli import bfcl
from evals.cases import EVERYDAY, Case, CaseSet, Split, read_cases, select
from evals.gate import BASELINE, find_regressions, read_baseline
from evals.output import Files, as_click_errors, write_json, written
from evals.report import as_baseline
from evals.run import Log
from evals.saved import read_run
from evals.summary import sum_up
from evals.tables import percent
from serving.settings import Settings, load_settings

_FILE = click.Path(dir_okay=False, path_type=Path)
_CASES = click.Path(path_type=Path)


@click.group()
def evaluate() -> None:
    """Measure how well a router model detects which function a prompt needs."""


@evaluate.command("run")
@click.option("--cases", type=_CASES, default=EVERYDAY, help="Cases, JSON lines, or a folder.")
@click.option("--split", type=click.Choice(["dev", "test"]), help="Only this half of them.")
@click.option("--engine", help="Configured engine to use as the router.  [default: the router's]")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many cases, evenly spread.")
@click.option("--parallel", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--config", type=_FILE, help="Configuration file.")
@click.option("--baseline", "baseline_file", type=_FILE, help="Write a baseline for the gate here.")
@written
def run_cases(
    *,
    cases: Path,
    split: Split | None,
    engine: str | None,
    limit: int | None,
    parallel: int,
    config: Path | None,
    baseline_file: Path | None,
    files: Files,
) -> None:
    """Run the cases through an engine as the router; print and write the report."""
    with as_click_errors():
        settings = load_settings(config, overrides={"router.engine": engine})
        case_set = read_cases(cases)
        if split is not None:
            case_set = select(case_set, split)
        case_set = take(case_set, limit)
        log = _evaluate(settings, case_set, parallel=parallel)
    figures = sum_up(log)
    if baseline_file is not None:
        write_json(baseline_file, as_baseline(log, figures))
    files.write_run(log, figures)


@evaluate.command("compare")
@click.argument("reports", type=_FILE, nargs=-1, required=True)
@written
def compare_runs(*, reports: tuple[Path, ...], files: Files) -> None:
    """Compare JSON reports of the same cases, with McNemar's exact test."""
    with as_click_errors():
        files.write_comparison([read_run(path) for path in reports])


@evaluate.command("gate")
@click.option("--cases", type=_FILE, default=EVERYDAY, help="Cases, JSON lines.")
@click.option("--baseline", type=_FILE, default=BASELINE, help="JSON report to compare with.")
def check(cases: Path, baseline: Path) -> None:
    """Fail if the embedded engine has become worse than the committed baseline."""
    with as_click_errors():
        earlier = read_baseline(baseline)
        with TemporaryDirectory(prefix="zwrotnica-eval-") as folder:
            settings = Settings(data_dir=Path(folder))  # a machine where nothing is configured
            log = _evaluate(settings, read_cases(cases))
        regressions = find_regressions(earlier, log)
    figures = sum_up(log)
    for line in regressions:
        click.echo(line, err=True)
    click.echo(
        f"right tool {percent(figures.accuracy)}, over-triggering "
        f"{percent(figures.over_triggering)}, arguments {percent(figures.arguments)}"
    )
    if regressions:
        raise click.ClickException("function detection has become worse than the baseline")


evaluate.add_command(bfcl)


def _evaluate(settings: Settings, case_set: CaseSet, *, parallel: int = 1) -> Log:
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=len(case_set.cases), file=sys.stderr, hidden=hidden) as bar:

        def count(_: Case) -> None:
            bar.update(1)

        async def work() -> Log:
            return await evaluate_router(settings, case_set, parallel=parallel, on_case=count)

        return anyio.run(work)
