import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from scripted.benchmarks import CELL, HEADER, READER, record_of, sample, whole_round

from evals.bench.cli import bench
from evals.bench.drawing import Shape
from evals.bench.engine.figures import CellFigures, sum_up
from evals.bench.engine.loads import Load, read_name
from evals.bench.engine.pictures import PICTURES, list_axes, list_curves
from evals.bench.engine.plots import draw
from evals.bench.engine.record import begin_record
from evals.bench.engine.reference import PublishedTimes, read_reference

(THROUGHPUT,) = PICTURES["throughput"]
FIRST, *_ = PICTURES["latency"]
A6000 = read_reference("qwen2.5-7b-a6000")


def figures_of(*loads: str) -> tuple[CellFigures, ...]:
    """Two rounds of one answer under each load, of 50 and of 25 tokens a second."""
    cells = [replace(CELL, load=load) for load in loads]
    rounds = [
        replace(whole_round(turn, seconds=2.0 * (turn + 1)), cell=cell)
        for turn in range(2)
        for cell in cells
    ]
    return sum_up([replace(sample(10, 100.0), cell=cell) for cell in cells], rounds, READER)


@pytest.mark.parametrize("load", [Load(batch=64), Load(rate=4.5), Load(rate=4.0, variation=2.5)])
def test_a_load_is_known_by_its_name(load: Load) -> None:
    assert read_name(load.name) == load


def test_loads_stand_in_the_order_of_their_size_with_the_range_of_their_rounds() -> None:
    figures = figures_of("16", "2", "128", "poisson 4/s")
    closed, poisson = list_axes(figures)
    (curve,) = list_curves(THROUGHPUT, closed, "stream", figures, [])
    (open_curve,) = list_curves(THROUGHPUT, poisson, "stream", figures, [])

    assert (curve.label, curve.places) == ("one", (2.0, 16.0, 128.0))
    assert curve.values == pytest.approx((100 / 3,) * 3)
    assert curve.spread == ((25.0, 50.0),) * 3
    assert open_curve.places == (4.0,)


def test_published_figures_stand_beside_measured_ones_where_there_are_some() -> None:
    figures = figures_of("2")
    (axis,) = list_axes(figures)
    _, beside = list_curves(FIRST, axis, "stream", figures, [A6000])

    assert beside.is_published
    assert beside.places == (1.0, 2.0, 4.0, 8.0, 64.0, 128.0, 256.0, 512.0)
    assert beside.values[0] == PublishedTimes(p50=47.0, p95=1121.0)
    assert list_curves(FIRST, axis, "whole", figures, [A6000]) == []


@pytest.mark.parametrize(("shape", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_every_picture_is_written_beside_the_record(
    shape: Shape, begins: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    written = draw(record_of("Łódź $a$", slowness=1.0), path, shape, [A6000])

    assert [one.name for one in written] == [
        f"run-{name}.{shape}" for name in ("throughput", "latency", "speed", "experience")
    ]
    assert {one.read_bytes()[: len(begins)] for one in written} == {begins}


def test_tokens_that_came_together_can_be_drawn(tmp_path: Path) -> None:
    at_once = replace(sample(10, 100.0), pieces_ms=(100.0,) * 10)
    record = replace(record_of("x", slowness=1.0), samples=(at_once,), rounds=(whole_round(0),))

    assert draw(record, tmp_path / "run.jsonl", "png")


def test_without_matplotlib_a_report_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "evals.bench.engine.plots")
    monkeypatch.delitem(sys.modules, "evals.bench.drawing")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "run.jsonl"
    with begin_record(path, HEADER) as file:
        file.add_sample(sample(10, 100.0))
        file.add_round(whole_round(0))
    done = CliRunner().invoke(bench, ["report", str(path), "--plots", "png"])

    assert done.exit_code == 0
    assert "No pictures: 'evals.bench.engine.plots' needs the package 'matplotlib'" in done.output
    assert "install zwrotnica[bench]; then: zwrotnica bench report" in done.output
