"""The figures of the fault matrix: what a case gave, and the page that shows them all."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
PROPERTY = "fault_figure"
WHOLE_RUN = frozenset({"E1", "E2", "C1", "P5"})
"""Cases of all test files; a run without them is partial and leaves the page as it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """What one case gave: of ``n`` runs ``passed``; the worst time in seconds against its limit."""

    case: str
    what: str
    n: int
    passed: int
    worst_s: float | None = None
    limit_s: float | None = None

    def row(self) -> str:
        worst = "–" if self.worst_s is None else f"{self.worst_s:.3f}"
        limit = "–" if self.limit_s is None else f"{self.limit_s:g}"
        percent = f"{100 * self.passed / self.n:g}"
        return f"| {self.case} | {self.what} | {self.n} | {percent} | {worst} | {limit} |"


Publish: TypeAlias = Callable[[Figure], None]


class Page:
    """A pytest plugin that lives where the tests are gathered, not in xdist's workers."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Figure] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties if report.when == "call" else ():
            if name == PROPERTY:
                figure = Figure(**json.loads(str(value)))
                self.rows[figure.case, figure.what] = figure

    def pytest_sessionfinish(self) -> None:
        if {case for case, _ in self.rows} >= WHOLE_RUN:
            PAGE.parent.mkdir(exist_ok=True)
            PAGE.write_text(_render(self.rows), encoding="utf-8")


def _render(rows: Mapping[tuple[str, str], Figure]) -> str:
    lines = "\n".join(rows[key].row() for key in sorted(rows))
    return f"""# The fault matrix: figures

Written by `make test-faults`: true limits, {os.cpu_count()} cores, everything on loopback, on a
machine shared with whatever else ran. *Worst* is the longest time in seconds from the fault to the
client's error; from the request, where the fault is silence or a refusal; for C1 from the client's
leaving to the engine's seeing it; for P the processor time of one refusal. In E cases a run is one
request: routed and by the engine's name, streamed and whole.

| case | what | n | pass % | worst | limit |
|---|---|---|---|---|---|
{lines}
"""
