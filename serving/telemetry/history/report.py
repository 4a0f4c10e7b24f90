"""What an operator wants to know of an interval."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from serving.telemetry.history.intervals import Interval
from serving.telemetry.history.series import Series, read_series
from serving.telemetry.metrics import SECONDS

_MEDIAN, _HIGH = 0.5, 0.95
_FAILED: Final = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstText:
    """How long people waited, in seconds; of ``path`` and ``engine``, ``*`` of all together."""

    path: str
    engine: str
    count: int
    p50_s: float | None
    p95_s: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolUse:
    """How often a tool was called and how often it failed."""

    tool: str
    calls: int
    failures: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """One interval; ``per_s`` are requests a second.

    ``turns`` are counted by decision, ``tokens`` by engine and kind, ``refusals`` by code.
    ``open_breakers`` are the most at once by engine; ``memory_bytes`` the most, ``None`` where it
    was not kept.
    """

    begin: datetime
    end: datetime
    snapshots: int
    requests: int
    per_s: float
    turns: Mapping[str, int]
    first_text: FirstText
    first_texts: tuple[FirstText, ...]
    tokens: Mapping[str, Mapping[str, int]]
    refusals: Mapping[str, int]
    tools: tuple[ToolUse, ...]
    open_breakers: Mapping[str, int]
    memory_bytes: int | None


def make_report(interval: Interval) -> Report:
    """What the interval's figures say; those of several processes are added up."""
    grown = _Figures(interval.increases)
    peaks = _Figures(interval.peaks)
    requests = round(sum(grown.by("http_requests_total").values()))
    memory = sum(peaks.by("memory_bytes").values())
    return Report(
        begin=interval.begin,
        end=interval.end,
        snapshots=interval.snapshots,
        requests=requests,
        per_s=requests / interval.seconds if interval.seconds else 0.0,
        turns=_whole(grown.by("routes_total", "decision")),
        first_text=_first_text("*", "*", grown.buckets("first_text_seconds")[()]),
        first_texts=tuple(
            _first_text(path, engine, buckets)
            for (path, engine), buckets in sorted(
                grown.buckets("first_text_seconds", "path", "engine").items()
            )
        ),
        tokens=_nested(grown.by("tokens_total", "engine", "kind")),
        refusals=_whole(grown.by("turns_refused_total", "code")),
        tools=tuple(_tools(grown.by("tool_seconds_count", "tool", "status"))),
        open_breakers=_whole(peaks.by("engine_breakers_open", "engine")),
        memory_bytes=round(memory) or None,
    )


class _Figures:
    """Figures by name and labels; labels that are not asked for are added up."""

    def __init__(self, figures: Mapping[str, float]) -> None:
        self._figures: defaultdict[str, list[tuple[Series, float]]] = defaultdict(list)
        for written, value in figures.items():
            series = read_series(written)
            self._figures[series.name].append((series, value))

    def by(self, name: str, *labels: str) -> Counter[tuple[str, ...]]:
        return self._add(name, lambda series: tuple(series.labels.get(one, "") for one in labels))

    def buckets(self, name: str, *labels: str) -> dict[tuple[str, ...], dict[float, float]]:
        """Of a histogram: cumulated counts by upper bound, those of none too."""
        found = self.by(f"{name}_bucket", *labels, "le")
        bounds: defaultdict[tuple[str, ...], dict[float, float]] = defaultdict(
            lambda: dict.fromkeys(SECONDS, 0.0)  # what is zero is not kept
        )
        for (*values, bound), count in found.items():
            bounds[tuple(values)][float(bound)] = count
        return bounds

    def _add(self, name: str, key: Callable[[Series], tuple[str, ...]]) -> Counter[tuple[str, ...]]:
        added: Counter[tuple[str, ...]] = Counter()
        for series, value in self._figures[name]:
            added[key(series)] += value  # type: ignore[assignment]  # seconds are no integers
        return added


def quantile(share: float, buckets: Mapping[float, float]) -> float | None:
    """The value below which ``share`` (0 to 1) of what ``buckets`` count lies; ``None`` for none.

    ``buckets`` are cumulated by upper bound. Within a bucket values are taken as spread evenly,
    beyond the last finite bound they count as that one, as Prometheus' ``histogram_quantile``.
    """
    bounds = sorted(buckets)
    total = buckets[bounds[-1]] if bounds else 0.0
    if total <= 0:
        return None
    wanted = share * total
    below, lower = 0.0, 0.0
    for bound in bounds:
        count = max(buckets[bound], below)
        if count >= wanted and count > below:
            if math.isinf(bound):
                return lower
            return lower + (bound - lower) * (wanted - below) / (count - below)
        below, lower = count, bound
    return lower


def _first_text(path: str, engine: str, buckets: Mapping[float, float]) -> FirstText:
    return FirstText(
        path=path,
        engine=engine,
        count=round(buckets.get(math.inf, 0.0)),
        p50_s=quantile(_MEDIAN, buckets),
        p95_s=quantile(_HIGH, buckets),
    )


def _tools(calls: Counter[tuple[str, ...]]) -> Iterator[ToolUse]:
    for tool in sorted({tool for tool, _ in calls}):
        yield ToolUse(
            tool=tool,
            calls=round(sum(count for (name, _), count in calls.items() if name == tool)),
            failures=round(calls[tool, _FAILED]),
        )


def _whole(figures: Counter[tuple[str, ...]]) -> dict[str, int]:
    return {label: round(value) for (label,), value in sorted(figures.items()) if round(value)}


def _nested(figures: Counter[tuple[str, ...]]) -> dict[str, dict[str, int]]:
    nested: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for (outer, inner), value in sorted(figures.items()):
        nested[outer][inner] = round(value)
    return dict(nested)
