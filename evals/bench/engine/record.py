"""The record of a run: JSON lines with all that is needed to repeat it, written as it goes."""

import json
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from os import truncate
from pathlib import Path
from typing import TypeAlias, assert_never

from pydantic import TypeAdapter

from evals.bench.engine.experience import Reader
from evals.bench.engine.prompts import fingerprint
from evals.bench.engine.runs import Plan
from evals.bench.engine.samples import Round, Sample
from evals.bench.lines import LinesFile, describe_client, read_command, read_date, read_lines

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
    limit_s: float
    hardware: str
    reader: Reader
    prompts: str = field(default_factory=fingerprint)
    command: tuple[str, ...] = field(default_factory=read_command)
    at: str = field(default_factory=read_date)
    client: str = field(default_factory=describe_client)
    python: str = field(default_factory=platform.python_version)
    aiohttp: str = field(default_factory=lambda: version("aiohttp"))
    zwrotnica: str = field(default_factory=lambda: version("zwrotnica"))


def build_header(
    plan: Plan, servers: Sequence[Server], *, limit_s: float, hardware: str, reader: Reader
) -> Header:
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
        limit_s=limit_s,
        hardware=hardware,
        reader=reader,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Resumption:
    """When and by what a run that was broken off was taken up again."""

    command: tuple[str, ...] = field(default_factory=read_command)
    at: str = field(default_factory=read_date)
    client: str = field(default_factory=describe_client)


_Line: TypeAlias = Header | Resumption | Sample | Round


class RecordFile(LinesFile):
    """A record, to whose end lines are written at once."""

    def add_start(self, start: Header | Resumption) -> None:
        """Tell that a run begins, or goes on."""
        self.add("header" if isinstance(start, Header) else "resumption", start)

    def add_sample(self, sample: Sample) -> None:
        """Keep one request."""
        self.add("sample", sample)

    def add_round(self, done: Round) -> None:
        """Keep one round of a cell."""
        self.add("round", done)


def begin_record(path: Path, header: Header) -> RecordFile:
    """A new record at ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(exist_ok=False)
    record = RecordFile(path)
    record.add_start(header)
    return record


def resume_record(path: Path) -> RecordFile:
    """The record at ``path``, to be gone on with; a torn last line is cut off."""
    whole, _, _torn = path.read_bytes().rpartition(b"\n")
    truncate(path, len(whole) + 1)
    record = RecordFile(path)
    record.add_start(Resumption())
    return record


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
    header, records = read_lines(
        path, read_line=_read_line, header=Header, command="zwrotnica bench engine"
    )
    rounds = tuple(one for one in records if isinstance(one, Round))
    return Record(
        label=path.stem,
        header=header,
        samples=tuple(_take_whole(records)),
        rounds=rounds,
    )


def _take_whole(lines: Sequence[_Line]) -> Iterator[Sample]:
    """The samples whose round came to its end, before the run was broken off or ended."""
    begun: list[Sample] = []
    for line in lines:
        match line:
            case Sample():
                begun.append(line)
            case Round():
                yield from begun
                begun = []
            case Header() | Resumption():
                begun = []
            case _:
                assert_never(line)


def _read_line(line: str) -> _Line:
    fields = json.loads(line)
    kind = fields.pop("kind")
    return _READERS[kind].validate_python(fields)


_READERS: dict[str, TypeAdapter[_Line]] = {
    "header": TypeAdapter(Header),
    "resumption": TypeAdapter(Resumption),
    "sample": TypeAdapter(Sample),
    "round": TypeAdapter(Round),
}
