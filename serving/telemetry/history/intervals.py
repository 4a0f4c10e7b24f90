"""What each of several intervals saw: by how much counters grew, and how high levels stood."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from serving.telemetry.history.lines import Snapshot
from serving.telemetry.history.series import is_counted


@dataclass(kw_only=True, slots=True)
class Interval:
    """From ``begin`` to before ``end``, with ``snapshots`` lines.

    ``increases`` are of counters, ``peaks`` and ``last`` of levels, by name and labels.
    """

    begin: datetime
    end: datetime
    snapshots: int = 0
    increases: Counter[str] = field(default_factory=Counter)
    peaks: dict[str, float] = field(default_factory=dict)
    last: Mapping[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """How long it is."""
        return (self.end - self.begin).total_seconds()

    def add(self, snapshot: Snapshot, grown: Mapping[str, float]) -> None:
        """Take a line, and by how much counters grew since the one before."""
        self.snapshots += 1
        for name, value in grown.items():
            self.increases[name] += value  # type: ignore[assignment]  # seconds are no integers
        self.last = {
            name: value for name, value in snapshot.figures.items() if not is_counted(name)
        }
        for name, value in self.last.items():
            self.peaks[name] = max(value, self.peaks.get(name, value))


def divide(
    snapshots: Iterable[Snapshot], *, since: datetime, until: datetime, every: timedelta | None
) -> list[Interval]:
    """Intervals of ``every`` (``None``: one) from ``since`` on; the last may be shorter.

    Of the first of all lines it is not known since when its counters grew: it counts for nothing
    but its levels.
    """
    intervals: dict[datetime, Interval] = {}
    find_begin = _beginnings(since, every)
    before: Snapshot | None = None
    for snapshot in snapshots:
        if snapshot.at >= since:
            begin = find_begin(snapshot.at)
            end = until if every is None else min(begin + every, until)
            interval = intervals.setdefault(begin, Interval(begin=begin, end=end))
            interval.add(snapshot, {} if before is None else _growth(before, snapshot))
        before = snapshot
    return list(intervals.values())


def _beginnings(since: datetime, every: timedelta | None) -> Callable[[datetime], datetime]:
    if every is None:
        return lambda _: since
    return lambda at: since + (at - since) // every * every


def _growth(before: Snapshot, after: Snapshot) -> dict[str, float]:
    """By how much each counter grew.

    Counters begin at zero with each start of the gateway, all together: where any of them has
    fallen, all of them count from zero.
    """
    counted = {name: value for name, value in after.figures.items() if is_counted(name)}
    earlier = {name: value for name, value in before.figures.items() if is_counted(name)}
    if any(counted.get(name, 0.0) < value for name, value in earlier.items()):
        return counted
    return {
        name: value - earlier.get(name, 0.0)
        for name, value in counted.items()
        if value != earlier.get(name, 0.0)
    }
