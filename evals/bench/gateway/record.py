"""The record of a run: JSON lines with all that is needed to repeat it."""

import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeAlias

from pydantic import TypeAdapter

from evals.bench.gateway.rounds import Round
from evals.bench.gateway.targets import Target
from evals.bench.lines import LinesFile, describe_client, read_command, read_date, read_lines

RecordFile: TypeAlias = LinesFile


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """Where, when and how a run was made.

    ``targets`` without keys; ``idle_shares`` of a core, by target; ``cores`` those of gateways,
    simulator and load generator (``None``: not bound); ``is_shared``: the last two are one.
    """

    targets: tuple[Target, ...]
    idle_shares: dict[str, float | None]
    first_ms: float
    gap_ms: float
    rounds: int
    seed: int
    together: bool
    limit_s: float
    cores: tuple[tuple[int, ...] | None, ...]
    is_shared: bool
    command: tuple[str, ...] = field(default_factory=read_command)
    at: str = field(default_factory=read_date)
    client: str = field(default_factory=describe_client)
    python: str = field(default_factory=platform.python_version)
    zwrotnica: str = field(default_factory=lambda: version("zwrotnica"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A record that was read."""

    label: str
    header: Header
    rounds: tuple[Round, ...]


def begin_record(path: Path, header: Header) -> RecordFile:
    """A new record at ``path``; keys of targets stay out of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(exist_ok=False)
    record = LinesFile(path)
    targets = tuple(replace(one, key=None) for one in header.targets)
    record.add("header", replace(header, targets=targets))
    return record


def read_record(path: Path) -> Record:
    """Read a record; a torn last line is passed over.

    Raises:
        click.ClickException: the file cannot be read, or is no such record.
    """
    header, read = read_lines(
        path, read_line=_read_line, header=Header, command="zwrotnica bench gateway"
    )
    rounds = tuple(one for one in read if isinstance(one, Round))
    return Record(label=path.stem, header=header, rounds=rounds)


def _read_line(line: str) -> Header | Round:
    fields = json.loads(line)
    return _READERS[fields.pop("kind")].validate_python(fields)


_READERS: Final[dict[str, TypeAdapter[Header] | TypeAdapter[Round]]] = {
    "header": TypeAdapter(Header),
    "round": TypeAdapter(Round),
}


def name_targets(targets: Sequence[Target]) -> str:
    """The targets with their versions, in words."""
    return ", ".join(f"{one.name} ({one.version})" if one.version else one.name for one in targets)
