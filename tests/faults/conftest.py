"""Gathers the figures of the fault matrix and writes them to docs/faults.md."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace

import pytest
from scripted.fault_report import PROPERTY, Figure, Page, Publish
from scripted.slowness import measure_slowness


@pytest.fixture
def publish(record_property: Callable[[str, object], None]) -> Publish:
    """Publishes a figure and fails the test where it is not met."""
    before = measure_slowness()

    def publish_one(figure: Figure) -> None:
        figure = replace(figure, slowness=max(before, measure_slowness()))
        record_property(PROPERTY, json.dumps(asdict(figure)))
        assert figure.is_met, figure

    return publish_one


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the page is written where xdist's workers report to
        config.pluginmanager.register(Page(), "fault-page")
