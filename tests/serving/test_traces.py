"""What a collector gets of requests: the whole tree of steps, and none of anybody's words."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

import pytest
import requests
from scripted.collector import Collector, Received, collecting
from scripted.fault_server import Exchange
from scripted.gateway_under_test import ENGINE, ROUTER, Gateway, gateway_against
from scripted.logs import logging_to
from scripted.patience import PATIENCE_S

from serving.settings import TelemetrySettings

SECRET = "Sekretne pytanie o zdrowie"
TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
UNKEPT = "5" * 32
COMPLETIONS = "POST /v1/chat/completions"
MESSAGES = "POST /api/conversations/{conversation_id}/messages"
MALFORMED = (
    "garbage",
    "00-" + "0" * 32 + f"-{SPAN}-01",
    f"00-{TRACE}-{'0' * 16}-01",
    f"ff-{TRACE}-{SPAN}-01",
    f"00-{TRACE.upper()}-{SPAN}-01",
    f"00-{TRACE}-{SPAN}-01-{'a' * 10_000}",
    f"00-{TRACE}-{SPAN}-zz",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """What came of all requests; the first span of each names its request."""

    collector: Collector
    log: Sequence[Mapping[str, object]]
    exchanges: Mapping[str, Exchange] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)

    def spans(self, request: str) -> Sequence[Received]:
        trace = self.top(request).trace_id
        return [one for one in self.collector.spans if one.trace_id == trace]

    def top(self, request: str) -> Received:
        (found,) = [
            one for one in self.collector.spans if one.facts.get("zwrotnica.request_id") == request
        ]
        return found

    def named(self, request: str, name: str) -> Received:
        (found,) = [one for one in self.spans(request) if one.name.partition(" ")[0] == name]
        return found

    def tree(self, request: str) -> dict[str, str | None]:
        """Each span's name with its parent's; ``None`` for the first."""
        return {one.name: self.collector.parent_of(one) for one in self.spans(request)}


def ask(
    gateway: Gateway, request: str, model: str, fault: str = "fault=none", **headers: str
) -> int:
    body = {
        "model": model,
        "messages": [{"role": "user", "content": f"{SECRET} {fault}"}],
        "stream": True,
    }
    headers["x-request-id"] = request
    url = f"{gateway.url}/v1/chat/completions"
    return requests.post(url, json=body, headers=headers, timeout=PATIENCE_S).status_code


def play(gateway: Gateway, exchanges: dict[str, Exchange], statuses: dict[str, int]) -> None:
    """Every request of this file."""

    def note(request: str, model: str, fault: str = "fault=none", **headers: str) -> None:
        statuses[request] = ask(gateway, request, model, fault, **headers)
        server = gateway.engine if model == ENGINE else gateway.router
        exchanges[request] = server.last

    note("tool-call", "zwrotnica", traceparent=f"00-{TRACE}-{SPAN}-01", tracestate="vendor=1")
    note("by-name-", ENGINE, "fault=none;tokens=5")
    note("cut-short", ENGINE, "fault=cut:after=3")
    note("status-503", ENGINE, "fault=status:code=503")
    note("malformed", ENGINE, "fault=malformed")
    note("status-400", ENGINE, "fault=status:code=400")
    note("not-kept", ENGINE, traceparent=f"00-{UNKEPT}-{SPAN}-00")
    for number, header in enumerate(MALFORMED):
        note(f"trace-no-{number}", ENGINE, traceparent=header, tracestate="a=b," * 1000)
    ask(gateway, "nobodys-model", "nikt-tego-nie-zna")
    ids = {"x-request-id": "chat-api-request"}
    for path in ("/livez", "/readyz", "/metrics", "/v1/moje-zdrowie"):
        requests.get(gateway.url + path, timeout=PATIENCE_S)
    requests.request("PROPFIND", f"{gateway.url}/v1/models", timeout=PATIENCE_S)
    url = f"{gateway.url}/api/conversations"
    made = requests.post(url, json={}, timeout=PATIENCE_S).json()["id"]
    body = {"text": SECRET}
    requests.post(f"{url}/{made}/messages", json=body, headers=ids, timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder: Path = tmp_path_factory.mktemp("traced")
    written = StringIO()
    exchanges: dict[str, Exchange] = {}
    statuses: dict[str, int] = {}
    with collecting() as collector:
        telemetry = TelemetrySettings(otlp_endpoint=collector.url)
        with (
            gateway_against(
                folder, has_router=True, router_says="fault=calls:kind=sum", telemetry=telemetry
            ) as gateway,
            logging_to(written),
        ):
            play(gateway, exchanges, statuses)
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    return Played(collector=collector, log=lines, exchanges=exchanges, statuses=statuses)


def test_a_routed_turn_with_a_tool_is_one_tree(played: Played) -> None:
    router = played.named("tool-call", "chat").name
    assert played.tree("tool-call") == {
        COMPLETIONS: None,
        "admission": COMPLETIONS,
        "route": COMPLETIONS,
        router: "route",
        "grounding": "route",
        "execute_tool calculate": COMPLETIONS,
        "storage": COMPLETIONS,
    }


def test_a_clients_trace_goes_on_and_to_the_engine(played: Played) -> None:
    top, chat = played.top("tool-call"), played.named("tool-call", "chat")
    headers = played.exchanges["tool-call"].headers
    assert (top.trace_id, top.parent_id) == (TRACE, SPAN)
    assert headers["traceparent"] == f"00-{TRACE}-{chat.span_id}-01"
    assert headers["tracestate"] == "vendor=1"


def test_a_routed_turn_tells_how_it_was_decided(played: Played) -> None:
    route, tool = played.named("tool-call", "route"), played.named("tool-call", "execute_tool")
    assert {name.removeprefix("zwrotnica.route."): value for name, value in route.facts.items()} | {
        "verdict_ms": 0
    } == {
        "decision": "tool",
        "reason": "called",
        "tools": ["calculate"],
        "engine": ROUTER,
        "dialect": "llama3.1",
        "verdict_ms": 0,
        "fast_path": False,
    }
    assert played.named("tool-call", "grounding").facts["zwrotnica.grounding.calls"] == 1
    assert tool.facts["gen_ai.tool.name"] == "calculate"
    assert tool.facts["zwrotnica.tool.status"] == "ok"
    assert "first_text" in played.top("tool-call").events


def test_a_request_by_name_tells_of_its_engine(played: Played) -> None:
    chat, top = played.named("by-name-", "chat"), played.top("by-name-")
    assert played.tree("by-name-") == {
        COMPLETIONS: None,
        "admission": COMPLETIONS,
        chat.name: COMPLETIONS,
    }
    assert (chat.kind, chat.events) == ("SPAN_KIND_CLIENT", ("first_token",))
    assert chat.name == f"chat {chat.facts['gen_ai.request.model']}"
    assert chat.facts["gen_ai.operation.name"] == "chat"
    assert chat.facts["gen_ai.usage.output_tokens"] == 5
    host = played.exchanges["by-name-"].headers["host"]
    assert f"{chat.facts['server.address']}:{chat.facts['server.port']}" == host
    assert (top.kind, top.facts["http.route"]) == ("SPAN_KIND_SERVER", "/v1/chat/completions")
    assert top.facts["http.response.status_code"] == 200


@pytest.mark.parametrize(
    ("request_id", "code"),
    [("cut-short", "engine_lost"), ("status-503", "engine_unavailable")],
)
def test_a_failure_is_shown_where_it_happened(played: Played, request_id: str, code: str) -> None:
    failed = {one.name.partition(" ")[0] for one in played.spans(request_id) if one.is_error}
    codes = {one.facts["error.type"] for one in played.spans(request_id) if one.is_error}
    assert (failed, codes) == ({"POST", "chat"}, {code})


def test_another_try_is_an_event_of_the_engines_span(played: Played) -> None:
    assert "retry" in played.named("status-503", "chat").events


def test_a_fault_of_the_client_is_no_error_of_the_server(played: Played) -> None:
    top = played.top("status-400")
    assert (top.facts["http.response.status_code"], top.is_error) == (400, False)


def test_an_answer_of_the_chat_api_is_stored_within_its_trace(played: Played) -> None:
    stored = {
        (played.collector.parent_of(one), one.facts["zwrotnica.storage.of"])
        for one in played.spans("chat-api-request")
        if one.name == "storage"
    }
    assert stored == {(MESSAGES, "question"), ("answer", "answer")}
    assert played.tree("chat-api-request")["answer"] == MESSAGES


def test_no_span_holds_anybodys_words(played: Played) -> None:
    words = rb"sekret|zdrowi|nikt-tego|fault=none|2 \+ 2"
    assert len(played.collector.spans) > 40
    assert not re.search(words, b"".join(played.collector.bodies), re.IGNORECASE)


@pytest.mark.parametrize("number", range(len(MALFORMED)))
def test_a_malformed_trace_is_as_if_not_sent(played: Played, number: int) -> None:
    request = f"trace-no-{number}"
    headers = played.exchanges[request].headers
    assert (played.statuses[request], played.top(request).parent_id) == (200, "")
    assert TRACE not in headers["traceparent"]
    assert "tracestate" not in headers


def test_what_its_client_does_not_keep_is_not_kept_here(played: Played) -> None:
    sent = played.exchanges["not-kept"].headers["traceparent"]
    assert re.fullmatch(f"00-{UNKEPT}-[0-9a-f]{{16}}-00", sent)
    assert UNKEPT not in {one.trace_id for one in played.collector.spans}


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics"])
def test_probes_are_not_traced(played: Played, path: str) -> None:
    assert path not in {one.facts.get("http.route") for one in played.collector.spans}


def test_a_method_that_nobody_knows_is_not_quoted(played: Played) -> None:
    assert "_OTHER" in {one.facts.get("http.request.method") for one in played.collector.spans}


def test_every_line_of_the_log_names_its_trace(played: Played) -> None:
    lines = [one for one in played.log if one.get("request_id") in {"tool-call", "cut-short"}]
    assert {(line["request_id"], line["trace_id"]) for line in lines} == {
        ("tool-call", TRACE),
        ("cut-short", played.top("cut-short").trace_id),
    }


def test_the_collector_is_told_who_sends(played: Played) -> None:
    assert played.collector.service["service.name"] == "zwrotnica"
