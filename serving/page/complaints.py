"""Turns what the page writes to its standard error into events that quote no user."""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

_log = logging.getLogger(__name__)

_FRAME: Final = re.compile(r'[\s|+-]*File "([^"]+)", line (\d+)')
_ERROR: Final = re.compile(r"(?:\s*\| )?([A-Za-z_][\w.]*)(?::|$)")
_TOLD_FRAMES: Final = 8
_TOLD_LINES: Final = 40
LINE_CHARS: Final = 1000


class Complaints:
    """Takes lines; of a traceback it tells the error's class and places, not its message.

    Until the page is ready nobody can have typed anything: so long, lines are told as they are.
    """

    def __init__(self, *, is_ready: Callable[[], bool]) -> None:
        """``is_ready`` says whether users reach the page by now."""
        self._is_ready = is_ready
        self._frames: list[str] = []
        self.lines = 0

    def take(self, line: str) -> None:
        """One line, without its end."""
        self.lines += 1
        if not self._is_ready():
            if self.lines <= _TOLD_LINES:
                _log.warning("page_said", extra={"line": line})
            return
        _log.debug("page_said", extra={"line": line})
        if frame := _FRAME.match(line):
            self._frames.append(f"{Path(frame[1]).name}:{frame[2]}")
        elif self._frames and (error := _ERROR.match(line)):
            where = " > ".join(self._frames[-_TOLD_FRAMES:])
            self._frames.clear()
            _log.error("page_failed", extra={"error": error[1], "where": where})


class Lines:
    """Cuts a stream of bytes into lines of at most `LINE_CHARS`; what is longer is left out."""

    def __init__(self, take: Callable[[str], None]) -> None:
        """``take`` gets each line that is not empty."""
        self._take = take
        self._rest = b""

    def feed(self, piece: bytes) -> None:
        """The next bytes."""
        *whole, rest = (self._rest + piece).split(b"\n")
        for line in whole:
            self._tell(line)
        self._rest = rest[: 4 * LINE_CHARS]

    def end(self) -> None:
        """Nothing follows."""
        self._tell(self._rest)
        self._rest = b""

    def _tell(self, line: bytes) -> None:
        if text := line.decode("utf-8", "replace").rstrip()[:LINE_CHARS]:
            self._take(text)
