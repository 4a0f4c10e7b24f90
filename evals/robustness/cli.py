"""The command ``zwrotnica eval robustness``."""

from collections.abc import Callable
from pathlib import Path

import click

from evals.assembly import evaluate_router, take
from evals.cases import EVERYDAY, Case, CaseSet, Split, read_cases, select
from evals.output import REPORT_FILE, as_click_errors, write_report
from evals.progress import run_with_bar
from evals.robustness.comparison import compare, spread_out
from evals.robustness.kinds import KINDS
from evals.robustness.report import as_json, as_markdown
from evals.run import Log
from serving.settings import Settings, load_settings

_FILE = click.Path(dir_okay=False, path_type=Path)
_CASES = click.Path(path_type=Path)


@click.command("robustness")
@click.option("--cases", type=_CASES, default=EVERYDAY, help="Cases, JSON lines, or a folder.")
@click.option("--split", type=click.Choice(["dev", "test"]), help="Only this half of them.")
@click.option(
    "--kind",
    "--kinds",
    "kinds",
    type=click.Choice(tuple(KINDS)),
    multiple=True,
    help="Only these kinds.",
)
@click.option("--engine", help="Configured engine to use as the router.  [default: the router's]")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many cases, evenly spread.")
@click.option("--parallel", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--config", type=_FILE, help="Configuration file.")
@click.option("--json", "json_file", type=REPORT_FILE, help="Write figures and changed cases here.")
@click.option("--markdown", "markdown_file", type=REPORT_FILE, help="Write the report here.")
def robustness(
    *,
    cases: Path,
    split: Split | None,
    kinds: tuple[str, ...],
    engine: str | None,
    limit: int | None,
    parallel: int,
    config: Path | None,
    json_file: Path | None,
    markdown_file: Path | None,
) -> None:
    """Write every prompt in other ways that change nothing; compare what is decided."""
    chosen = kinds or tuple(KINDS)
    with as_click_errors():
        settings = load_settings(config, overrides={"router.engine": engine})
        case_set = read_cases(cases)
        if split is not None:
            case_set = select(case_set, split)
        log = _evaluate(settings, spread_out(take(case_set, limit), chosen), parallel)
    found = compare(log, chosen)
    told = (log, found)
    write_report(as_markdown(*told), markdown_file, report=as_json(*told), json_file=json_file)


def _evaluate(settings: Settings, case_set: CaseSet, parallel: int) -> Log:
    async def work(on_case: Callable[[Case], None]) -> Log:
        return await evaluate_router(settings, case_set, parallel=parallel, on_case=on_case)

    return run_with_bar(work, length=len(case_set.cases))
