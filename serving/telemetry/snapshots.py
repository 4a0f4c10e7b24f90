"""Keeps the figures of a process on the local disk: a line of JSON each while, a file each day."""

import json
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NoReturn

import anyio
from anyio import CancelScope, to_thread

from serving.settings import TelemetrySettings
from serving.telemetry.metrics import HttpMetrics

_log = logging.getLogger(__name__)

_DAY: Final = "%Y-%m-%d"


def metrics_folder(data_dir: Path) -> Path:
    """Where they are kept."""
    return data_dir / "metrics"


class Snapshots:
    """Appends every figure that is not zero to ``folder/YYYY-MM-DD.jsonl`` (days of UTC).

    Whole days are forgotten, the oldest first, when they are too old or all are too large together.
    """

    def __init__(
        self,
        metrics: HttpMetrics,
        *,
        folder: Path,
        settings: TelemetrySettings,
        now: Callable[[], datetime],
    ) -> None:
        """Nothing is written before `run` or `write`; ``now`` gives aware UTC."""
        self._metrics = metrics
        self._folder = folder
        self._settings = settings
        self._now = now

    async def run(self) -> NoReturn:
        """Write now and every ``snapshot_s`` seconds, until cancelled, and once more then.

        The first line tells from what the next ones grow. A full disk is logged.
        """
        try:
            while True:
                await self._try_to_write()
                await anyio.sleep(self._settings.snapshot_s)
        finally:
            with CancelScope(shield=True):
                await self._try_to_write()

    async def _try_to_write(self) -> None:
        try:
            await to_thread.run_sync(self.write)
        except OSError as error:
            _log.warning("figures_not_kept", extra={"error": error.strerror})

    def write(self) -> None:
        """Append one line, and forget what is too much.

        Raises:
            OSError: it cannot be written.
        """
        now = self._now()
        figures = {name: value for name, value in self._metrics.read().items() if value}
        line = json.dumps({"at": now.isoformat(timespec="seconds"), "figures": figures})
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with (self._folder / f"{now:{_DAY}}.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self._forget(now)

    def _forget(self, now: datetime) -> None:
        oldest = f"{now - timedelta(days=self._settings.snapshot_days - 1):{_DAY}}"
        size = 0
        for file in sorted(self._folder.glob("*.jsonl"), reverse=True):
            size += file.stat().st_size
            if file.stem < oldest or size > self._settings.snapshot_bytes:
                file.unlink()
