"""Settings of what a server tells of itself: logs, metrics and traces."""

from typing import Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt, SecretStr

from serving.settings.sections import HttpUrl, Section, VariableName, WholeDays


class LogSettings(Section):
    """Logs: events with fields on standard error, never user text."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least severe level that is written."
    )
    format: Literal["console", "json"] = Field(
        default="console", description="Lines for people, or JSON for machines."
    )
    access: bool = Field(
        default=False,
        description="Keep an access log in `data_dir/access`, a line of JSON each request: time, "
        "route, status, milliseconds, request id, account and key; no query and no text.",
    )
    access_days: WholeDays = Field(
        gt=0, default=30, description="Days of it that are kept, today's counted."
    )
    access_bytes: PositiveInt = Field(
        default=1_073_741_824,
        description="Bytes of it that are kept; the oldest days go first.",
    )
    access_address: Literal["none", "network", "full"] = Field(
        default="none",
        description="How clients' addresses stand in it: not at all, as their network (/24, /48), "
        "or whole. Behind a proxy it is the proxy's.",
    )


class TelemetrySettings(Section):
    """Metrics kept on the local disk, in `data_dir/metrics`, and traces for a collector."""

    snapshot_s: NonNegativeFloat = Field(
        default=60.0, description="Seconds between two lines of all metrics; 0: none are kept."
    )
    snapshot_days: WholeDays = Field(
        gt=0, default=14, description="Days of them that are kept, today's counted."
    )
    snapshot_bytes: PositiveInt = Field(
        default=268_435_456, description="Bytes of them that are kept; the oldest days go first."
    )
    otlp_endpoint: HttpUrl | None = Field(
        default=None,
        description="Address of an OpenTelemetry collector that takes OTLP over HTTP, such as "
        "`http://127.0.0.1:4318`, for traces; unset: none are made. Needs the extra `otel`.",
    )
    otlp_headers: SecretStr | None = Field(
        default=None,
        description="Headers that the collector asks for: `name=value,name=value`, values "
        "percent-encoded.",
    )
    otlp_headers_env: VariableName | None = Field(
        default=None,
        description="Name of the environment variable that holds them, in place of "
        "`otlp_headers`; no name that begins with `ZWROTNICA_`.",
    )
    otlp_s: PositiveFloat = Field(
        default=10.0, description="Seconds for one batch, its repeats counted; then it is dropped."
    )
    trace_ratio: float = Field(
        default=1.0,
        ge=0.0,
        le=1.0,
        description="Share of requests that are traced; those that continue a client's trace "
        "are traced where the client does.",
    )
    trace_spans: PositiveInt = Field(
        default=4096, description="Spans that may wait for the collector; further ones are dropped."
    )
