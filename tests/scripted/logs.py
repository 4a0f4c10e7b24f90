"""The log of this process as JSON lines, for as long as a block lasts."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import structlog

from serving.settings import LogSettings
from serving.telemetry import configure_logging


@contextmanager
def logging_to(written: StringIO) -> Iterator[None]:
    """Write it to ``written``, from severity info on."""
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    configure_logging(LogSettings(format="json", level="info"), stream=written)
    try:
        yield
    finally:
        root.level, root.handlers = before
        structlog.reset_defaults()
