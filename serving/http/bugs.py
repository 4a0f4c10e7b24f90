"""Logs a bug of ours: what and where, but not the message, which may quote a user."""

import logging
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_TOLD_FRAMES: Final = 8


def log_bug(log: logging.Logger, name: str, error: Exception, *, request_id: str) -> None:
    """Log the event ``name``; the whole trace only at the level of debugging."""
    frames = [f"{path.name}:{line}" for path, line in _places(error)]
    fields = {
        "request_id": request_id,
        "error": type(error).__name__,
        "where": " > ".join(frames[-_TOLD_FRAMES:]),
    }
    log.error(name, extra=fields)
    log.debug("request_trace", extra=fields, exc_info=error)


def _places(error: BaseException) -> Iterator[tuple[Path, int]]:
    """File and line of each frame; of a group, those of its first error."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield Path(frame.f_code.co_filename), line
