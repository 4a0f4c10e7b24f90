"""Traces of HTTP requests: the tracer that settings ask for, and what a request tells of itself."""

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Final, Protocol, cast
from urllib.parse import unquote

from starlette.types import Scope

from serving.extras import load
from serving.settings import SettingsError, TelemetrySettings
from serving.telemetry import NO_SPAN, Span, Tracer
from serving.telemetry.tracing import Facts

_TRACED: Final = ("/v1/", "/api/")
"""Where requests do work; probes, pictures and the page's files would bury it."""
_METHODS: Final = frozenset({
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
})  # fmt: skip
_CLIENT_FAULT, _SERVER_FAULT = 400, 500
CLIENT_LEFT: Final = "client_left"


class _Otlp(Protocol):
    """What `serving.telemetry.otlp` offers."""

    OtlpTracer: Callable[..., Tracer]
    make_exporter: Callable[..., object]


def make_tracer(
    settings: TelemetrySettings, *, on_drop: Callable[[str, int], None]
) -> Tracer | None:
    """The tracer of this process; ``None`` where no collector is set. Nothing is opened yet.

    ``on_drop`` hears why spans were dropped, and how many.

    Raises:
        ExtraMissing: there is a collector, but the extra `otel` is not installed.
        SettingsError: the collector's headers cannot be read.
    """
    if settings.otlp_endpoint is None:
        return None
    otlp = cast("_Otlp", load("serving.telemetry.otlp", "otel"))
    exporter = otlp.make_exporter(
        settings.otlp_endpoint, headers=read_headers(settings), limit_s=settings.otlp_s
    )
    return otlp.OtlpTracer(
        exporter,
        ratio=settings.trace_ratio,
        most_spans=settings.trace_spans,
        service={"service.name": "zwrotnica", "service.version": version("zwrotnica")},
        on_drop=on_drop,
    )


def read_headers(settings: TelemetrySettings) -> Mapping[str, str]:
    """The headers for the collector, of ``name=value,name=value`` with percent-encoded values.

    Raises:
        SettingsError: they have another form; their values are not told.
    """
    if settings.otlp_headers is None:
        return {}
    headers: dict[str, str] = {}
    for number, pair in enumerate(settings.otlp_headers.get_secret_value().split(","), start=1):
        name, sign, value = pair.partition("=")
        name, value = name.strip(), unquote(value.strip())
        if not (sign and name.isascii() and name.replace("-", "").isalnum()):
            raise SettingsError(f"telemetry.otlp_headers: entry {number} is not 'name=value'")
        if not (value.isascii() and value.isprintable()):
            raise SettingsError(f"telemetry.otlp_headers: the value of {name!r} fits no header")
        headers[name] = value
    return headers


def begin_request(tracer: Tracer | None, scope: Scope) -> Span:
    """The span of a request that comes now."""
    if tracer is None or not scope["path"].startswith(_TRACED):
        return NO_SPAN
    method = scope["method"]
    facts: Facts = {
        "http.request.method": method if method in _METHODS else "_OTHER",
        "url.scheme": scope["scheme"],
        "network.protocol.version": scope.get("http_version"),
    }
    return tracer.begin(_name(method), scope["headers"], facts=facts)


def end_request(span: Span, scope: Scope, *, route: str, status: int | None) -> None:
    """The request has been answered; of its address the route's pattern alone is told."""
    if span is NO_SPAN:
        return
    code = scope.get("error_code")
    is_known = scope.get("route") is not None
    span.rename(f"{_name(scope['method'])} {route}" if is_known else _name(scope["method"]))
    span.tell({
        "http.route": route if is_known else None,
        "http.response.status_code": status,
        "zwrotnica.request_id": scope["request_id"],
        "zwrotnica.error_code": code,
    })
    has_broken_off = code is not None and status is not None and status < _CLIENT_FAULT
    if code != CLIENT_LEFT and (has_broken_off or (status or _SERVER_FAULT) >= _SERVER_FAULT):
        span.fail(code or str(status))
    span.end()


def _name(method: str) -> str:
    return method if method in _METHODS else "HTTP"
