"""Records of a run: JSON lines, each with its kind, written as it goes."""

import json
import platform
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


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
