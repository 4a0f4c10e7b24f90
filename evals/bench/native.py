"""Compiles and runs the engine simulator and the load generator."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

SOURCES = Path(__file__).parent / "native"
LOAD_LIMIT_S = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Programs:
    """The compiled programs."""

    simulator: Path
    load: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One streamed request; times in milliseconds from sending it."""

    first_ms: float
    total_ms: float
    pieces: int
    is_done: bool


def compile_programs(folder: Path) -> Programs:
    """Compile both programs into ``folder`` with the system's C compiler.

    Raises:
        click.ClickException: there is no compiler, or it failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("simulator", "load"):
        command = ["cc", "-O2", "-o", str(folder / name), str(SOURCES / f"{name}.c")]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 (ours)
        except FileNotFoundError as error:
            raise click.ClickException("a C compiler is needed: install gcc or clang") from error
        except subprocess.CalledProcessError as error:
            raise click.ClickException(f"compiling {name}.c failed:\n{error.stderr}") from error
    return Programs(simulator=folder / "simulator", load=folder / "load")


@contextmanager
def simulator(program: Path, *, first_ms: float, gap_ms: float, tokens: int) -> Iterator[int]:
    """Run the engine simulator; gives its port."""
    command = [str(program), str(first_ms), str(gap_ms), str(tokens)]
    with subprocess.Popen(  # noqa: S603 (our own program)
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdout is None:
            raise click.ClickException("the simulator has no output")
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def load(program: Path, *, port: int, body: str, streams: int, requests: int) -> list[Sample]:
    """Send ``requests`` requests, ``streams`` at a time; a sample for each.

    Raises:
        click.ClickException: the server stopped answering.
    """
    command = [str(program), str(port), str(streams), str(requests)]
    done = subprocess.run(  # noqa: S603 (our own program)
        command, input=body, capture_output=True, text=True, timeout=LOAD_LIMIT_S, check=False
    )
    if done.returncode:
        raise click.ClickException(f"the load generator failed: {done.stderr.strip()}")
    rows = [line.split() for line in done.stdout.splitlines()]
    return [_sample(row) for row in rows if row[0] != "cpu"]


def _sample(row: list[str]) -> Sample:
    first, total, pieces, done = row
    return Sample(
        first_ms=int(first) / 1000,
        total_ms=int(total) / 1000,
        pieces=int(pieces),
        is_done=done == "1",
    )
