"""Where reports go: the options that name the files, and writing them."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Final

import click

from chatbot.errors import ZwrotnicaError
from evals.comparison import compare
from evals.page import write_page
from evals.report import as_json, as_markdown, write_markdown, write_tables
from evals.run import Log
from evals.saved import SavedRun
from evals.summary import Figures
from evals.tables import Table, tables_of, title_of
from evals.writing import Json

_LEFT_OUT = frozenset({"Tags", "Reasons"})
"""Tables that are too long for a page that people read."""
_INTERVALS = "in brackets the count and the 95 % interval (Wilson)."


class ReportFile(click.Path):
    """A file to write in the end; a run is not begun whose report could not be kept."""

    def __init__(self) -> None:
        """Take a file that may be there or not."""
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """The path, whose folder has been made."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.fail(f"cannot make the folder {str(path.parent)!r}: {error.strerror}", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"nothing can be written in the folder {str(path.parent)!r}", param, ctx)
        return path


REPORT_FILE: Final = ReportFile()
"""The type of the options that name reports."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Files:
    """The files to write, where they are named."""

    json: Path | None
    markdown: Path | None
    html: Path | None
    into: str | None = None

    def write_run(self, log: Log, figures: Figures, *, shows_faults: bool = True) -> None:
        """Write the reports of one run, and print the Markdown, perhaps without the faults."""
        report = as_json(log, figures)
        if self.json is not None:
            write_json(self.json, report)
        if self.html is not None:
            run = SavedRun.model_validate({**report, "label": log.mode or log.engine})
            intro = f"{len(log.samples)} prompts; {_INTERVALS}"
            write_text(self.html, write_page(title_of(log), intro, tables_of(figures), [run]))
        tables = [one for one in tables_of(figures) if one.title not in _LEFT_OUT]
        self._show(as_markdown(log, figures, shows_faults=shows_faults), tables)

    def write_comparison(self, runs: Sequence[SavedRun]) -> None:
        """Write the comparison of several runs, and print it as Markdown.

        Raises:
            ReportError: they are not of the same cases.
        """
        tables = compare(runs)
        title = f"Function detection: {runs[0].cases}, {len(runs)} systems compared"
        intro = f"{len(runs[0].outcomes)} prompts; {_INTERVALS}"
        if self.json is not None:
            comparison: Json = [
                {"title": one.title, "head": list(one.head), "rows": [list(r) for r in one.rows]}
                for one in tables
            ]
            write_json(self.json, comparison)
        if self.html is not None:
            write_text(self.html, write_page(title, intro, tables, runs))
        self._show(write_markdown(title, intro, tables), tables)

    def _show(self, markdown: str, tables: Iterable[Table]) -> None:
        if self.into is not None:
            write_between(*_split_mark(self.into), write_tables(tables))
        show(markdown, self.markdown)


def _check_marks(_: click.Context, _option: click.Parameter, into: str | None) -> str | None:
    """Whether there is something to write between, before anything is run."""
    if into is not None:
        _between(*_split_mark(into))
    return into


def written(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that name its reports, as its argument ``files``."""

    @click.option("--json", "json_file", type=REPORT_FILE, help="Write the whole report here.")
    @click.option("--markdown", "markdown_file", type=REPORT_FILE, help="Write the tables here.")
    @click.option("--html", "html_file", type=REPORT_FILE, help="Write a self-contained page here.")
    @click.option(
        "--into",
        metavar="FILE#NAME",
        callback=_check_marks,
        help="Renew the figures between FILE's marks.",
    )
    @wraps(command)
    def with_files(
        *,
        json_file: Path | None,
        markdown_file: Path | None,
        html_file: Path | None,
        into: str | None,
        **options: object,
    ) -> None:
        files = Files(json=json_file, markdown=markdown_file, html=html_file, into=into)
        command(**options, files=files)

    return with_files


@contextmanager
def as_click_errors() -> Iterator[None]:
    """Show the project's own errors as a command does."""
    try:
        yield
    except ZwrotnicaError as error:
        raise click.ClickException(error.message) from error


def write_report(
    markdown: str, markdown_file: Path | None, *, report: Json, json_file: Path | None
) -> None:
    """Write both forms of a report to the files that are named, and print the Markdown."""
    if json_file is not None:
        write_json(json_file, report)
    show(markdown, markdown_file)


def show(markdown: str, path: Path | None) -> None:
    """Print ``markdown``, and write it where a file is named."""
    if path is not None:
        write_text(path, markdown)
    click.echo(markdown, nl=False)


def write_json(path: Path, report: Json) -> None:
    """Write ``report``, making its folder."""
    write_text(path, json.dumps(report, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write ``text``, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_between(path: Path, name: str, text: str) -> None:
    """Replace what stands in ``path`` between ``<!-- NAME -->`` and ``<!-- /NAME -->``.

    Raises:
        click.ClickException: the file has no such marks.
    """
    before, after = _between(path, name)
    write_text(path, f"{before}\n{text.strip()}\n{after}")


def _split_mark(into: str) -> tuple[Path, str]:
    """The file and the name of ``FILE#NAME``."""
    path, _, name = into.rpartition("#")
    if not (path and name):
        raise click.ClickException(f"--into {into!r}: write FILE#NAME, the name of its marks")
    return Path(path), name


def _between(path: Path, name: str) -> tuple[str, str]:
    """What stands in ``path`` up to the end of the first mark, and from the second on."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, found, rest = _read(path).partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found and found_end):
        raise click.ClickException(f"{path} has no marks {begin} and {end} to write between")
    return before + begin, end + after


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot read {str(path)!r}: {error.strerror}") from error
