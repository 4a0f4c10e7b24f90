"""Spans on their way to a collector: bounded, counted where they are lost, waited for by nobody."""

import threading
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Self

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from pydantic import SecretStr
from scripted.collector import collecting
from scripted.fault_server import FaultServer
from scripted.ports import free_port
from scripted.raw_server import raw_server
from scripted.replica_set import replicas_with
from scripted.tables import every_row

from chatbot.errors import EngineUnavailable
from chatbot.testing import ManualClock
from chatbot.types import ChatMessage, ChatRequest, ImageRequest
from serving.engines.remote import make_chat_engine, make_image_engine
from serving.http.tracing import make_tracer, read_headers
from serving.settings import EngineSettings, ImageEngineSettings, SettingsError, TelemetrySettings
from serving.telemetry import NO_SPAN, Span, current_span, step, working_on
from serving.telemetry.otlp import OtlpTracer

HELLO = ChatRequest(messages=(ChatMessage(role="user", text="Cześć"),))
SERVICE = {"service.name": "test"}


class Held(SpanExporter):
    """Keeps the names of spans, each batch once it is let go."""

    def __init__(self, *, is_open: bool = True, result: SpanExportResult | None = None) -> None:
        self.names: list[str] = []
        self.events: list[str] = []
        self.gate = threading.Event()
        self.result = result or SpanExportResult.SUCCESS
        if is_open:
            self.gate.set()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.gate.wait()
        self.names += [span.name for span in spans]
        self.events += [event.name for span in spans for event in span.events]
        return self.result


class Traced:
    """A request that is traced to ``exporter``; ``dropped`` counts by reason."""

    def __init__(
        self, exporter: SpanExporter, *, most_spans: int = 100, ratio: float = 1.0
    ) -> None:
        self.dropped: Counter[str] = Counter()
        self.tracer = OtlpTracer(
            exporter, ratio=ratio, most_spans=most_spans, service=SERVICE, on_drop=self.drop
        )
        self.span: Span = NO_SPAN

    def drop(self, reason: str, number: int) -> None:
        self.dropped[reason] += number

    async def __aenter__(self) -> Self:
        await self.tracer.__aenter__()
        self.span = self.tracer.begin("request", ())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.span.end()
        await self.tracer.__aexit__(None, None, None)

    def take_steps(self, number: int) -> None:
        for _ in range(number):
            self.span.begin("step").end()


async def test_what_is_left_is_brought_away_at_the_end() -> None:
    exporter = Held()
    async with Traced(exporter) as traced:
        traced.take_steps(3)
    assert exporter.names == ["step", "step", "step", "request"]
    assert traced.dropped == {}


async def test_spans_beyond_the_bound_are_dropped_and_counted() -> None:
    exporter = Held(is_open=False)
    async with Traced(exporter, most_spans=5) as traced:
        traced.take_steps(600)  # more than one batch holds, whatever has been taken by then
        dropped = traced.dropped["queue_full"]
        exporter.gate.set()
    assert 600 - 5 - 512 <= dropped < 600
    assert len(exporter.names) + traced.dropped.total() == 601


async def test_what_cannot_be_sent_is_counted() -> None:
    async with Traced(Held(result=SpanExportResult.FAILURE)) as traced:
        traced.take_steps(3)
    assert traced.dropped == {"export_failed": 4}


async def test_a_collector_that_never_answers_does_not_hold_up_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("serving.telemetry.otlp.export.CLOSING_S", 0.05)
    exporter = Held(is_open=False)
    async with Traced(exporter) as traced:
        traced.take_steps(3)
    assert exporter.names == []
    exporter.gate.set()


async def test_of_a_share_of_none_nothing_is_kept() -> None:
    exporter = Held()
    async with Traced(exporter, ratio=0.0) as traced:
        traced.take_steps(3)
        flags = int(traced.span.headers["traceparent"][-2:], 16)
    assert flags % 2 == 0  # the bit that says whether it is kept
    assert exporter.names == []


async def test_a_span_that_has_ended_takes_nothing_more() -> None:
    async with Traced(Held()) as traced:
        ended = traced.span.begin("step")
        ended.end()
        for late in (ended.end, lambda: ended.note("late"), lambda: ended.fail("late")):
            late()
        ended.tell({"late": 1})
        ended.rename("late")


async def test_steps_stand_below_the_one_that_is_worked_on() -> None:
    async with Traced(Held()) as traced:
        with working_on(traced.span), step("outer") as outer:
            assert current_span() is outer
            assert outer.trace_id == traced.span.trace_id
        assert current_span() is NO_SPAN


