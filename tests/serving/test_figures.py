"""What a gateway in front of real connections counts, times and logs."""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

import pytest
import requests
import structlog
from scripted.gateway_under_test import ENGINE, ROUTER, Gateway, gateway_against
from scripted.patience import PATIENCE_S

from serving.settings import LogSettings
from serving.telemetry import configure_logging

SECRET = "Sekretne pytanie o zdrowie"


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    with gateway_against(tmp_path, has_router=True, engine_changes={"failures_allowed": 2}) as one:
        yield one


def ask(gateway: Gateway, model: str, fault: str = "fault=none", *, stream: bool = True) -> int:
    messages = [{"role": "user", "content": f"{SECRET} {fault}"}]
    body = {"model": model, "messages": messages, "stream": stream}
    url = f"{gateway.url}/v1/chat/completions"
    reply = requests.post(
        url, json=body, headers={"x-request-id": "test-request-7"}, timeout=PATIENCE_S
    )
    return reply.status_code


def figures(gateway: Gateway) -> Mapping[str, float]:
    page = requests.get(f"{gateway.url}/metrics", timeout=PATIENCE_S).text
    return {
        name.removeprefix("zwrotnica_"): float(value)
        for name, _, value in (line.rpartition(" ") for line in page.splitlines())
        if name and not name.startswith("#")
    }


def test_a_routed_turn_is_timed_by_path_engine_and_decision(gateway: Gateway) -> None:
    ask(gateway, "zwrotnica")
    seen = figures(gateway)
    assert seen['verdict_seconds_count{decision="default"}'] == 1
    assert seen[f'first_text_seconds_count{{engine="{ENGINE}",path="default"}}'] == 1
    assert seen['gateway_seconds_count{path="default"}'] == 1
    assert seen[f'engine_first_token_seconds_count{{engine="{ENGINE}"}}'] == 1
    assert seen[f'engine_request_seconds_count{{engine="{ENGINE}",outcome="finished"}}'] == 1
    router = f'engine_request_seconds_count{{engine="{ROUTER}",'
    assert sum(seen[name] for name in seen if name.startswith(router)) == 1


@pytest.mark.parametrize("stream", [True, False])
def test_a_request_by_name_is_timed_and_its_tokens_are_counted(
    gateway: Gateway, stream: bool
) -> None:
    ask(gateway, ENGINE, "fault=none;tokens=5", stream=stream)
    seen = figures(gateway)
    assert seen[f'first_text_seconds_count{{engine="{ENGINE}",path="by_name"}}'] == 1
    assert seen['gateway_seconds_count{path="by_name"}'] == 1
    assert seen[f'tokens_total{{engine="{ENGINE}",kind="completion",role="answer"}}'] == 5


def test_what_the_gateway_takes_is_less_than_the_first_text(gateway: Gateway) -> None:
    ask(gateway, ENGINE)
    seen = figures(gateway)
    whole = seen[f'first_text_seconds_sum{{engine="{ENGINE}",path="by_name"}}']
    token = seen[f'engine_first_token_seconds_sum{{engine="{ENGINE}"}}']
    assert 0 < seen['gateway_seconds_sum{path="by_name"}'] < whole
    assert token < whole


def test_the_breaker_that_failures_open_is_shown(gateway: Gateway) -> None:
    name = f'engine_breakers_open{{engine="{ENGINE}"}}'
    before = figures(gateway)[name]
    for _ in range(2):
        ask(gateway, ENGINE, "fault=status:code=500")
    assert (before, figures(gateway)[name]) == (0, 1)


def test_a_request_to_an_engine_ends_in_its_error(gateway: Gateway) -> None:
    ask(gateway, ENGINE, "fault=cut:after=3")
    name = f'engine_request_seconds_count{{engine="{ENGINE}",outcome="engine_lost"}}'
    assert figures(gateway)[name] == 1


def test_no_engine_is_asked_after_the_answer(gateway: Gateway) -> None:
    ask(gateway, "zwrotnica")
    ask(gateway, ENGINE, "fault=cut:after=3")
    seen = figures(gateway)
    assert [seen[f'engine_requests{{engine="{name}"}}'] for name in (ENGINE, ROUTER)] == [0, 0]


def test_unknown_models_and_paths_make_no_new_labels(gateway: Gateway) -> None:
    ask(gateway, "nikt-tego-nie-zna")
    requests.get(f"{gateway.url}/nikt/tego/nie/zna", timeout=PATIENCE_S)
    assert [name for name in figures(gateway) if "nikt" in name] == []


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What a gateway logs as JSON, all of it."""
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    written = StringIO()
    configure_logging(LogSettings(format="json", level="info"), stream=written)
    yield written
    root.level, root.handlers = before
    structlog.reset_defaults()


FAULTS = (
    "fault=none",
    "fault=cut:after=3",
    "fault=malformed",
    "fault=status:code=400",
    "fault=status:code=500",
)


def test_every_line_names_its_request_and_none_quotes_it(log: StringIO, gateway: Gateway) -> None:
    log.truncate(0)
    for fault in FAULTS:
        ask(gateway, "zwrotnica", fault)
        ask(gateway, ENGINE, fault)
    lines = [json.loads(line) for line in log.getvalue().lstrip("\0").splitlines()]
    assert {line["event"] for line in lines} >= {"request", "turn failed", "engine_oddity"}
    assert {line.get("request_id") for line in lines} == {"test-request-7"}
    assert all({"event", "level", "timestamp"} <= set(line) for line in lines)
    assert not re.search("Sekret|zdrowi", log.getvalue())


def test_answers_of_the_chat_api_log_the_request_that_asked(
    log: StringIO, gateway: Gateway
) -> None:
    url = f"{gateway.url}/api/conversations"
    made = requests.post(url, json={}, timeout=PATIENCE_S).json()["id"]
    log.truncate(0)
    headers = {"x-request-id": "chat-request-9"}
    body = {"text": f"{SECRET} fault=cut:after=3"}
    requests.post(f"{url}/{made}/messages", json=body, headers=headers, timeout=PATIENCE_S)
    lines = [json.loads(line) for line in log.getvalue().lstrip("\0").splitlines()]
    assert "turn failed" in {line["event"] for line in lines}
    assert {line.get("request_id") for line in lines} == {"chat-request-9"}


def test_without_a_collector_nothing_is_said_of_traces(log: StringIO, gateway: Gateway) -> None:
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    body = {"model": ENGINE, "messages": [{"role": "user", "content": "fault=none"}]}
    url = f"{gateway.url}/v1/chat/completions"
    requests.post(url, json=body, headers={"traceparent": parent}, timeout=PATIENCE_S)
    assert "traceparent" not in gateway.engine.last.headers
    assert "trace_id" not in log.getvalue()
