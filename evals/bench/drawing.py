"""Draws charts with matplotlib; needs the extra ``bench``."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import cycle
from pathlib import Path
from typing import Literal, TypeAlias, cast

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from evals.bench.curves import Chart, Curve, Times

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


def draw_picture(
    path: Path, title: str, charts: Sequence[Chart], *, axis: str, is_doubling: bool
) -> None:
    """Write the charts as one picture, in the form that the suffix of ``path`` tells.

    ``axis`` is what all their places are, which by ``is_doubling`` stand as powers of two.
    """
    columns, rows = _arrange(charts)
    with _styled():
        size = (_WIDTH * columns, _HEIGHT * rows + _MARGIN)
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(title, fontsize=10, wrap=True)
        _draw_charts(figure, charts, axis=axis, is_doubling=is_doubling)
        figure.savefig(path, dpi=_DPI, metadata={"Date": None} if path.suffix == ".svg" else None)


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


def _draw_charts(figure: Figure, charts: Sequence[Chart], *, axis: str, is_doubling: bool) -> None:
    columns, rows = _arrange(charts)
    labels = dict.fromkeys(curve.label for chart in charts for curve in chart.curves)
    colours = dict(zip(labels, cycle(_COLOURS), strict=False))
    for place, chart in enumerate(charts):
        axes = figure.add_subplot(rows, columns, place + 1)
        axes.set_title(chart.title, fontsize=10)
        for curve in chart.curves:
            _draw_curve(axes, curve, colours[curve.label])
        axes.set_xlabel(axis)
        _mark_places(axes, is_doubling=is_doubling)
        _mark_values(axes, chart)
    _draw_legend(figure, charts, colours, columns)


def _arrange(charts: Sequence[Chart]) -> tuple[int, int]:
    columns = _SQUARE if len(charts) == _SQUARE**2 else min(len(charts), _COLUMNS)
    return columns, -(-len(charts) // columns)


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
    if any(isinstance(value, Times) for value in curve.values):
        return {
            name: [cast("float | None", getattr(value, name)) for value in curve.values]
            for name in _MARKERS
        }
    return {"p50": [cast("float", value) for value in curve.values]}


def _mark_places(axes: Axes, *, is_doubling: bool) -> None:
    if is_doubling:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(LogLocator(base=2, numticks=_TICKS))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(_say))


def _mark_values(axes: Axes, chart: Chart) -> None:
    axes.set_ylabel(chart.unit)
    if chart.is_share:
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
    figure: Figure, charts: Sequence[Chart], colours: Mapping[str, str], columns: int
) -> None:
    published = {one.label for chart in charts for one in chart.curves if one.is_published}
    shown = [
        Line2D([], [], color=colour, linestyle="--" if label in published else "-", label=label)
        for label, colour in colours.items()
    ]
    if any(len(_split(curve)) > 1 for chart in charts for curve in chart.curves):
        shown += [
            Line2D([], [], color="#666666", linestyle="", marker=marker, label=name)
            for name, marker in _MARKERS.items()
        ]
    figure.legend(handles=shown, loc="outside lower center", ncols=columns, frameon=False)
