"""The figures of the fault matrix: what a case gave, and the page that shows them all."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Final, TypeAlias

import pytest

from evals.output import write_between

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
PROPERTY = "fault_figure"
SCHEDULING_S = 3.0
CASES: Final = {
    **dict.fromkeys("AJ", (1, 2, 3, 4)),
    "C": (1, 2, 3, 4, 5, 6),
    "D": (1, 2, 3),
    "E": (*range(1, 12), "12a", "12b", 13, 14),
    "I": (1, 2, 3),
    "P": (1, 2, 3, 4, 5),
    "R": (1, 2),
    "T": (1, 2, 3, 4),
    "W": (1, 2),
    "X": (1,),
}
WHOLE_RUN: Final = frozenset(f"{kind}{case}" for kind, cases in CASES.items() for case in cases)
"""Every case; a run without one of them is partial and leaves the page as it is."""
KEPT: Final = "faults/figures"
"""Where pytest's cache keeps the figures of a run, for those of what failed in it and ran again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """What one case gave: of ``n`` runs ``passed``; its times in seconds against their limit.

    ``slowness``: how many times longer than a quiet machine this one took for anything just then.
    ``is_ratio``: the times are ratios of times to those of a moment before, so that a slow machine
    excuses nothing.
    """

    case: str
    what: str
    n: int
    passed: int
    times: tuple[float, ...] = ()
    limit_s: float | None = None
    slowness: float = 1.0
    is_ratio: bool = False

    @property
    def median_s(self) -> float:
        return median(self.times) if self.times else 0.0

    @property
    def is_met(self) -> bool:
        """Every run as it should be, the median in time, and the worst not far from it.

        The worst alone may be the machine's doing: the two ends and the gateway share its cores
        with whatever else runs. A machine that is slow as a whole has as much more time.
        """
        if self.passed < self.n or self.limit_s is None:
            return self.passed == self.n
        if self.is_ratio:
            return max(self.times) <= self.limit_s
        worst_s = self.limit_s + SCHEDULING_S
        return (
            self.median_s <= self.limit_s * self.slowness
            and max(self.times) <= worst_s * self.slowness
        )

    def joined(self, other: "Figure") -> "Figure":
        """The figure of both, where several tests play one case."""
        return replace(
            self,
            n=self.n + other.n,
            passed=self.passed + other.passed,
            times=(*self.times, *other.times),
            slowness=max(self.slowness, other.slowness),
        )

    def row(self) -> str:
        times = f"{self.median_s:.3f} | {max(self.times):.3f}" if self.times else "– | –"
        limit = "–" if self.limit_s is None else f"{self.limit_s:g}"
        percent = f"{100 * self.passed / self.n:g}"
        return f"| {self.case} | {self.what} | {self.n} | {percent} | {times} | {limit} |"


Publish: TypeAlias = Callable[[Figure], None]


class Page:
    """A pytest plugin that lives where the tests are gathered, not in xdist's workers."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Figure] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:  # what failed runs again
            for name, value in report.user_properties:
                if name == PROPERTY:
                    figure = Figure(**json.loads(str(value)))
                    key = figure.case, figure.what
                    self.rows[key] = self.rows[key].joined(figure) if key in self.rows else figure

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        cache, rows = session.config.cache, self.rows
        assert cache is not None
        if not rows:
            return
        if session.config.getoption("lf"):
            kept = [Figure(**one) for one in cache.get(KEPT, ())]
            rows = {(one.case, one.what): one for one in kept} | rows
        cache.set(KEPT, [asdict(one) for one in rows.values()])
        if {case for case, _ in rows} >= WHOLE_RUN:
            write_between(PAGE, "matrix", _render(rows))


def _render(rows: Mapping[tuple[str, str], Figure]) -> str:
    lines = "\n".join(rows[key].row() for key in sorted(rows, key=_place))
    slowness = median(row.slowness for row in rows.values())
    return f"""Written by `make test-faults`: true limits, {os.cpu_count()} cores, on loopback, on a
machine shared with whatever else ran. Times are in seconds: from the fault to the client's error;
from the request, where the fault is silence or a refusal; for C1 from the client's leaving to the
engine's seeing it; for P the processor time of one refusal; for T the whole call of a tool; for X1
the whole export. W1 kills a process in mid-answer. In E cases a run is one request: routed and by
the engine's name, streamed and whole; in J cases one form of an image in one renderer, one way to
cut it, or one reply. The median must meet the limit, stretched where the machine takes longer for
anything (here, median: {slowness:.1f} times).

| case | what | n | pass % | median | worst | limit |
|---|---|---|---|---|---|---|
{lines}
"""


def _place(key: tuple[str, str]) -> tuple[str, int, str, str]:
    """E2 before E10, E12a before E12b."""
    case, what = key
    number = case[1:].rstrip("ab")
    return case[0], int(number), case, what
