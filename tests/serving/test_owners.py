"""What a worker hands on to the one that makes a conversation's answers."""

from collections.abc import Sequence
from dataclasses import dataclass

import anyio
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from scripted.raw_server import RawServer, raw_server
from starlette.types import Message, Receive, Scope, Send

from serving.settings import LimitsSettings
from serving.telemetry import working_on
from serving.telemetry.otlp import OtlpTracer
from serving.workers.owners import ConversationOwners

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
CLIENTS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@dataclass(frozen=True, kw_only=True, slots=True)
class Peers:
    """This worker is none of those that conversations belong to."""

    peers: Sequence[str | None]
    number: int = -1


async def never(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("another worker answers")


async def hand_on(server: RawServer) -> list[Message]:
    """What the client of a request for a conversation gets, who goes on with a trace."""
    sent: list[Message] = []

    coming: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if not coming:
            await anyio.sleep_forever()
        return coming.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/api/conversations/abc",
        "raw_path": b"/api/conversations/abc",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"traceparent", CLIENTS.encode())],
        "client": ("127.0.0.1", 1),
        "request_id": "one",
    }
    owners = ConversationOwners(Peers(peers=[server.url.removesuffix("/v1")]), LimitsSettings())
    async with owners:
        await owners.wrap(never)(scope, receive, send)
    return sent


async def test_the_owner_goes_on_with_the_trace_that_is_made_here() -> None:
    tracer = OtlpTracer(
        InMemorySpanExporter(), ratio=1.0, most_spans=10, service={}, on_drop=lambda *_: None
    )
    async with tracer, raw_server([[ANSWER]]) as server:
        span = tracer.begin("GET", [(b"traceparent", CLIENTS.encode())])
        with working_on(span):
            sent = await hand_on(server)
    assert sent[0]["status"] == 200
    own = f"traceparent: {span.headers['traceparent']}".encode()
    assert own in server.requests[0]
    assert CLIENTS.encode() not in server.requests[0]


async def test_without_traces_the_clients_own_is_passed_on() -> None:
    async with raw_server([[ANSWER]]) as server:
        await hand_on(server)
    assert CLIENTS.encode() in server.requests[0]
