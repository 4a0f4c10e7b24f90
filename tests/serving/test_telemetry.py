import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from serving.settings import LogSettings
from serving.telemetry import Metrics, configure_logging


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    yield
    root.level, root.handlers = before
    structlog.reset_defaults()


def test_every_library_logs_the_same_kind_of_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(LogSettings(format="json"))
    logging.getLogger("a.library").warning("slow", extra={"seconds": 3})
    structlog.get_logger("our.room").info("begun", turns=1)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [
        ("slow", "warning"),
        ("begun", "info"),
    ]
    assert lines[0]["seconds"] == 3
    assert lines[1]["turns"] == 1


def test_a_reply_that_was_cut_on_purpose_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(LogSettings())
    logging.getLogger("uvicorn.error").error("ASGI callable returned without completing response.")
    assert capsys.readouterr().err == ""


def test_what_is_less_severe_than_the_level_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(LogSettings(level="error"))
    structlog.get_logger("our.room").warning("begun")
    logging.getLogger("a.library").info("begun")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("library", ["sqlalchemy.engine", "aiosqlite"])
def test_a_database_never_logs_the_rows_of_people(
    capsys: pytest.CaptureFixture[str], library: str
) -> None:
    configure_logging(LogSettings(level="debug"))
    logging.getLogger(library).debug("executing %s", ("moje słowa",))
    assert capsys.readouterr().err == ""


def test_each_process_counts_for_itself() -> None:
    first, second = Metrics(), Metrics()
    first.routes.labels("tool", "called").inc()
    wanted = b'zwrotnica_routes_total{decision="tool",reason="called"} 1.0'
    assert wanted in first.render()
    assert wanted not in second.render()


def test_finds_are_counted_by_rule_direction_and_action() -> None:
    metrics = Metrics()
    metrics.count_find("pesel", "in", "mask", 2)
    name = 'zwrotnica_sensitive_finds_total{action="mask",direction="in",rule="pesel"}'
    assert metrics.read()[name] == 2
