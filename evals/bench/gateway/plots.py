"""Draws the picture of a run of gateways; needs the extra ``bench``."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evals.bench.curves import Chart, Curve
from evals.bench.drawing import Shape, draw_picture
from evals.bench.gateway.figures import CellFigures, Spread, sum_up
from evals.bench.gateway.record import Record


def draw(record: Record, path: Path, shape: Shape) -> list[Path]:
    """Write the picture of the record beside ``path``: every gateway by streams."""
    figures = sum_up(record.rounds, record.header.targets)
    longest = max(one.load.tokens for one in figures)
    target = path.with_suffix(f".{shape}")
    title = f"{record.label}, {longest} tokens {record.header.gap_ms:g} ms apart, one core"
    charts = list_charts([one for one in figures if one.load.tokens == longest])
    draw_picture(target, title, charts, axis="streams", is_doubling=True)
    return [target]


def list_charts(figures: Sequence[CellFigures]) -> list[Chart]:
    """The figures that gateways are compared by, of those targets that have them."""
    return [
        _chart("added first token, p50", "ms", figures, lambda one: one.added_p50),
        _chart("added first token, p95", "ms", figures, lambda one: one.added_p95),
        _chart("tokens/s", "of direct", figures, lambda one: one.speed_ratio, is_share=True),
        _chart("processor time", "µs a token", figures, lambda one: one.token_us),
    ]


def _chart(
    title: str,
    unit: str,
    figures: Sequence[CellFigures],
    measure: Callable[[CellFigures], Spread | None],
    *,
    is_share: bool = False,
) -> Chart:
    curves = tuple(_curves(figures, measure))
    return Chart(title=title, unit=unit, curves=curves, is_share=is_share)


def _curves(
    figures: Sequence[CellFigures], measure: Callable[[CellFigures], Spread | None]
) -> Iterator[Curve]:
    for name in dict.fromkeys(one.target for one in figures):
        known = [
            (float(one.load.streams), spread)
            for one in figures
            if one.target == name and (spread := measure(one)) is not None
        ]
        if any(spread.high for _, spread in known):
            yield Curve(
                label=name,
                places=tuple(place for place, _ in known),
                values=tuple(spread.median for _, spread in known),
                spread=tuple((spread.low, spread.high) for _, spread in known),
            )
