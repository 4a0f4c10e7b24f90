"""Writes a report as one HTML page that needs nothing else: no request leaves it."""

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from evals.saved import SavedOutcome, SavedRun
from evals.summary import DEFAULT
from evals.tables import Table

_BARS = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Decided:
    """What one run decided for a case."""

    run: str
    text: str
    rewritten: str | None
    reason: str
    is_right: bool
    patterns: tuple[str, ...]
    ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One case as the page lists it; ``state`` is right, wrong or (of several runs) mixed."""

    id: str
    outcome: SavedOutcome
    right: str
    tool: str
    decided: tuple[Decided, ...]
    state: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """One bar of a histogram: times up to ``up_to`` ms, and its height from 0 to 100."""

    up_to: float
    count: int
    height: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Histogram:
    """The times to the decision of one run, in bars of growing width."""

    run: str
    bars: tuple[Bar, ...]


def write_page(title: str, intro: str, tables: Iterable[Table], runs: Sequence[SavedRun]) -> str:
    """The page: tables, times, and every case of ``runs``, which are of the same cases.

    Prompts may be hostile: everything is escaped, and the page's own policy admits one script,
    by its hash, and no request.
    """
    rows = tuple(_rows(runs))
    script = _read("page.js")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=title,
            intro=intro,
            tables=tuple(tables),
            histograms=tuple(_histogram(run) for run in runs),
            rows=rows,
            several=len(runs) > 1,
            tools=sorted({row.tool for row in rows}),
            tags=sorted({tag for row in rows for tag in row.outcome.tags}),
            style=_read("page.css"),
            script=script,
            script_hash=base64.b64encode(sha256(script.encode()).digest()).decode(),
        )
    )


def _rows(runs: Sequence[SavedRun]) -> Iterator[Row]:
    for key, outcome in runs[0].outcomes.items():
        decided = tuple(_decided(run, run.outcomes[key]) for run in runs)
        right = {one.is_right for one in decided}
        yield Row(
            id=key,
            outcome=outcome,
            right=" | ".join(map(str, outcome.right)),
            tool=outcome.right[0].tool or DEFAULT,
            decided=decided,
            state="mixed" if len(right) > 1 else ("right" if True in right else "wrong"),
        )


def _decided(run: SavedRun, outcome: SavedOutcome) -> Decided:
    return Decided(
        run=run.label,
        text=outcome.decided,
        rewritten=outcome.rewritten,
        reason=outcome.reason,
        is_right=outcome.is_right,
        patterns=outcome.patterns,
        ms=outcome.decision_ms,
    )


def _histogram(run: SavedRun) -> Histogram:
    """Bars whose limits double, from a quarter of a millisecond."""
    times = [outcome.decision_ms for outcome in run.outcomes.values()]
    limits = [0.25 * 2**number for number in range(_BARS)]
    places = [min(sum(limit < ms for limit in limits), _BARS - 1) for ms in times]
    counts = [places.count(number) for number in range(_BARS)]
    first = next((number for number, count in enumerate(counts) if count), 0)
    last = max((number for number, count in enumerate(counts) if count), default=0)
    most = max(counts)
    return Histogram(
        run=run.label,
        bars=tuple(
            Bar(up_to=limits[at], count=counts[at], height=100 * counts[at] / max(most, 1))
            for at in range(first, last + 1)
        ),
    )


def _read(name: str) -> str:
    return (files("evals") / "templates" / name).read_text(encoding="utf-8").strip()


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("evals", "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
