import socket
from collections.abc import Iterator

import pytest
import requests
from scripted.gateway import RunningGateway
from scripted.patience import PATIENCE_S
from scripted.stage import Stage, open_stage

from chatbot.testing import ScriptedEngine

ENDPOINT = "/v1/chat/completions"
HELLO = [{"role": "user", "content": "Cześć"}]
FINE = {"model": "zwrotnica", "messages": HELLO}


def post(gateway: RunningGateway, body: object, path: str = ENDPOINT) -> requests.Response:
    return requests.post(gateway.url + path, json=body, timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def engine() -> ScriptedEngine:
    return ScriptedEngine(script=["Dzień dobry."])


@pytest.fixture(scope="module")
def gateway(
    engine: ScriptedEngine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningGateway]:
    with open_stage(tmp_path_factory.mktemp("bounds")) as stage:
        stage.limit(messages=5, message_chars=100, total_chars=150, parts=10)
        stage.limit(max_tokens=50, body_bytes=100_000, stop_chars=10)
        yield stage.gateway(engine=engine)


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({"messages": []}, "messages", "invalid_request"),
        ({"messages": HELLO * 6}, "messages", "invalid_request"),
        ({"messages": [{"role": "king", "content": "x"}]}, "messages.0.role", "invalid_request"),
        ({"messages": [{"role": "system", "content": "x"}]}, "messages", "invalid_request"),
        (
            {"messages": [{"role": "user", "content": "x" * 101}]},
            "messages.0.content",
            "context_length_exceeded",
        ),
        (
            {"messages": [{"role": "user", "content": "x" * 80}] * 2},
            "messages",
            "context_length_exceeded",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "text", "text": ""}] * 11}]},
            "messages",
            "invalid_request",
        ),
        (
            {"messages": [{"role": "user", "content": "x", "contnet": "y"}]},
            "messages.0.contnet",
            "unsupported_parameter",
        ),
        ({"max_tokens": -1}, "max_tokens", "invalid_request"),
        ({"max_tokens": 10**12}, "max_tokens", "invalid_request"),
        ({"max_tokens": 51}, "max_tokens", "invalid_request"),
        ({"max_tokens": True}, "max_tokens", "invalid_request"),
        ({"max_tokens": 5.5}, "max_tokens", "invalid_request"),
        ({"n": 10**9}, "n", "unsupported_parameter"),
        ({"top_p": 0}, "top_p", "invalid_request"),
        ({"temperature": "1"}, "temperature", "invalid_request"),
        ({"stream": "yes"}, "stream", "invalid_request"),
        ({"stop": ["x"] * 10_000}, "stop", "invalid_request"),
        ({"stop": "x" * 11}, "stop", "invalid_request"),
        ({"stop": [""]}, "stop", "invalid_request"),
        ({"model": "x" * 1000}, "model", "invalid_request"),
        ({"chat_template_kwargs": {}}, "chat_template_kwargs", "unsupported_parameter"),
        ({"guided_regex": "(a+)+"}, "guided_regex", "unsupported_parameter"),
        ({"logit_bias": {"1": 100}}, "logit_bias", "unsupported_parameter"),
        ({"modalities": ["audio"]}, "modalities", "unsupported_parameter"),
    ],
)
def test_a_field_out_of_bounds_is_a_400_that_names_it(
    gateway: RunningGateway,
    engine: ScriptedEngine,
    fields: dict[str, object],
    param: str,
    code: str,
) -> None:
    before = len(engine.requests)
    reply = post(gateway, FINE | fields)
    error = reply.json()["error"]
    assert (reply.status_code, error["param"], error["code"]) == (400, param, code)
    assert len(engine.requests) == before


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("top_pp", "'top_pp' is not supported; did you mean 'top_p'?"),
        ("reasoning_effort", "'reasoning_effort' is not supported"),
    ],
)
def test_an_unknown_field_names_the_known_one_only_where_it_is_a_slip(
    gateway: RunningGateway, field: str, message: str
) -> None:
    assert post(gateway, FINE | {field: "low"}).json()["error"]["message"] == message


def test_null_is_the_same_as_leaving_a_field_out(gateway: RunningGateway) -> None:
    nulls = dict.fromkeys(["temperature", "stop", "tools", "n", "stream", "logit_bias", "user"])
    assert post(gateway, FINE | nulls).status_code == 200


def test_a_body_announced_too_large_is_not_read(gateway: RunningGateway) -> None:
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=PATIENCE_S) as line:
        head = f"POST {ENDPOINT} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n"
        line.sendall(head.encode())
        assert line.recv(100).startswith(b"HTTP/1.1 413")


def test_a_body_found_too_large_is_a_413(gateway: RunningGateway) -> None:
    reply = requests.post(
        gateway.url + ENDPOINT, data=iter([b"x" * 40_000] * 3), timeout=PATIENCE_S
    )
    assert reply.status_code == 413
    assert reply.json()["error"]["code"] == "invalid_request"


def test_a_body_that_does_not_arrive_is_a_408(stage: Stage) -> None:
    stage.limit(body_s=0.5)
    with socket.create_connection(("127.0.0.1", stage.gateway().port)) as line:
        head = f'POST {ENDPOINT} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{{"model'
        line.sendall(head.encode())
        assert line.recv(100).startswith(b"HTTP/1.1 408")


def test_sampling_reaches_the_answering_leg(
    gateway: RunningGateway, engine: ScriptedEngine
) -> None:
    given = {"temperature": 1, "top_p": 0.5, "max_completion_tokens": 7, "stop": "X", "seed": 3}
    assert post(gateway, FINE | given).status_code == 200
    sampling = engine.requests[-1].sampling
    assert (sampling.temperature, sampling.top_p, sampling.max_tokens) == (1.0, 0.5, 7)
    assert (sampling.stop, sampling.seed) == (("X",), 3)


def test_the_history_may_hold_calls_and_their_results(
    gateway: RunningGateway, engine: ScriptedEngine
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "nie JSON"}}
    messages = [
        {"role": "developer", "content": "Krótko."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "wynik", "tool_call_id": "c"},
        {"role": "user", "content": "dalej"},
    ]
    assert post(gateway, FINE | {"messages": messages}).status_code == 200
    assert engine.requests[-1].messages[0].role == "system"


@pytest.mark.parametrize("path", [ENDPOINT, "/api/route"])
def test_a_body_that_is_no_json_is_a_400_with_a_request_id(
    gateway: RunningGateway, path: str
) -> None:
    reply = requests.post(gateway.url + path, data=b"{", timeout=PATIENCE_S)
    assert reply.status_code == 400
    assert reply.json()["error"]["request_id"] == reply.headers["x-request-id"]
