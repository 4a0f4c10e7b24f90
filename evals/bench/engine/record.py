"""The record of a run: JSON lines with all that is needed to repeat it, written as it goes."""

import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeAlias

import click
from pydantic import TypeAdapter

from evals.bench.engine.experience import Reader
from evals.bench.engine.prompts import fingerprint
from evals.bench.engine.runs import Plan
from evals.bench.engine.samples import Round, Sample

_SPARE_TOKENS = 2
_SPARE_SHARE = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """A server that was measured, and what its tokenizer says of the tokens it reported.

    ``reported`` and ``retokenized`` count the tokens of the same trial answers; ``None``: the
    server has no ``/tokenize``. ``version`` is what it says of itself, where it says anything.
    """

    name: str
    url: str
    model: str
    answers: int
    reported: int
    retokenized: int | None
    version: str | None = None

    @property
    def is_trusted(self) -> bool:
        """Whether both counts agree, as far as text can show tokens.

        The token that ends an answer is counted and not seen, and one at a seam may be read as
        two: that many of each answer, and a tenth of all, may differ.
        """
        if self.retokenized is None:
            return True
        spare = _SPARE_TOKENS * self.answers + _SPARE_SHARE * self.reported
        return abs(self.retokenized - self.reported) <= spare


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """Where, when and how a run was made."""

    servers: tuple[Server, ...]
    loads: tuple[str, ...]
    replies: tuple[str, ...]
    rounds: int
    requests: int
    seed: int
    temperature: float
    ignore_eos: bool
    hardware: str
    reader: Reader
    prompts: str = field(default_factory=fingerprint)
    command: tuple[str, ...] = field(default_factory=lambda: tuple(sys.argv[1:]))
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    client: str = field(default_factory=lambda: f"{platform.platform()}, {cpu_count()} cores")
    python: str = field(default_factory=platform.python_version)
    zwrotnica: str = field(default_factory=lambda: version("zwrotnica"))


def build_header(plan: Plan, servers: Sequence[Server], *, hardware: str, reader: Reader) -> Header:
    """The header of a run of ``plan``; ``hardware`` is what the caller says of the servers'."""
    return Header(
        servers=tuple(servers),
        loads=tuple(load.name for load in plan.loads),
        replies=plan.replies,
        rounds=plan.rounds,
        requests=plan.requests,
        seed=plan.seed,
        temperature=plan.temperature,
        ignore_eos=plan.ignore_eos,
        hardware=hardware,
        reader=reader,
    )


_Kind: TypeAlias = Literal["header", "sample", "round"]


class RecordFile:
    """A new record, into which lines are written at once."""

    def __init__(self, path: Path, header: Header) -> None:
        """Begin the file at ``path``."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("x", encoding="utf-8", buffering=1)
        self._write("header", header)

    def __enter__(self) -> Self:
        """Be written to until the block ends."""
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()

    def add_sample(self, sample: Sample) -> None:
        """Keep one request."""
        self._write("sample", sample)

    def add_round(self, done: Round) -> None:
        """Keep one round of a cell."""
        self._write("round", done)

    def _write(self, kind: _Kind, record: Header | Sample | Round) -> None:
        self._file.write(json.dumps({"kind": kind, **asdict(record)}, ensure_ascii=False) + "\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A record that was read; requests of a round that was broken off are left out."""

    label: str
    header: Header
    samples: tuple[Sample, ...]
    rounds: tuple[Round, ...]


def read_record(path: Path) -> Record:
    """Read a record; a torn last line is passed over.

    Raises:
        click.ClickException: the file cannot be read, or is no such record.
    """
    try:
        *lines, _torn = path.read_text(encoding="utf-8").split("\n")
        records = [_read_line(line) for line in lines]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise click.ClickException(
            f"{str(path)!r} is no record of 'zwrotnica bench engine': {error}"
        ) from error
    headers = [one for one in records if isinstance(one, Header)]
    if len(headers) != 1:
        raise click.ClickException(f"{str(path)!r} has {len(headers)} headers in place of one")
    rounds = tuple(one for one in records if isinstance(one, Round))
    whole = {(one.cell, one.round) for one in rounds}
    samples = (one for one in records if isinstance(one, Sample))
    return Record(
        label=path.stem,
        header=headers[0],
        samples=tuple(one for one in samples if (one.cell, one.round) in whole),
        rounds=rounds,
    )


def _read_line(line: str) -> Header | Sample | Round:
    fields = json.loads(line)
    kind = fields.pop("kind")
    return _READERS[kind].validate_python(fields)


_READERS: dict[str, TypeAdapter[Header] | TypeAdapter[Sample] | TypeAdapter[Round]] = {
    "header": TypeAdapter(Header),
    "sample": TypeAdapter(Sample),
    "round": TypeAdapter(Round),
}
