from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from scripted.benchmarks import HEADER, sample, whole_round

import evals.bench.engine
from evals.bench.cli import bench
from evals.bench.engine.record import begin_record
from evals.bench.engine.reference import list_references, read_reference

OWN = """
name = "vLLM, Bielik 11B"
hardware = "four cards"
workload = "fifty prompts"
source = "A paper, tables I and II"
url = "https://example.org/paper"
speeds = [{ least = 1, speed = 12.5, total_s = 300.0 }, { least = 31, speed = 40.0 }]
loads = [{ load = "2", throughput = 77.0 }, { load = "3", first_ms = { p50 = 55.0 } }]
"""


@pytest.mark.parametrize("name", list_references())
def test_what_ships_names_its_source_and_hardware(name: str) -> None:
    published = read_reference(name)

    assert published.url.startswith("https://")
    assert "NVIDIA" in published.hardware
    assert published.source
    assert published.kind != "published"
    assert all(load.throughput for load in published.loads)


def test_published_figures_stand_beside_those_of_a_run(tmp_path: Path) -> None:
    path, own = tmp_path / "run.jsonl", tmp_path / "own.toml"
    own.write_text(OWN)
    with begin_record(path, HEADER) as file:
        file.add_sample(sample(10, 100.0))
        file.add_round(whole_round(0))
    words = ["report", str(path), "--reference", str(own)]
    told = CliRunner().invoke(bench, words).output

    assert "| *vLLM, Bielik 11B (published)* | – | – | 12.5 | 300.0 | 40.0 | – | – | – |" in told
    assert "| engine | replies | 2 | 3 |" in told
    assert "| *vLLM, Bielik 11B (published)* | – | 77.0 | – |" in told
    assert "| *vLLM, Bielik 11B (published)* | 3 | – | – | – | 55.0 / – / – | – |" in told
    assert "not measured here. four cards; fifty prompts." in told


@pytest.mark.parametrize("text", ["nobody", 'name = "x"', OWN + "speed = 3"])
def test_what_tells_no_published_figures_is_refused(text: str, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)

    with pytest.raises(click.BadParameter, match="tells no published figures"):
        read_reference(str(own))


def test_an_unknown_reference_is_answered_with_those_there_are() -> None:
    with pytest.raises(click.BadParameter, match="mistral-7b-rtx4090"):
        read_reference("nobody")


def test_the_form_that_the_readme_shows_can_be_read(tmp_path: Path) -> None:
    readme = (Path(evals.bench.engine.__file__).parent / "README.md").read_text()
    shown = tmp_path / "shown.toml"
    shown.write_text(readme.split("```toml\n")[1].split("```")[0])
    published = read_reference(str(shown))

    assert published.loads[0].first_ms.p99 == 120.0
    assert published.speeds[0].total_s == 300.0
