"""Draws the pictures of a run; needs the extra ``bench``."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import get_args

from evals.bench.curves import Chart
from evals.bench.drawing import Shape, draw_picture
from evals.bench.engine.figures import sum_up
from evals.bench.engine.pictures import PICTURES, list_axes, list_curves
from evals.bench.engine.record import Record
from evals.bench.engine.reference import Published
from evals.bench.engine.samples import Replies

_WORDS: dict[Replies, str] = {"stream": "streamed", "whole": "not streamed"}


def draw(
    record: Record, path: Path, shape: Shape, published: Sequence[Published] = ()
) -> list[Path]:
    """Write every picture of the record beside ``path``, what was published dashed."""
    figures = sum_up(record.samples, record.rounds, record.header.reader)
    title = f"{record.label}, hardware: {record.header.hardware}"
    written: list[Path] = []
    for axis, (name, panels) in product(list_axes(figures), PICTURES.items()):
        charts = [
            Chart(
                title=f"{panel.title}, {_WORDS[replies]}",
                unit=panel.unit,
                curves=curves,
                is_share=panel.is_share,
            )
            for replies, panel in product(get_args(Replies), panels)
            if (curves := list_curves(panel, axis, replies, figures, published))
        ]
        if charts:
            target = path.with_name(f"{path.stem}-{name}{axis.name}.{shape}")
            draw_picture(target, title, charts, axis=axis.label, is_doubling=axis.is_closed)
            written.append(target)
    return written
