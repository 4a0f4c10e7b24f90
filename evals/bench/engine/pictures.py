"""What the pictures of a run show: which figures, by which load, in which panels."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from evals.bench.curves import Curve, Value
from evals.bench.engine.figures import INTERVALS, CellFigures
from evals.bench.engine.loads import Load, read_name
from evals.bench.engine.reference import Published, PublishedLoad, PublishedTimes


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """One figure by load: of a run, with its range between rounds if it has one, and published."""

    title: str
    unit: str
    measured: Callable[[CellFigures], Value]
    published: Callable[[PublishedLoad], Value] = lambda _: None
    spread: Callable[[CellFigures], Sequence[float]] = lambda _: ()
    is_share: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Axis:
    """Loads of one kind, by their number."""

    name: str
    label: str
    is_closed: bool

    def place(self, load: Load) -> float:
        """Where the load stands on this axis."""
        return float((load.batch if self.is_closed else load.rate) or 0)


def _speed_panel(place: int) -> Panel:
    low, high = INTERVALS[place]
    return Panel(
        title=f"answers of {low}–{high} tokens" if high else f"answers of over {low - 1} tokens",
        unit="tokens/s of an answer, mean",
        measured=lambda one: speed.speed if (speed := one.intervals[place]) else None,
    )


PICTURES: dict[str, tuple[Panel, ...]] = {
    "throughput": (
        Panel(
            title="throughput",
            unit="tokens/s of all answers",
            measured=lambda one: one.throughput,
            published=lambda load: load.throughput,
            spread=lambda one: (min(one.throughputs), max(one.throughputs)),
        ),
    ),
    "latency": (
        Panel(
            title="first token",
            unit="ms",
            measured=lambda one: one.first,
            published=lambda load: load.first_ms,
        ),
        Panel(
            title="time per output token",
            unit="ms",
            measured=lambda one: one.per_token,
            published=lambda load: load.per_token_ms,
        ),
        Panel(
            title="whole answer",
            unit="ms",
            measured=lambda one: one.latency,
            published=lambda load: load.latency_ms,
        ),
    ),
    "speed": tuple(_speed_panel(place) for place in range(len(INTERVALS))),
    "experience": (
        Panel(
            title="quality of experience",
            unit="1 is as the reader expects",
            measured=lambda one: one.experience,
            is_share=True,
        ),
    ),
}


def list_axes(figures: Sequence[CellFigures]) -> list[Axis]:
    """The kinds of load there are, each once."""
    return list(dict.fromkeys(_find_axis(read_name(one.cell.load)) for one in figures))


def _find_axis(load: Load) -> Axis:
    if load.rate is None:
        return Axis(name="", label="requests at a time", is_closed=True)
    if load.variation == 1:
        return Axis(name="-poisson", label="requests a second, Poisson", is_closed=False)
    told = f"{load.variation:g}"
    return Axis(
        name=f"-gamma-{told}", label=f"requests a second, variation {told}", is_closed=False
    )


def list_curves(
    panel: Panel,
    axis: Axis,
    replies: str,
    figures: Sequence[CellFigures],
    published: Sequence[Published],
) -> list[Curve]:
    """What ``panel`` shows of each engine by ``axis``, and beside it of what was published."""
    fitting = [one for one in figures if one.cell.replies == replies]
    targets = dict.fromkeys(one.cell.target for one in figures)
    measured = _with_points(_measure(panel, axis, target, fitting) for target in targets)
    if not measured:
        return []
    return measured + _with_points(_publish(panel, axis, one) for one in published)


def _measure(panel: Panel, axis: Axis, target: str, figures: Sequence[CellFigures]) -> Curve:
    loads = [(read_name(one.cell.load), one) for one in figures if one.cell.target == target]
    points = sorted(
        ((axis.place(load), one) for load, one in loads if _find_axis(load) == axis),
        key=lambda point: point[0],
    )
    return Curve(
        label=target,
        places=tuple(place for place, _ in points),
        values=tuple(panel.measured(one) for _, one in points),
        spread=tuple(panel.spread(one) for _, one in points if panel.spread(one)),
    )


def _publish(panel: Panel, axis: Axis, published: Published) -> Curve:
    loads = [(read_name(one.load), one) for one in published.loads]
    points = [(axis.place(load), one) for load, one in loads if _find_axis(load) == axis]
    return Curve(
        label=published.label,
        places=tuple(place for place, _ in points),
        values=tuple(panel.published(one) for _, one in points),
        is_published=True,
    )


def _with_points(curves: Iterable[Curve]) -> list[Curve]:
    return [whole for curve in curves if (whole := _without_gaps(curve)).places]


def _without_gaps(curve: Curve) -> Curve:
    """The curve without the places that it has no value for."""
    kept = [
        place
        for place, value in enumerate(curve.values)
        if value is not None and value != PublishedTimes()
    ]
    return replace(
        curve,
        places=tuple(curve.places[place] for place in kept),
        values=tuple(curve.values[place] for place in kept),
        spread=tuple(curve.spread[place] for place in kept if curve.spread),
    )
