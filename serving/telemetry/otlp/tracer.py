"""Makes spans with OpenTelemetry's SDK; nothing of it is read from the environment."""

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Final, Self
from uuid import uuid4

from anyio import to_thread
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import (
    Span as ApiSpan,
    SpanKind as ApiKind,
    Status,
    StatusCode,
    Tracer as ApiTracer,
    format_span_id,
    format_trace_id,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from serving.telemetry.otlp.export import SpanQueue
from serving.telemetry.tracing import NO_FACTS, Facts, Span, SpanKind

_LIMITS: Final = SpanLimits(
    max_attributes=64,
    max_events=64,
    max_links=0,
    max_event_attributes=16,
    max_link_attributes=0,
    max_attribute_length=256,
    max_span_attributes=64,
    max_span_attribute_length=256,
)
_KINDS: Final = {
    "server": ApiKind.SERVER,
    "client": ApiKind.CLIENT,
    "internal": ApiKind.INTERNAL,
}
_PROPAGATOR: Final = TraceContextTextMapPropagator()
_PARENT, _STATE = b"traceparent", b"tracestate"
_PARENT_BYTES: Final = 128
_STATE_BYTES: Final = 512
"""As much as W3C Trace Context asks everybody to pass on."""


class OtlpTracer:
    """Implements `serving.telemetry.tracing.Tracer`; an async context manager.

    Of requests that continue nobody's trace, ``ratio`` (0 to 1) are kept; of others, those whose
    sender keeps them. What cannot be brought away in time is dropped and told to ``on_drop``.
    """

    def __init__(
        self,
        exporter: SpanExporter,
        *,
        ratio: float,
        most_spans: int,
        service: Mapping[str, str],
        on_drop: Callable[[str, int], None],
    ) -> None:
        """Nothing is sent before the block is entered; ``service`` is what this process is."""
        self._queue = SpanQueue(exporter, most=most_spans, on_drop=on_drop)
        provider = TracerProvider(
            sampler=ParentBased(TraceIdRatioBased(ratio)),
            resource=Resource({**service, "service.instance.id": str(uuid4())}),
            shutdown_on_exit=False,
            span_limits=_LIMITS,
        )
        provider.add_span_processor(self._queue)
        self._tracer = provider.get_tracer("zwrotnica")

    async def __aenter__(self) -> Self:
        """Bring spans away from now on."""
        self._queue.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Bring away what is left, for two seconds at most."""
        await to_thread.run_sync(self._queue.shutdown)

    def begin(
        self, name: str, headers: Iterable[tuple[bytes, bytes]], *, facts: Facts = NO_FACTS
    ) -> Span:
        """See `serving.telemetry.tracing.Tracer.begin`; what is malformed is as if not sent."""
        context = _PROPAGATOR.extract(_carrier(headers), context=Context())
        return _begin(self._tracer, context, name, "server", facts)


class _OtlpSpan:
    """Implements `serving.telemetry.tracing.Span`."""

    __slots__ = ("_span", "_tracer")

    def __init__(self, tracer: ApiTracer, span: ApiSpan) -> None:
        self._tracer = tracer
        self._span = span

    @property
    def trace_id(self) -> str | None:
        return format_trace_id(self._span.get_span_context().trace_id)

    @property
    def headers(self) -> Mapping[str, str]:
        own = self._span.get_span_context()
        trace, span = format_trace_id(own.trace_id), format_span_id(own.span_id)
        headers = {"traceparent": f"00-{trace}-{span}-{own.trace_flags:02x}"}
        if state := own.trace_state.to_header():
            headers["tracestate"] = state
        return headers

    def begin(self, name: str, *, kind: SpanKind = "internal", facts: Facts = NO_FACTS) -> Span:
        context = set_span_in_context(self._span, Context())
        return _begin(self._tracer, context, name, kind, facts)

    def rename(self, name: str) -> None:
        if self._span.is_recording():
            self._span.update_name(name)

    def tell(self, facts: Facts) -> None:
        if self._span.is_recording():
            self._span.set_attributes(_known(facts))

    def note(self, event: str, facts: Facts = NO_FACTS) -> None:
        if self._span.is_recording():
            self._span.add_event(event, _known(facts))

    def fail(self, code: str) -> None:
        if self._span.is_recording():
            self._span.set_attribute("error.type", code)
            self._span.set_status(Status(StatusCode.ERROR))

    def end(self) -> None:
        if self._span.is_recording():
            self._span.end()


def _begin(tracer: ApiTracer, context: Context, name: str, kind: SpanKind, facts: Facts) -> Span:
    span = tracer.start_span(name, context, _KINDS[kind], _known(facts))
    return _OtlpSpan(tracer, span)


def _known(facts: Facts) -> dict[str, str | bool | int | float | list[str]]:
    return {
        name: value if isinstance(value, str | bool | int | float) else list(value)
        for name, value in facts.items()
        if value is not None
    }


def _carrier(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, list[str]]:
    """The headers of W3C Trace Context, where they are within bounds; one parent or none."""
    parents: list[bytes] = []
    states: list[bytes] = []
    for name, value in headers:
        if name == _PARENT:
            parents.append(value)
        elif name == _STATE:
            states.append(value)
    if len(parents) != 1 or len(parents[0]) > _PARENT_BYTES:
        return {}
    carrier = {"traceparent": [parents[0].decode("latin-1")]}
    state = b",".join(states)
    if state and len(state) <= _STATE_BYTES and state.isascii():
        carrier["tracestate"] = [state.decode("ascii")]
    return carrier
