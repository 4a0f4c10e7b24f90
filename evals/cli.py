"""The commands of ``zwrotnica eval``."""

import sys
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import click

from evals.assembly import VALUE_S, evaluate_router, take
from evals.bfcl.cli import bfcl
from evals.cases import EVERYDAY, Case, CaseSet, Split, read_cases, select
from evals.gate import GATES, TODAY, find_regressions, read_baseline
from evals.output import Files, as_click_errors, write_json, written
from evals.report import as_baseline
from evals.robustness.cli import robustness
from evals.run import Log
from evals.saved import read_run
from evals.summary import sum_up
from evals.tables import percent
from serving.settings import Settings, load_settings
from serving.settings.model import RouterSettings

_FILE = click.Path(dir_okay=False, path_type=Path)
_CASES = click.Path(path_type=Path)
_DATE = click.DateTime(formats=["%Y-%m-%d"])
_PATIENCE_S = 60.0


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
@click.option("--today", type=_DATE, help="The date on which all is said.  [default: today]")
@written
def run_cases(
    *,
    cases: Path,
    split: Split | None,
    engine: str | None,
    limit: int | None,
    parallel: int,
    config: Path | None,
    today: datetime | None,
    files: Files,
) -> None:
    """Run the cases through an engine as the router; print and write the report."""
    with as_click_errors():
        settings = load_settings(config, overrides={"router.engine": engine})
        case_set = read_cases(cases)
        if split is not None:
            case_set = select(case_set, split)
        case_set = take(case_set, limit)
        log = _evaluate(settings, case_set, today=today and today.date(), parallel=parallel)
    files.write_run(log, sum_up(log))


@evaluate.command("compare")
@click.argument("reports", type=_FILE, nargs=-1, required=True)
@written
def compare_runs(*, reports: tuple[Path, ...], files: Files) -> None:
    """Compare JSON reports of the same cases, with McNemar's exact test."""
    with as_click_errors():
        files.write_comparison([read_run(path) for path in reports])


@evaluate.command("gate")
@click.option("--cases", type=_CASES, help="Only these cases, with their --baseline.")
@click.option("--baseline", type=_FILE, help="What to compare them with.")
@click.option("--renew", is_flag=True, help="Write the baselines anew.")
def check(*, cases: Path | None, baseline: Path | None, renew: bool) -> None:
    """Fail if the embedded engine has become worse than the committed baselines."""
    if (cases is None) != (baseline is None):
        raise click.UsageError("--cases and --baseline go together")
    gates = GATES if cases is None or baseline is None else {cases: baseline}
    with as_click_errors():
        is_worse = [_check_gate(path, against, renew=renew) for path, against in gates.items()]
    if any(is_worse):
        raise click.ClickException("function detection has become worse than the baseline")


def _check_gate(path: Path, baseline: Path, *, renew: bool) -> bool:
    """Run one gate and print its figures; whether it is worse than its baseline."""
    earlier = None if renew else read_baseline(baseline)
    with TemporaryDirectory(prefix="zwrotnica-eval-") as folder:
        # A machine where nothing is configured, and where slowness decides nothing.
        router = RouterSettings(verdict_s=_PATIENCE_S, call_s=_PATIENCE_S)
        settings = Settings(data_dir=Path(folder), router=router)
        log = _evaluate(settings, read_cases(path), today=TODAY, value_s=_PATIENCE_S)
    figures = sum_up(log)
    click.echo(
        f"{log.cases}: right tool {percent(figures.accuracy)}, over-triggering "
        f"{percent(figures.over_triggering)}, arguments {percent(figures.arguments)}"
    )
    if earlier is None:
        write_json(baseline, as_baseline(log, figures))
        return False
    regressions = find_regressions(earlier, log)
    for line in regressions:
        click.echo(line, err=True)
    return bool(regressions)


evaluate.add_command(bfcl)
evaluate.add_command(robustness)


def _evaluate(
    settings: Settings,
    case_set: CaseSet,
    *,
    today: date | None,
    parallel: int = 1,
    value_s: float = VALUE_S,
) -> Log:
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=len(case_set.cases), file=sys.stderr, hidden=hidden) as bar:

        def count(_: Case) -> None:
            bar.update(1)

        async def work() -> Log:
            return await evaluate_router(
                settings,
                case_set,
                today=today,
                parallel=parallel,
                value_s=value_s,
                on_case=count,
            )

        return anyio.run(work)
