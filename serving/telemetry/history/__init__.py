"""Reads the metrics that were kept on the local disk: what happened in a time, and how fast."""

from serving.telemetry.history.intervals import Interval, divide
from serving.telemetry.history.lines import KeptLines, Snapshot
from serving.telemetry.history.report import FirstText, Report, ToolUse, make_report

__all__ = [
    "FirstText",
    "Interval",
    "KeptLines",
    "Report",
    "Snapshot",
    "ToolUse",
    "divide",
    "make_report",
]
