"""Brings ended spans away in a thread of its own; whoever ends a span never waits."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

_log = logging.getLogger(__name__)

BATCH: Final = 512
"""The most spans of one request to the collector."""
WAIT_S: Final = 1.0
"""So long is waited for more spans after the first of a batch."""
CLOSING_S: Final = 2.0
_QUIET_S: Final = 60.0
"""So often at most the log tells that spans were dropped; the metric counts each."""
QUEUE_FULL: Final = "queue_full"
EXPORT_FAILED: Final = "export_failed"


class SpanQueue(SpanProcessor):
    """Holds at most ``most`` spans; what comes beyond, and what cannot be sent, is dropped.

    In place of the SDK's own batch processor, which tells nobody what it dropped, may take half a
    minute to close and reads its bounds from the environment.
    """

    def __init__(
        self, exporter: SpanExporter, *, most: int, on_drop: Callable[[str, int], None]
    ) -> None:
        """Nothing is sent before `start`; ``on_drop`` hears why, and how many."""
        self._exporter = exporter
        self._on_drop = on_drop
        self._waiting: queue.Queue[ReadableSpan | None] = queue.Queue(most)
        self._is_closing = threading.Event()
        self._told_at: float | None = None
        self._thread = threading.Thread(target=self._run, name="spans", daemon=True)

    def start(self) -> None:
        """Send from now on."""
        self._thread.start()

    def on_end(self, span: ReadableSpan) -> None:
        """Take a span that has ended, if there is room."""
        if not span.context.trace_flags.sampled:
            return
        try:
            self._waiting.put_nowait(span)
        except queue.Full:
            self._drop(QUEUE_FULL, 1)

    def shutdown(self) -> None:
        """Send what is left, for `CLOSING_S` seconds at most."""
        self._is_closing.set()
        with suppress(queue.Full):  # then nobody waits for more
            self._waiting.put_nowait(None)
        if self._thread.is_alive():
            self._thread.join(CLOSING_S)
        self._exporter.shutdown()

    def _run(self) -> None:
        while batch := self._take():
            self._send(batch)

    def _take(self) -> list[ReadableSpan]:
        """The next batch; empty: nothing is left, and nothing more shall come."""
        batch: list[ReadableSpan] = []
        deadline: float | None = None
        while len(batch) < BATCH:
            rest_s = None if deadline is None else max(deadline - time.monotonic(), 0.0)
            try:
                span = self._waiting.get(block=not self._is_closing.is_set(), timeout=rest_s)
            except queue.Empty:
                break
            if span is not None:
                batch.append(span)
                deadline = deadline or time.monotonic() + WAIT_S
        return batch

    def _send(self, batch: list[ReadableSpan]) -> None:
        try:
            result = self._exporter.export(batch)
        except Exception as error:  # noqa: BLE001 (the outermost edge of this thread)
            _log.warning("spans_not_encoded", extra={"error": type(error).__name__})
            result = SpanExportResult.FAILURE
        if result is not SpanExportResult.SUCCESS:
            self._drop(EXPORT_FAILED, len(batch))

    def _drop(self, reason: str, number: int) -> None:
        self._on_drop(reason, number)
        now = time.monotonic()
        if self._told_at is None or now - self._told_at >= _QUIET_S:
            self._told_at = now
            _log.warning("spans_dropped", extra={"reason": reason})
