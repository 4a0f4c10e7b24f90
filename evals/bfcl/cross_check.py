"""Compares our checker's verdicts with those of the published ``bfcl-eval``.

``python -m evals.bfcl.cross_check --data FOLDER`` installs the package into an environment of its
own, lets both judge answers of every kind to all questions, and fails if a verdict differs.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from chatbot.errors import ZwrotnicaError
from evals.bfcl.checker import find_fault
from evals.bfcl.entries import Entry, read_entries
from evals.bfcl.variants import Calls, make_variants

PACKAGE = "bfcl-eval==2026.3.23"
AST_CATEGORIES = ("simple_python", "multiple", "parallel", "parallel_multiple")
ENVIRONMENT = Path(".cache/bfcl")

_PUBLISHED = Path(__file__).with_name("published.py")
_INSTALL_S = 120
_CHECK_S = 600


class CrossCheckError(ZwrotnicaError):
    """The published checker cannot be installed or run; the message says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """One answer and both verdicts; ``theirs`` is an exception's name where it crashed."""

    entry: Entry
    calls: Calls
    ours: bool
    theirs: bool | str

    @property
    def differs(self) -> bool:
        """Whether the verdicts differ; a crash is no verdict, and agrees with "wrong"."""
        return self.ours if isinstance(self.theirs, str) else self.ours != self.theirs


def install(folder: Path) -> Path:
    """The Python of an environment with `PACKAGE` alone, made where it is missing.

    Raises:
        CrossCheckError: it cannot be made: no uv, no index.
    """
    python = folder / PACKAGE / "bin" / "python"
    is_there = any(python.parents[1].glob("lib/python*/site-packages/bfcl_eval"))
    if not is_there:
        uv = str(Path(sys.executable).with_name("uv"))
        _run([uv, "venv", "--quiet", "--clear", str(python.parents[1])])
        _run([uv, "pip", "install", "--quiet", "--no-deps", "--python", str(python), PACKAGE])
    return python


def compare(folder: Path, category: str, python: Path) -> tuple[Comparison, ...]:
    """Let both checkers judge all variants of the answers to one category's questions.

    Raises:
        BfclDataError: the files cannot be read.
        CrossCheckError: the published checker does not run.
    """
    answered = [
        (entry, calls) for entry in read_entries(folder, category) for calls in make_variants(entry)
    ]
    asked = "".join(_as_line(entry, calls) for entry, calls in answered)
    told = _run([str(python), "-I", str(_PUBLISHED), str(folder), category], asked)
    return tuple(
        Comparison(entry=entry, calls=calls, ours=find_fault(entry, calls) is None, theirs=theirs)
        for (entry, calls), theirs in zip(answered, map(json.loads, told.split()), strict=True)
    )


def _as_line(entry: Entry, calls: Calls) -> str:
    given = [{call.tool: call.arguments} for call in calls]
    return json.dumps({"id": entry.id, "calls": given}) + "\n"


def _run(command: Sequence[str], text: str = "") -> str:
    limit = _CHECK_S if text else _INSTALL_S
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            command, input=text, capture_output=True, text=True, check=True, timeout=limit
        )
    except subprocess.CalledProcessError as error:
        raise CrossCheckError(f"{command[0]} failed: {error.stderr[-500:]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CrossCheckError(f"{command[0]} does not run: {error}") from error
    return done.stdout


@click.command()
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--environment", type=click.Path(path_type=Path), default=ENVIRONMENT)
def main(data: Path, environment: Path) -> None:
    """Compare the verdicts on the published files in ``--data``."""
    try:
        python = install(environment)
        compared = {one: compare(data, one, python) for one in AST_CATEGORIES}
    except ZwrotnicaError as error:
        raise click.ClickException(error.message) from error
    for line in _report(compared):
        click.echo(line)
    if any(one.differs for found in compared.values() for one in found):
        raise click.ClickException("the checkers do not agree")


def _report(compared: dict[str, tuple[Comparison, ...]]) -> Iterator[str]:
    for category, found in compared.items():
        different = [one for one in found if one.differs]
        crashed = sum(isinstance(one.theirs, str) for one in found)
        right = sum(one.theirs is True for one in found)
        yield (
            f"{category}: {len(found)} answers, {right} right, "
            f"{len(different)} judged differently, {crashed} where the published checker crashes"
        )
        for one in different[:5]:
            yield f"  {one.entry.id}: ours {one.ours}, theirs {one.theirs}: {one.calls}"


if __name__ == "__main__":
    main()
