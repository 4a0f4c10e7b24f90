"""What a server writes, read so that it never waits: into its log, masked, with the end at hand."""

import logging
from asyncio import StreamReader
from collections.abc import Iterable
from typing import Final

from anyio import to_thread

from serving.engines.supervision.log_files import LogFiles
from serving.engines.supervision.mask import Mask

_log = logging.getLogger(__name__)

_PIECE_BYTES: Final = 65_536
_TAIL_BYTES: Final = 16_384
_TAIL_LINES: Final = 20
_LINE_CHARS: Final = 500


class ServerOutput:
    """The output of one life of a server."""

    def __init__(self, engine: str, log: LogFiles, *, secrets: Iterable[str]) -> None:
        """``log`` takes what it writes, with ``secrets`` hidden."""
        self._engine = engine
        self._log = log
        self._mask = Mask(secrets)
        self._tail = b""
        self._is_lost = False

    async def pump(self, stream: StreamReader) -> None:
        """Read to the end; a log that cannot be written is told once, and the server goes on."""
        while piece := await stream.read(_PIECE_BYTES):
            await self._keep(self._mask.feed(piece))
        await self._keep(self._mask.end())

    def last_lines(self) -> tuple[str, ...]:
        """The end of it, as text in lines of bounded length."""
        text = self._tail.decode("utf-8", "replace").replace("\r", "\n")
        lines = [line.rstrip()[:_LINE_CHARS] for line in text.split("\n") if line.strip()]
        return tuple(lines[-_TAIL_LINES:])

    async def _keep(self, piece: bytes) -> None:
        self._tail = (self._tail + piece)[-_TAIL_BYTES:]
        try:
            await to_thread.run_sync(self._log.write, piece)
        except OSError as error:
            if not self._is_lost:
                fields = {"engine": self._engine, "error": error.strerror}
                _log.error("engine_log_not_written", extra=fields)
            self._is_lost = True
