"""The short way to a line: the same line as structlog's own."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Literal

import pytest
import structlog
from hypothesis import given, strategies as some

from serving.settings import LogSettings
from serving.telemetry import configure_logging
from serving.telemetry.lines import LineFormatter

FORMS: tuple[Literal["console", "json"], ...] = ("console", "json")
NAMES = some.sampled_from(["ms", "route", "logger", "said", "status", "zażółć"])
VALUES = some.one_of(some.text(), some.integers(), some.none(), some.lists(some.text(), max_size=2))
FIELDS = some.dictionaries(NAMES, VALUES, max_size=5)


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    yield
    root.level, root.handlers = before
    structlog.reset_defaults()


def formatter(form: Literal["console", "json"], worker: int | None) -> LineFormatter:
    configure_logging(LogSettings(format=form), stream=StringIO(), worker=worker)
    found = logging.getLogger().handlers[0].formatter
    assert isinstance(found, LineFormatter)
    return found


@pytest.mark.parametrize("form", FORMS)
@given(event=some.text(), fields=FIELDS, worker=some.none() | some.integers(0, 3))
def test_a_line_is_structlogs(
    form: Literal["console", "json"], event: str, fields: dict[str, object], worker: int | None
) -> None:
    record = logging.makeLogRecord({"msg": event, "levelno": 20, "levelname": "INFO", **fields})
    by = formatter(form, worker)

    with structlog.contextvars.bound_contextvars(request_id="r1"):
        short, long = by.format(record), super(LineFormatter, by).format(record)

    assert without_time(form, short) == without_time(form, long)


def without_time(form: str, line: str) -> object:
    if form == "console":
        return line.partition(" ")[2]
    return {**json.loads(line), "timestamp": None}


@pytest.mark.parametrize("form", FORMS)
def test_a_lines_time_is_its_records(form: Literal["console", "json"]) -> None:
    record = logging.makeLogRecord({"msg": "begun", "levelname": "INFO", "created": 1.5})
    assert "1970-01-01T00:00:01.500000Z" in formatter(form, None).format(record)
