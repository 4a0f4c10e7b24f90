"""Compiles and runs the engine simulator and the load generator."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import IO, Generic, TypeVar

import click

from evals.bench.cores import run_on

SOURCES = Path(__file__).parent / "native"
FLAGS = ("-O2", "-Wall", "-Wextra")
SPARE_S = 300.0
"""Beyond the time in which requests are sent, for the last of them to end."""

Reading = TypeVar("Reading")


@dataclass(frozen=True, kw_only=True, slots=True)
class Programs:
    """The compiled programs."""

    simulator: Path
    load: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """When the simulated engine sends its first token, and each further one, of at most so many."""

    first_ms: float
    gap_ms: float
    tokens: int

    @property
    def whole_ms(self) -> float:
        """What a whole answer takes."""
        return self.first_ms + (self.tokens - 1) * self.gap_ms


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulator:
    """An engine simulator that runs."""

    port: int
    pid: int
    pace: Pace

    @property
    def url(self) -> str:
        """Its address as that of an engine."""
        return f"http://127.0.0.1:{self.port}/v1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """What to send, where and how; ``key`` is handed over by a pipe and shown nowhere.

    ``streams`` requests at a time, whose first are spread over ``spread_ms``; none is begun after
    ``limit_s``. Of each ``leave`` one is left at its first token (0: of none).
    """

    address: str
    port: int
    path: str
    warm_body: str
    body: str
    streams: int
    requests: int
    spread_ms: float = 0.0
    limit_s: float = 60.0
    leave: int = 0
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One streamed request: milliseconds since the start, and what came.

    ``first_ms`` is ``None`` where no token came; ``is_done``: the stream came to its proper end.
    """

    connection: int
    sent_ms: float
    first_ms: float | None
    ended_ms: float
    tokens: int
    status: int
    is_done: bool
    was_left: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Loading(Generic[Reading]):
    """All requests of some work, the generator's own processor time, and readings around it."""

    samples: tuple[Sample, ...]
    cpu_s: float
    before: Reading
    after: Reading


def compile_programs(folder: Path) -> Programs:
    """Compile both programs into ``folder`` with the system's C compiler.

    Raises:
        click.ClickException: there is no compiler, or it failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("simulator", "load"):
        source, program = SOURCES / f"{name}.c", folder / name
        command = ["cc", *FLAGS, "-o", str(program), str(source), "-lm"]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 (ours)
        except FileNotFoundError as error:
            raise click.ClickException("a C compiler is needed: install gcc or clang") from error
        except subprocess.CalledProcessError as error:
            raise click.ClickException(f"compiling {name}.c failed:\n{error.stderr}") from error
    return Programs(simulator=folder / "simulator", load=folder / "load")


@contextmanager
def simulator(
    program: Path, pace: Pace, *, port: int = 0, cores: frozenset[int] | None = None
) -> Iterator[Simulator]:
    """Run the engine simulator on ``port`` (0: a free one) and ``cores`` until the block ends.

    Raises:
        click.ClickException: it cannot listen there.
    """
    command = [str(program), *map(str, (port, pace.first_ms, pace.gap_ms, pace.tokens))]
    with _start(command, cores) as process:
        try:
            line = _pipe(process.stdout).readline()
            if not line:
                raise click.ClickException(f"the engine simulator cannot listen on port {port}")
            yield Simulator(port=int(line), pid=process.pid, pace=pace)
        finally:
            process.terminate()


def load(
    program: Path,
    work: Work,
    read: Callable[[], Reading],
    *,
    cores: frozenset[int] | None = None,
) -> Loading[Reading]:
    """Do ``work``; ``read`` is called after the warm-up and when all is done.

    Raises:
        click.ClickException: the generator failed.
    """
    with _start([str(program), *_words(work)], cores) as process:
        killer = Timer(work.limit_s + SPARE_S, process.kill)
        killer.start()
        try:
            return _converse(process, work, read)
        except (BrokenPipeError, LookupError, ValueError) as error:
            raise click.ClickException("the load generator broke off") from error
        finally:
            killer.cancel()
            process.kill()


def _start(command: Sequence[str], cores: frozenset[int] | None) -> "subprocess.Popen[str]":
    with run_on(cores):
        return subprocess.Popen(  # noqa: S603 (our own programs)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )


def _words(work: Work) -> Iterator[str]:
    yield from (work.address, str(work.port), work.path)
    yield from (str(work.streams), str(work.requests))
    yield from (str(work.spread_ms), str(work.limit_s), str(work.leave))


def _converse(
    process: "subprocess.Popen[str]", work: Work, read: Callable[[], Reading]
) -> Loading[Reading]:
    told, said = _pipe(process.stdin), _pipe(process.stdout)
    key = "" if work.key is None else f"Bearer {work.key}"
    told.write(f"{key}\n{work.warm_body}\n{work.body}\n")
    told.flush()
    if said.readline() != "warm\n":
        raise ValueError("no warm-up")
    before = read()
    told.write("go\n")
    told.flush()
    _, microseconds = said.readline().split()
    after = read()
    samples = tuple(_sample(line.split()) for line in said)
    return Loading(samples=samples, cpu_s=int(microseconds) / 1e6, before=before, after=after)


def _pipe(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise click.ClickException("the program was started without a pipe")
    return pipe


def _sample(row: list[str]) -> Sample:
    connection, sent, first, ended, tokens, status, is_done, was_left = map(int, row)
    return Sample(
        connection=connection,
        sent_ms=sent / 1000,
        first_ms=None if first < 0 else first / 1000,
        ended_ms=ended / 1000,
        tokens=tokens,
        status=status,
        is_done=bool(is_done),
        was_left=bool(was_left),
    )
