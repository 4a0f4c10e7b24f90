"""What the documentation and the dashboard say of metrics is what a gateway exports."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from scripted.patience import PATIENCE_S
from scripted.stage import Stage, open_stage

from serving.telemetry import Metrics

DOCS = Path(__file__).parents[2] / "docs"
NAME = re.compile(r"\bzwrotnica_\w+")
SUFFIX = re.compile(r"_(bucket|sum|count)$")


def exported() -> set[str]:
    return {figure.name for figure in Metrics().figures}


def dashboard() -> dict[str, object]:
    loaded: dict[str, object] = json.loads((DOCS / "grafana" / "zwrotnica.json").read_text())
    return loaded


def asked_for() -> set[str]:
    """The metrics that the dashboard's queries name."""
    names = {
        name
        for panel in dashboard()["panels"]  # type: ignore[attr-defined]  # JSON
        for target in panel.get("targets", ())
        for name in NAME.findall(target["expr"])
    }
    histograms = {figure.name for figure in Metrics().figures if figure.kind == "histogram"}
    return {bare if (bare := SUFFIX.sub("", name)) in histograms else name for name in names}


def test_every_metric_is_documented_as_it_is() -> None:
    rows = [
        f"| `{one.name}` | {one.kind} | {', '.join(f'`{label}`' for label in one.labels) or '–'} "
        f"| {one.meaning} |"
        for one in Metrics().figures
    ]
    page = (DOCS / "telemetry.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line.startswith("| `zwrotnica_")] == rows


def test_the_dashboard_asks_for_exported_metrics_and_for_each_of_them() -> None:
    assert asked_for() == exported()


def test_the_dashboard_leaves_the_data_source_to_a_variable() -> None:
    assert {
        target["datasource"]["uid"]
        for panel in dashboard()["panels"]  # type: ignore[attr-defined]  # JSON
        for target in panel.get("targets", ())
    } == {"${datasource}"}


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with open_stage(tmp_path) as opened:
        yield opened


def test_metrics_have_the_conventional_names(stage: Stage) -> None:
    page = requests.get(f"{stage.gateway().url}/metrics", timeout=PATIENCE_S).text
    kinds = dict(re.findall(r"^# TYPE (zwrotnica_\w+) (\w+)$", page, re.MULTILINE))
    assert {name for name, kind in kinds.items() if kind == "counter"} == {
        name for name in kinds if name.endswith("_total")
    }
    assert {name for name, kind in kinds.items() if kind == "histogram"} == {
        name for name in kinds if name.endswith("_seconds")
    }
    assert set(kinds) >= exported()
