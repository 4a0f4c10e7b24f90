"""The command ``zwrotnica eval bfcl``."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from evals.bfcl.entries import CATEGORIES, Entry, read_entries
from evals.bfcl.report import as_json, as_markdown
from evals.bfcl.run import Result, open_router, run_entries
from evals.output import REPORT_FILE, as_click_errors, write_report
from evals.progress import run_with_bar
from serving.assembly import choose_dialect
from serving.settings import Settings, load_settings

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("bfcl")
@click.option("--data", type=_FOLDER, required=True, help="Folder of the published files.")
@click.option(
    "--category",
    "categories",
    type=click.Choice(CATEGORIES),
    multiple=True,
    help="Only these.  [default: all whose file is there]",
)
@click.option("--engine", help="Configured engine to use as the router.  [default: the router's]")
@click.option("--limit", type=click.IntRange(min=1), help="Only so many of each category.")
@click.option("--parallel", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--config", type=_FILE, help="Configuration file.")
@click.option("--json", "json_file", type=REPORT_FILE, help="Write the whole run here.")
@click.option("--markdown", "markdown_file", type=REPORT_FILE, help="Write the report here.")
def bfcl(
    *,
    data: Path,
    categories: tuple[str, ...],
    engine: str | None,
    limit: int | None,
    parallel: int,
    config: Path | None,
    json_file: Path | None,
    markdown_file: Path | None,
) -> None:
    """Ask the router BFCL's published questions; judge its calls as BFCL does."""
    with as_click_errors():
        settings = load_settings(config, overrides={"router.engine": engine})
        entries = _read(data, categories, limit)
        results = _run(settings, entries, parallel)
        told = (settings.router.engine, choose_dialect(settings).name, results)
    write_report(as_markdown(*told), markdown_file, report=as_json(*told), json_file=json_file)


def _read(data: Path, categories: tuple[str, ...], limit: int | None) -> tuple[Entry, ...]:
    there = tuple(one for one in CATEGORIES if (data / f"BFCL_v4_{one}.json").is_file())
    if not there and not categories:
        raise click.ClickException(f"{str(data)!r} holds none of BFCL's files")
    return tuple(
        entry
        for category in categories or there
        for entry in _spread(read_entries(data, category), limit)
    )


def _spread(entries: tuple[Entry, ...], limit: int | None) -> tuple[Entry, ...]:
    """At most ``limit`` entries, spread evenly over the file."""
    count = len(entries)
    if limit is None or limit >= count:
        return entries
    return tuple(entries[number * count // limit] for number in range(limit))


def _run(settings: Settings, entries: Sequence[Entry], parallel: int) -> tuple[Result, ...]:
    async def work(on_entry: Callable[[Entry], None]) -> tuple[Result, ...]:
        async with open_router(settings) as router:
            return await run_entries(entries, router, parallel=parallel, on_entry=on_entry)

    return run_with_bar(work, length=len(entries))
