"""The figures of a run: speed by length, throughput, latency and experience, cell by cell."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from evals.bench.engine.experience import Reader, rate_experience
from evals.bench.engine.samples import Cell, Round, Sample

INTERVALS = ((1, 30), (31, 300), (301, None))
LATE_MS = 60_000.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Percentiles:
    """Of some times in milliseconds."""

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Speed:
    """The answers of one interval: how many, mean tokens/s, and seconds of all, with queueing."""

    answers: int
    speed: float
    total_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CellFigures:
    """All that is said of one cell; ``late`` is the share of requests over 60 s.

    Times of tokens are of streams only: ``per_token`` is each answer's mean after its first token,
    ``between`` each single gap, which is 0 where tokens came together. ``client_share`` is how
    much of one core this program used itself: near 1 it measured itself. ``client_late_ms`` is
    that of its worst round.
    """

    cell: Cell
    requests: int
    failed: int
    uncounted: int
    intervals: tuple[Speed | None, ...]
    throughput: float
    throughputs: tuple[float, ...]
    first: Percentiles | None
    per_token: Percentiles | None
    between: Percentiles | None
    latency: Percentiles | None
    late: float
    experience: float | None
    client_share: float
    client_late_ms: float


def sum_up(
    samples: Sequence[Sample], rounds: Sequence[Round], reader: Reader
) -> tuple[CellFigures, ...]:
    """The figures of every cell that has a whole round, in the order of `list_cells`."""
    cells = list_cells(rounds)
    return tuple(
        _sum_up(
            cell,
            [one for one in samples if one.cell == cell],
            [one for one in rounds if one.cell == cell],
            reader,
        )
        for cell in cells
    )


def list_cells(rounds: Sequence[Round]) -> list[Cell]:
    """The cells that have a whole round: load by load as they were run, engines by name."""
    loads = list(dict.fromkeys((one.cell.load, one.cell.replies) for one in rounds))
    return sorted(
        {one.cell for one in rounds},
        key=lambda cell: (loads.index((cell.load, cell.replies)), cell.target),
    )


def _sum_up(
    cell: Cell, samples: Sequence[Sample], rounds: Sequence[Round], reader: Reader
) -> CellFigures:
    whole = [one for one in samples if one.error is None]
    rated = (rate_experience(one.pieces_ms, one.tokens, reader) for one in whole)
    rates = [one for one in rated if one is not None]
    seconds = sum(one.seconds for one in rounds)
    return CellFigures(
        cell=cell,
        requests=len(samples),
        failed=len(samples) - len(whole),
        uncounted=sum(not one.is_counted for one in whole),
        intervals=tuple(_speed(whole, *interval) for interval in INTERVALS),
        throughput=sum(one.tokens for one in rounds) / seconds,
        throughputs=tuple(one.throughput for one in rounds),
        first=_percentiles(whole, lambda one: one.first_ms),
        per_token=_percentiles(whole, lambda one: one.per_token_ms),
        between=percentiles([gap for one in whole for gap in _gaps(one)]),
        latency=_percentiles(whole, lambda one: one.ended_ms),
        late=sum(one.ended_ms > LATE_MS for one in samples) / len(samples),
        experience=fmean(rates) if rates else None,
        client_share=sum(one.client_cpu_s for one in rounds) / seconds,
        client_late_ms=max(one.client_late_ms for one in rounds),
    )


def _speed(samples: Iterable[Sample], least: int, most: int | None) -> Speed | None:
    inside = [one for one in samples if least <= one.tokens <= (most or one.tokens)]
    if not inside:
        return None
    return Speed(
        answers=len(inside),
        speed=fmean(one.speed for one in inside),
        total_s=sum(one.ended_ms for one in inside) / 1e3,
    )


def _gaps(sample: Sample) -> list[float]:
    """Times between tokens: those between pieces, shorter by as much as there are more tokens."""
    pieces = sample.pieces_ms
    count = max(sample.tokens - 1, len(pieces) - 1)
    return [(late - early) * (len(pieces) - 1) / count for early, late in pairwise(pieces)]


def _percentiles(
    samples: Iterable[Sample], value: Callable[[Sample], float | None]
) -> Percentiles | None:
    return percentiles([got for one in samples if (got := value(one)) is not None])


def percentiles(values: Sequence[float]) -> Percentiles | None:
    """By linear interpolation between the two nearest values; ``None`` of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    p50, p95, p99 = (_at(ordered, share) for share in (0.5, 0.95, 0.99))
    return Percentiles(p50=p50, p95=p95, p99=p99)


def _at(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
