"""The kept lines of a time, oldest first, of files that a crash may have torn."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

_AT: Final = re.compile(r'\{"at": "([^"]{1,40})", ')
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """All figures that were not zero ``at`` a moment (aware UTC), by name and labels."""

    at: datetime
    figures: Mapping[str, float]


class KeptLines:
    """The snapshots in ``folder``; ``unreadable`` counts the lines that are none."""

    def __init__(self, folder: Path) -> None:
        """Nothing is read before `read`."""
        self.unreadable = 0
        self._folder = folder

    def read(self, since: datetime, until: datetime) -> Iterator[Snapshot]:
        """From ``since`` to before ``until``, and the last one before, from which they grow.

        Raises:
            OSError: a file cannot be read.
        """
        before: str | None = None
        for line, at in self._lines(since, until):
            if at < since:
                before = line
                continue
            if before is not None:
                yield from self._parse(before)
                before = None
            yield from self._parse(line)

    def _lines(self, since: datetime, until: datetime) -> Iterator[tuple[str, datetime]]:
        """The lines before ``until`` of the days from the one before ``since`` on."""
        for file in self._files(since, until):
            with file.open(encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    at = _time_of(line)
                    if at is None:
                        self.unreadable += 1
                    elif at < until:
                        yield line, at

    def _files(self, since: datetime, until: datetime) -> list[Path]:
        first, last = (f"{moment.astimezone(UTC):%Y-%m-%d}" for moment in (since, until))
        days = [file for file in sorted(self._folder.glob("*.jsonl")) if _DAY.fullmatch(file.stem)]
        earlier = [file for file in days if file.stem < first]
        return earlier[-1:] + [file for file in days if first <= file.stem <= last]

    def _parse(self, line: str) -> Iterator[Snapshot]:
        try:
            kept = json.loads(line)
            figures = {str(name): float(value) for name, value in kept["figures"].items()}
            yield Snapshot(at=datetime.fromisoformat(kept["at"]), figures=figures)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.unreadable += 1


def _time_of(line: str) -> datetime | None:
    """When the line was written, without reading the rest of it."""
    found = _AT.match(line)
    try:
        at = datetime.fromisoformat(found[1]) if found else None
    except ValueError:
        return None
    return at if at is not None and at.tzinfo is not None else None
