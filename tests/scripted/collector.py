"""An OpenTelemetry collector on loopback: a real HTTP server that decodes what it is sent."""

import gzip
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

PATH = "/v1/traces"


@dataclass(frozen=True, kw_only=True, slots=True)
class Received:
    """One span as it came; ``events`` are their names in order, ``is_error`` its status."""

    name: str
    kind: str
    trace_id: str
    span_id: str
    parent_id: str
    facts: Mapping[str, object]
    events: tuple[str, ...]
    is_error: bool


@dataclass(kw_only=True)
class Collector:
    """``status`` is what it answers with; ``stalls``: it never answers; ``body``: its words."""

    status: int = 200
    stalls: bool = False
    body: bytes = b""
    url: str = ""
    spans: list[Received] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    service: Mapping[str, object] = field(default_factory=dict)
    is_over: threading.Event = field(default_factory=threading.Event)

    def named(self, name: str) -> Received:
        """The only span of this name."""
        (found,) = [span for span in self.spans if span.name == name]
        return found

    def parent_of(self, span: Received) -> str | None:
        """The name of the span above, if it came."""
        return next((one.name for one in self.spans if one.span_id == span.parent_id), None)

    def take(self, body: bytes) -> None:
        """Decode what was sent."""
        plain = gzip.decompress(body)
        self.bodies.append(plain)
        for group in ExportTraceServiceRequest.FromString(plain).resource_spans:
            self.service = _facts(group.resource.attributes)
            self.spans += [_read(span) for scope in group.scope_spans for span in scope.spans]


@contextmanager
def collecting(
    *, status: int = 200, stalls: bool = False, body: bytes = b""
) -> Iterator[Collector]:
    """A collector that listens until the block is left."""
    collector = Collector(status=status, stalls=stalls, body=body)
    handler = type("Handler", (_Handler,), {"collector": collector})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    collector.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield collector
    finally:
        collector.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    collector: ClassVar[Collector]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.path == PATH
        self.collector.headers.append(dict(self.headers))
        if self.collector.stalls:
            self.collector.is_over.wait()
            return
        if self.collector.status < 300:
            self.collector.take(body)
        self.send_response(self.collector.status)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(self.collector.body)))
        self.end_headers()
        self.wfile.write(self.collector.body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _read(span: Span) -> Received:
    return Received(
        name=span.name,
        kind=Span.SpanKind.Name(span.kind),
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        facts=_facts(span.attributes),
        events=tuple(event.name for event in span.events),
        is_error=span.status.code == Status.STATUS_CODE_ERROR,
    )


def _facts(attributes: Iterable[KeyValue]) -> dict[str, object]:
    return {one.key: _value(one.value) for one in attributes}


def _value(value: AnyValue) -> object:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(one) for one in value.array_value.values]
    return getattr(value, kind) if kind else None
