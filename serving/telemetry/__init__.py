"""What a process tells its operator: logs, figures for Prometheus, what each engine call took."""

from serving.telemetry.engine_calls import EngineCall, EngineWatch
from serving.telemetry.logs import configure_logging
from serving.telemetry.metrics import (
    FIGURES_VARIABLE,
    METRICS_TYPE,
    Figure,
    HttpMetrics,
    Metrics,
    clear_figures,
    figures_folder,
)
from serving.telemetry.request_times import RequestTimes, current_times, timing
from serving.telemetry.snapshots import Snapshots

__all__ = [
    "FIGURES_VARIABLE",
    "METRICS_TYPE",
    "EngineCall",
    "EngineWatch",
    "Figure",
    "HttpMetrics",
    "Metrics",
    "RequestTimes",
    "Snapshots",
    "clear_figures",
    "configure_logging",
    "current_times",
    "figures_folder",
    "timing",
]
