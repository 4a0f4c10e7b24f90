"""Records of a run: JSON lines, each with its kind, written as it goes."""

import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import click

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Line = TypeVar("Line")
Header = TypeVar("Header")


class LinesFile:
    """A file, to whose end lines are written at once."""

    def __init__(self, path: Path) -> None:
        """Open the file at ``path``, which need not be there."""
        self.path = path
        self._file = path.open("a", encoding="utf-8", buffering=1)

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

    def add(self, kind: str, line: "DataclassInstance") -> None:
        """Keep one line."""
        self._file.write(json.dumps({"kind": kind, **asdict(line)}, ensure_ascii=False) + "\n")


def read_command() -> tuple[str, ...]:
    """The words that this program was started with."""
    return tuple(sys.argv[1:])


def read_date() -> str:
    """The present moment, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def describe_client() -> str:
    """System and cores of the machine that measures."""
    return f"{platform.platform()}, {cpu_count()} cores"


def read_lines(
    path: Path, *, read_line: Callable[[str], Line], header: type[Header], command: str
) -> tuple[Header, list[Line]]:
    """The header of the record at ``path``, and all its lines; a torn last one is passed over.

    Raises:
        click.ClickException: the file cannot be read, or is no record of ``command``.
    """
    try:
        *lines, _torn = path.read_text(encoding="utf-8").split("\n")
        read = [read_line(line) for line in lines]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise click.ClickException(f"{str(path)!r} is no record of {command!r}: {error}") from error
    headers = [one for one in read if isinstance(one, header)]
    if len(headers) != 1:
        raise click.ClickException(f"{str(path)!r} has {len(headers)} headers in place of one")
    return headers[0], read