def settings(url: str, **more: object) -> TelemetrySettings:
    return TelemetrySettings.model_validate({"otlp_endpoint": url, "otlp_s": 0.2, **more})


async def send_one(url: str, **more: object) -> Counter[str]:
    """What was dropped of one span sent to ``url``."""
    dropped: Counter[str] = Counter()
    tracer = make_tracer(
        settings(url, **more), on_drop=lambda reason, number: dropped.update({reason: number})
    )
    assert tracer is not None
    async with tracer:
        tracer.begin("request", ()).end()
    return dropped


@pytest.mark.parametrize("path", ["", "/", "/v1/traces"])
async def test_a_collector_is_found_by_its_base_or_whole_address(path: str) -> None:
    with collecting() as collector:
        assert await send_one(collector.url + path) == {}
    assert [span.name for span in collector.spans] == ["request"]


async def test_the_collector_gets_the_headers_of_the_settings_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-environment=1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with collecting() as collector:
        await send_one(collector.url, otlp_headers="x-key=tajny%20klucz, x-tenant=uni")
    headers = {name.lower(): value for name, value in collector.headers[0].items()}
    assert (headers["x-key"], headers["x-tenant"]) == ("tajny klucz", "uni")
    assert "x-environment" not in headers


@pytest.mark.parametrize("answer", [{"status": 500}, {"status": 302}, {"stalls": True}])
async def test_a_collector_that_does_not_take_spans_loses_them(answer: dict[str, int]) -> None:
    with collecting(**answer) as collector:  # type: ignore[arg-type]  # a test's own choice
        assert await send_one(collector.url) == {"export_failed": 1}


async def test_a_collector_that_is_not_there_loses_them() -> None:
    assert await send_one(f"http://127.0.0.1:{free_port()}") == {"export_failed": 1}


async def test_a_collector_that_speaks_no_http_loses_them() -> None:
    async with raw_server([[b"\0\1garbage\n" * 100]]) as server:
        assert await send_one(server.url) == {"export_failed": 1}


async def test_of_an_endless_answer_little_is_read() -> None:
    with collecting(body=b"x" * 5_000_000) as collector:
        assert await send_one(collector.url) == {}
    assert len(collector.spans) == 1


def test_without_a_collector_there_is_no_tracer() -> None:
    assert make_tracer(TelemetrySettings(), on_drop=lambda *_: None) is None


@every_row("text", ["tajne", "=tajne", "na me=tajne", "x=a,tajne", "x=%0Atajne"])
def test_headers_of_another_form_are_refused_without_being_told(text: str) -> None:
    with pytest.raises(SettingsError, match=r"telemetry\.otlp_headers") as caught:
        read_headers(TelemetrySettings(otlp_headers=SecretStr(text)))
    assert "tajne" not in str(caught.value)


@asynccontextmanager
async def traced_request() -> AsyncIterator[tuple[Held, str]]:
    """A request that is worked on, and its trace's id."""
    exporter = Held()
    async with Traced(exporter) as traced:
        with working_on(traced.span):
            yield exporter, traced.span.trace_id or ""


async def test_an_image_server_is_told_the_trace() -> None:
    async with FaultServer() as server, traced_request() as (exporter, trace_id):
        configured = ImageEngineSettings(url=server.url)
        async with make_image_engine(configured, clock=ManualClock()) as engine:
            await engine.draw(ImageRequest(prompt="pies"), deadline_s=30.0)
        assert server.last.headers["traceparent"].startswith(f"00-{trace_id}-")
    assert [name.partition(" ")[0] for name in exporter.names] == ["generate_content", "request"]


async def test_a_provider_outside_is_told_nothing() -> None:
    async with FaultServer() as server, traced_request() as (exporter, _):
        configured = EngineSettings(kind="compatible", url=server.url)
        async with (
            make_chat_engine("outside", configured, clock=ManualClock()) as engine,
            engine.stream(HELLO) as deltas,
        ):
            assert [delta async for delta in deltas]
        assert "traceparent" not in server.last.headers
    assert [name.partition(" ")[0] for name in exporter.names] == ["chat", "request"]


async def test_another_server_is_an_event_of_the_step_that_asks() -> None:
    async with replicas_with("dead", "dead") as several, traced_request() as (exporter, _):
        with pytest.raises(EngineUnavailable):
            async with several.engine.stream(HELLO):
                pass
    assert exporter.events.count("replica_changed") == 1
