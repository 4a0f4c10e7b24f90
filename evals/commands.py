"""The commands of ``zwrotnica eval``, without those that have rooms of their own."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from evals.assembly import VALUE_S, Plan, evaluate_router
from evals.cases import ZWROTNICA_PL, Case, CaseSet, dialogues_of, read_cases
from evals.gate import GATES, TODAY, find_regressions, read_baseline
from evals.modes import MODES, Mode, possible_modes
from evals.options import Choice, chosen
from evals.output import Files, as_click_errors, write_json, written
from evals.progress import run_with_bar
from evals.report import as_baseline, as_json
from evals.run import Log
from evals.saved import SavedRun, read_run
from evals.summary import sum_up
from evals.tables import percent
from serving.settings import RouterSettings, Settings

_FILE = click.Path(dir_okay=False, path_type=Path)
_CASES = click.Path(path_type=Path)
_PATIENCE_S = 60.0


@click.command("run")
@click.option("--mode", type=click.Choice(MODES), help="What of a dialogue the model is shown.")
@chosen
@written
def run_cases(*, mode: Mode | None, choice: Choice, files: Files) -> None:
    """Run cases through an engine as the router; print and write the report."""
    with as_click_errors():
        settings = choice.read_settings()
        case_set = choice.read_cases(settings)
        with choice.plan(settings, case_set) as (plan, today):
            log = _evaluate(
                settings,
                case_set,
                plan=replace(plan, mode=mode),
                today=today,
                parallel=choice.parallel,
            )
    # Nothing is to be made of the prompts to measure with, so they are not put before anyone.
    figures = sum_up(log)
    files.write_run(log, figures, shows_faults=choice.split != "test")
    _tell_unanswered(figures.unanswered)


@click.command("modes")
@click.option("--runs", type=click.Path(file_okay=False, path_type=Path), help="Keep each here.")
@chosen
@written
def run_modes(*, runs: Path | None, choice: Choice, files: Files) -> None:
    """Show the router model dialogues in four ways, and compare what it makes of them."""
    with as_click_errors():
        settings = choice.read_settings()
        case_set = choice.read_cases(settings, default=ZWROTNICA_PL, keep=dialogues_of)
        reports: list[SavedRun] = []
        with choice.plan(settings, case_set) as (plan, today):
            unanswered = 0
            for mode in possible_modes(settings):
                log = _evaluate(
                    settings,
                    case_set,
                    plan=replace(plan, mode=mode),
                    today=today,
                    parallel=choice.parallel,
                )
                figures = sum_up(log)
                unanswered += figures.unanswered
                report = as_json(log, figures)
                if runs is not None:
                    write_json(runs / f"{mode}.json", report)
                reports.append(SavedRun.model_validate({**report, "label": mode}))
        files.write_comparison(reports)
    _tell_unanswered(unanswered)


def _tell_unanswered(count: int) -> None:
    """End as a failure where figures hold cases that no engine has decided."""
    if count:
        some = "1 case was" if count == 1 else f"{count} cases were"
        raise click.ClickException(
            f"{some} left unanswered by an engine and went to the default model therefore; "
            "with --record, the same command asks for these alone"
        )


@click.command("compare")
@click.argument("reports", type=_FILE, nargs=-1, required=True)
@written
def compare_runs(*, reports: tuple[Path, ...], files: Files) -> None:
    """Compare JSON reports of the same cases, with McNemar's exact test."""
    with as_click_errors():
        files.write_comparison([read_run(path) for path in reports])


@click.command("gate")
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


def _evaluate(
    settings: Settings,
    case_set: CaseSet,
    *,
    plan: Plan = Plan(),  # noqa: B008 - frozen
    today: date | None,
    parallel: int = 1,
    value_s: float = VALUE_S,
) -> Log:
    async def work(on_case: Callable[[Case], None]) -> Log:
        return await evaluate_router(
            settings,
            case_set,
            plan=plan,
            today=today,
            parallel=parallel,
            value_s=value_s,
            on_case=on_case,
        )

    return run_with_bar(work, length=len(case_set.cases))
