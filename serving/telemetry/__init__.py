"""What a process tells its operator: logs, figures for Prometheus, what each engine call took."""

from serving.telemetry.access_log import AccessLog, access_folder
from serving.telemetry.engine_calls import Asked, EngineCall, EngineWatch
from serving.telemetry.logs import configure_logging
from serving.telemetry.memory import watch_memory
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
from serving.telemetry.snapshots import Snapshots, metrics_folder
from serving.telemetry.tracing import NO_SPAN, Span, Tracer, current_span, step, working_on
from serving.telemetry.turn_steps import TurnSteps

__all__ = [
    "FIGURES_VARIABLE",
    "METRICS_TYPE",
    "NO_SPAN",
    "AccessLog",
    "Asked",
    "EngineCall",
    "EngineWatch",
    "Figure",
    "HttpMetrics",
    "Metrics",
    "RequestTimes",
    "Snapshots",
    "Span",
    "Tracer",
    "TurnSteps",
    "access_folder",
    "clear_figures",
    "configure_logging",
    "current_span",
    "current_times",
    "figures_folder",
    "metrics_folder",
    "step",
    "timing",
    "watch_memory",
    "working_on",
]
