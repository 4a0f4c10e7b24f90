"""Draws the pictures of a run with matplotlib; needs the extra ``bench``."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from evals.bench.engine.figures import Percentiles, sum_up
from evals.bench.engine.pictures import PICTURES, Axis, Curve, Panel, list_axes, list_curves
from evals.bench.engine.record import Record
from evals.bench.engine.reference import Published, PublishedTimes
from evals.bench.engine.samples import Replies

Shape: TypeAlias = Literal["svg", "png"]
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, told apart by the colour-blind too."""
_MARKERS = {"p50": "o", "p95": "^", "p99": "s"}
_WIDTH, _HEIGHT, _MARGIN = 4.4, 3.2, 0.8
"""Of a panel and of the legend, in inches."""
_COLUMNS, _SQUARE = 3, 2
_STEPS = tuple(figure * 10.0**power for power in range(-3, 9) for figure in (1, 2, 5))
_DPI = 150
_TICKS = 20
_LARGE = 1_000
_WORDS: dict[Replies, str] = {"stream": "streamed", "whole": "not streamed"}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cell:
    """One panel with the curves of one kind of replies."""

    panel: Panel
    replies: Replies
    curves: Sequence[Curve]


def draw(
    record: Record, path: Path, shape: Shape, published: Sequence[Published] = ()
) -> list[Path]:
    """Write every picture of the record beside ``path``, what was published dashed."""
    figures = sum_up(record.samples, record.rounds, record.header.reader)
    title = f"{record.label}, hardware: {record.header.hardware}"
    written: list[Path] = []
    for axis, (name, panels) in product(list_axes(figures), PICTURES.items()):
        cells = [
            _Cell(panel=panel, replies=replies, curves=curves)
            for replies, panel in product(get_args(Replies), panels)
            if (curves := list_curves(panel, axis, replies, figures, published))
        ]
        if cells:
            target = path.with_name(f"{path.stem}-{name}{axis.name}.{shape}")
            with _styled():
                _draw_picture(target, title, axis, cells)
            written.append(target)
    return written


def _styled() -> AbstractContextManager[None]:
    return mpl.rc_context({
        "text.parse_math": False,  # names of engines are no formulas
        "font.family": "DejaVu Sans",  # comes with matplotlib, and has every Polish letter
        "font.size": 9,
        "axes.grid": True,
        "grid.color": "#dddddd",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "svg.hashsalt": "zwrotnica",  # the same picture is the same file
    })


def _draw_picture(path: Path, title: str, axis: Axis, cells: Sequence[_Cell]) -> None:
    columns = _SQUARE if len(cells) == _SQUARE**2 else min(len(cells), _COLUMNS)
    rows = -(-len(cells) // columns)
    labels = dict.fromkeys(curve.label for cell in cells for curve in cell.curves)
    colours = dict(zip(labels, cycle(_COLOURS), strict=False))
    figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * rows + _MARGIN), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=10, wrap=True)
    for place, cell in enumerate(cells):
        axes = figure.add_subplot(rows, columns, place + 1)
        axes.set_title(f"{cell.panel.title}, {_WORDS[cell.replies]}", fontsize=10)
        for curve in cell.curves:
            _draw_curve(axes, curve, colours[curve.label])
        _mark_places(axes, axis)
        _mark_values(axes, cell.panel)
    _draw_legend(figure, cells, colours, columns)
    figure.savefig(path, dpi=_DPI, metadata={"Date": None} if path.suffix == ".svg" else None)


def _draw_curve(axes: Axes, curve: Curve, colour: str) -> None:
    dashes = "--" if curve.is_published else "-"
    for name, values in _split(curve).items():
        points = [(at, value) for at, value in zip(curve.places, values, strict=True) if value]
        axes.plot(
            [at for at, _ in points],
            [value for _, value in points],
            color=colour,
            linestyle=dashes,
            marker=_MARKERS[name],
            markersize=4,
            linewidth=1.6 if name == "p50" else 0.7,
        )
    if curve.spread:
        low, high = zip(*curve.spread, strict=True)
        axes.fill_between(curve.places, low, high, color=colour, alpha=0.2, linewidth=0)


def _split(curve: Curve) -> dict[str, list[float | None]]:
    """One line of single figures, or one for each percentile."""
    if any(isinstance(value, Percentiles | PublishedTimes) for value in curve.values):
        return {
            name: [cast("float | None", getattr(value, name)) for value in curve.values]
            for name in _MARKERS
        }
    return {"p50": [cast("float", value) for value in curve.values]}


def _mark_places(axes: Axes, axis: Axis) -> None:
    axes.set_xlabel(axis.label)
    if axis.is_closed:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(LogLocator(base=2, numticks=_TICKS))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(_say))


def _mark_values(axes: Axes, panel: Panel) -> None:
    axes.set_ylabel(panel.unit)
    if panel.is_share:
        axes.set_ylim(0, 1.05)
        return
    axes.set_yscale("log")
    low, high = axes.dataLim.minposy, axes.dataLim.ymax
    if low <= high:  # no value above 0 leaves nothing to frame
        axes.set_ylim(
            max((step for step in _STEPS if step <= low), default=None),
            min((step for step in _STEPS if step > high), default=None),
        )
    axes.yaxis.set_major_locator(FixedLocator(_STEPS))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(_say))


def _say(value: float, _: int | None = None) -> str:
    return f"{value:,.0f}" if value >= _LARGE else f"{value:g}"


def _draw_legend(
    figure: Figure, cells: Sequence[_Cell], colours: Mapping[str, str], columns: int
) -> None:
    published = {one.label for cell in cells for one in cell.curves if one.is_published}
    shown = [
        Line2D([], [], color=colour, linestyle="--" if label in published else "-", label=label)
        for label, colour in colours.items()
    ]
    if any(len(_split(curve)) > 1 for cell in cells for curve in cell.curves):
        shown += [
            Line2D([], [], color="#666666", linestyle="", marker=marker, label=name)
            for name, marker in _MARKERS.items()
        ]
    figure.legend(handles=shown, loc="outside lower center", ncols=columns, frameon=False)
