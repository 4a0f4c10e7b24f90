"""Traces for an OpenTelemetry collector; needs the extra `otel`."""

from serving.telemetry.otlp.sending import make_exporter
from serving.telemetry.otlp.tracer import OtlpTracer

__all__ = ["OtlpTracer", "make_exporter"]
