"""Text that would forge events or move a terminal's cursor, in logs and on the terminal."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Literal

import pytest
import structlog
from scripted.hostile_text import IMAGES, TERMINAL

from serving.cli.terminal import printable, printable_json
from serving.settings import LogSettings
from serving.telemetry import configure_logging


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    yield
    root.level, root.handlers = before
    structlog.reset_defaults()


def fail() -> None:
    raise ValueError(TERMINAL)


def write(form: Literal["console", "json"], capsys: pytest.CaptureFixture[str]) -> str:
    """Three events with hostile text: as its message, a field, and nested."""
    configure_logging(LogSettings(format=form))
    for text in (TERMINAL, *IMAGES.values()):
        logging.getLogger("a.library").warning("it said %s", text)
        structlog.get_logger("our.room").info("begun", said=text, more={"all": [text]})
        structlog.get_logger("our.room").info(text)
    return capsys.readouterr().err


def test_each_event_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = write("json", capsys).splitlines()
    assert len(lines) == 3 * (1 + len(IMAGES))
    assert all("level" in json.loads(line) for line in lines)


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_log_holds_no_control_characters(
    form: Literal["console", "json"], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = write(form, capsys).split("\n")
    assert len(lines) == 3 * (1 + len(IMAGES)) + 1
    assert all(map(str.isprintable, lines))


def test_a_traceback_keeps_its_lines_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(LogSettings(format="console"))
    try:
        fail()
    except ValueError:
        logging.getLogger("a.library").exception("failed")
    lines = capsys.readouterr().err.split("\n")
    assert any(line.startswith("Traceback") for line in lines)
    assert all(map(str.isprintable, lines))


def test_a_terminal_is_told_nothing_but_text() -> None:
    shown = printable(TERMINAL + "\u200d\u00a0\t")
    assert set(shown) - {char for char in shown if char.isprintable()} <= set("\n\t\u200d\u00a0")
    assert "podrobione" in shown


def test_json_for_a_terminal_keeps_every_character() -> None:
    written = StringIO(printable_json({TERMINAL: TERMINAL}))
    assert json.load(written) == {TERMINAL: TERMINAL}
    assert all(map(str.isprintable, written.getvalue().split("\n")))


def test_one_logger_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(LogSettings(format="json"), without="our.room")
    for name in ("our.room", "our.room.inner"):
        logging.getLogger(name).warning("begun")
    assert capsys.readouterr().err.count("begun") == 1
