import json
import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from scripted.gateway import DEFAULT, RunningGateway, call
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

from chatbot.errors import EngineUnavailable
from chatbot.testing import ONE_PIXEL_PNG, ScriptedEngine
from serving.gateway.events import event_schemas

SCHEMAS = Path(__file__).parents[3] / "docs" / "events"
ASKED = {"messages": [{"role": "user", "content": "Ile kosztuje euro?"}]}


def route(gateway: RunningGateway, **fields: object) -> requests.Response:
    return requests.post(f"{gateway.url}/api/route", json=ASKED | fields, timeout=PATIENCE_S)


def test_a_decision_is_told_without_the_act(stage: Stage) -> None:
    engine = ScriptedEngine(script=["Nie pytaj mnie."])
    rated = call("rate", '{"currency": "EUR"}')
    gateway = stage.gateway(router=ScriptedEngine(script=rated), engine=engine)
    told = route(gateway).json()
    verdict_ms = told.pop("verdict_ms")
    assert told == {
        "tool": "rate",
        "tool_calls": [
            {
                "name": "rate",
                "arguments": {"currency": "EUR"},
                "raw_arguments": {"currency": "EUR"},
            }
        ],
        "question": None,
        "reason": "called",
    }
    assert verdict_ms >= 0
    assert engine.requests == []


def test_the_default_model_is_no_tool(stage: Stage) -> None:
    told = route(stage.gateway(router=ScriptedEngine(script=DEFAULT))).json()
    assert (told["tool"], told["tool_calls"], told["reason"]) == (None, [], "default_function")


def test_a_missing_argument_is_a_question(stage: Stage) -> None:
    told = route(stage.gateway(router=ScriptedEngine(script=call("rate")))).json()
    assert (told["tool"], told["tool_calls"]) == ("rate", [])
    assert told["reason"] == "missing_argument"
    assert told["question"]


def test_a_router_that_is_down_is_a_reason_and_no_error(stage: Stage) -> None:
    down = ScriptedEngine(script=[EngineUnavailable("refused", engine="llama")])
    assert route(stage.gateway(router=down)).json()["reason"] == "router_down"


def test_the_tools_to_choose_from_can_be_named(stage: Stage) -> None:
    router = ScriptedEngine(script=DEFAULT)
    gateway = stage.gateway(router=router)
    assert route(gateway, tools=["draw"]).status_code == 200
    assert "rate" not in router.requests[0].messages[-1].text


def test_a_tool_that_does_not_exist_is_a_400(stage: Stage) -> None:
    reply = route(stage.gateway(), tools=["rat"])
    assert reply.status_code == 400
    assert "did you mean 'rate'" in reply.json()["error"]["message"]


def test_tools_are_listed_with_parameters_and_examples(stage: Stage) -> None:
    tools = requests.get(f"{stage.gateway().url}/api/tools", timeout=PATIENCE_S).json()["tools"]
    assert [tool["name"] for tool in tools] == ["rate", "draw", "wait"]
    assert tools[0]["title"] == "Kurs"
    assert tools[0]["examples"] == ["ile kosztuje euro?"]
    assert tools[0]["parameters"]["required"] == ["currency"]


def test_the_account_learns_its_bounds(stage: Stage) -> None:
    told = requests.get(f"{stage.gateway().url}/api/me", timeout=PATIENCE_S).json()
    assert told["account"] == "local"
    assert told["bounds"]["max_tokens"]["max"] == stage.settings.limits.max_tokens


def draw(stage: Stage) -> tuple[RunningGateway, str]:
    """A gateway that has drawn a picture, and the answer that shows it."""
    drawn = call("draw", '{"description": "pies [i] kot"}')
    gateway = stage.gateway(router=ScriptedEngine(script=drawn))
    body = {"model": "zwrotnica"} | ASKED
    reply = requests.post(f"{gateway.url}/v1/chat/completions", json=body, timeout=PATIENCE_S)
    return gateway, reply.json()["choices"][0]["message"]["content"]


def test_a_picture_is_shown_by_an_absolute_link_that_works(stage: Stage) -> None:
    gateway, text = draw(stage)
    before, _, rest = text.partition("![pies (i) kot](")
    url = rest.partition(")")[0]
    assert before.startswith("Gotowe.")
    assert url.startswith(f"{gateway.url}/images/")
    reply = requests.get(url, timeout=PATIENCE_S)
    assert reply.content == ONE_PIXEL_PNG
    assert reply.headers["content-type"] == "image/png"
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_the_public_address_is_used_where_one_is_set(stage: Stage) -> None:
    update = {"public_url": "https://czat.example/"}
    stage.settings = stage.settings.model_copy(update=update)
    assert "](https://czat.example/images/" in draw(stage)[1]


def test_an_expired_link_shows_a_placeholder_with_410(stage: Stage) -> None:
    images = stage.settings.images.model_copy(update={"link_s": 0})
    stage.settings = stage.settings.model_copy(update={"images": images})
    url = draw(stage)[1].partition("](")[2].partition(")")[0]
    reply = requests.get(url, timeout=PATIENCE_S)
    assert reply.status_code == 410
    assert reply.headers["content-type"] == "image/svg+xml"
    assert "wygasło" in reply.content.decode()


def test_a_forged_link_is_a_404(stage: Stage) -> None:
    url = draw(stage)[1].partition("](")[2].partition(")")[0]
    forged = url[:-1] + ("a" if not url.endswith("a") else "b")
    reply = requests.get(forged, timeout=PATIENCE_S)
    assert reply.status_code == 404
    assert reply.json()["error"]["code"] == "not_found"


def test_health_and_metrics_are_told(stage: Stage) -> None:
    gateway = stage.gateway()
    route(gateway)
    assert requests.get(f"{gateway.url}/livez", timeout=PATIENCE_S).json() == {"status": "alive"}
    assert requests.get(f"{gateway.url}/readyz", timeout=PATIENCE_S).json()["status"] == "ready"
    figures = requests.get(f"{gateway.url}/metrics", timeout=PATIENCE_S).text
    assert 'zwrotnica_http_requests_total{route="/api/route",status="200"} 1.0' in figures


def exchange(method: str, url: str) -> tuple[str, dict[str, str], bytes]:
    """Status line, headers and everything that follows them until the connection is closed."""
    parts = urlsplit(url)
    host = str(parts.hostname)
    request = f"{method} {parts.path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    with socket.create_connection((host, int(parts.port or 0)), timeout=PATIENCE_S) as connection:
        connection.sendall(request.encode())
        head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    own = ("date", "x-request-id")
    return status, {name: headers[name] for name in headers if name not in own}, body


@pytest.mark.parametrize("path", ["/", "/docs", "/livez", "/readyz", "/v1/models", "/images/nic"])
def test_head_is_answered_like_get_without_the_body(stage: Stage, path: str) -> None:
    url = stage.gateway().url + path
    status, headers, body = exchange("GET", url)
    assert body
    assert exchange("HEAD", url) == (status, headers, b"")


def test_the_head_of_a_picture_tells_its_size(stage: Stage) -> None:
    status, headers, body = exchange("HEAD", draw(stage)[1].partition("](")[2].partition(")")[0])
    assert (status, body) == ("HTTP/1.1 200 OK", b"")
    assert int(headers["content-length"]) == len(ONE_PIXEL_PNG)


def test_the_head_of_what_is_only_posted_is_a_405(stage: Stage) -> None:
    reply = requests.head(f"{stage.gateway().url}/v1/chat/completions", timeout=PATIENCE_S)
    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_pages_need_no_script_and_no_other_host(stage: Stage, path: str) -> None:
    gateway = stage.gateway()
    reply = requests.get(gateway.url + path, timeout=PATIENCE_S)
    assert reply.status_code == 200
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    page = reply.text.replace(gateway.url, "")
    assert not [word for word in ("<script", "http://", "https://", "src=") if word in page]


def test_the_docs_name_every_route_of_the_api(stage: Stage) -> None:
    gateway = stage.gateway()
    openapi = requests.get(f"{gateway.url}/openapi.json", timeout=PATIENCE_S).json()
    page = requests.get(f"{gateway.url}/docs", timeout=PATIENCE_S).text
    assert "/v1/chat/completions" in openapi["paths"]
    assert [path for path in openapi["paths"] if path not in page] == []


def test_every_reference_of_the_document_leads_somewhere(stage: Stage) -> None:
    gateway = stage.gateway()
    document = requests.get(f"{gateway.url}/openapi.json", timeout=PATIENCE_S).json()
    referred = set(re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(document)))
    assert "#/$defs" not in json.dumps(document)
    assert {"Error", "ChatCompletionBody", "ExportedDocument"} <= referred
    assert referred <= set(document["components"]["schemas"])
    page = requests.get(f"{gateway.url}/docs", timeout=PATIENCE_S).text
    assert [name for name in referred if f'id="schema-{name}"' not in page] == []


def test_a_body_that_may_be_left_out_is_told_so(stage: Stage) -> None:
    gateway = stage.gateway()
    paths = requests.get(f"{gateway.url}/openapi.json", timeout=PATIENCE_S).json()["paths"]
    assert not paths["/api/conversations"]["post"]["requestBody"]["required"]
    assert requests.post(f"{gateway.url}/api/conversations", timeout=PATIENCE_S).status_code == 201
    assert paths["/api/keys"]["post"]["requestBody"]["required"]


def test_the_queries_of_the_api_are_described(stage: Stage) -> None:
    gateway = stage.gateway()
    paths = requests.get(f"{gateway.url}/openapi.json", timeout=PATIENCE_S).json()["paths"]
    queries = {
        path: {one["name"] for one in methods["get"].get("parameters", []) if one["in"] == "query"}
        for path, methods in paths.items()
        if "get" in methods
    }
    chat = "/api/conversations"
    assert queries[chat] == {"q", "cursor", "limit"}
    assert queries[f"{chat}/{{conversation_id}}/messages/{{message_id}}/events"] == {"after"}
    assert queries["/api/export"] == {"format", "lang"}


def test_an_unknown_path_and_method_have_the_shape_of_openais_errors(stage: Stage) -> None:
    gateway = stage.gateway()
    missing = requests.get(f"{gateway.url}/v1/nic", timeout=PATIENCE_S)
    wrong = requests.get(f"{gateway.url}/v1/chat/completions", timeout=PATIENCE_S)
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "invalid_request")


def test_a_clients_request_id_is_kept_where_it_is_plain(stage: Stage) -> None:
    gateway = stage.gateway()
    kept = requests.get(
        f"{gateway.url}/livez", headers={"x-request-id": "moje-id-1"}, timeout=PATIENCE_S
    )
    made = requests.get(f"{gateway.url}/livez", headers={"x-request-id": "a b"}, timeout=PATIENCE_S)
    assert kept.headers["x-request-id"] == "moje-id-1"
    assert made.headers["x-request-id"] != "a b"


def test_the_schemas_of_events_are_those_in_the_docs() -> None:
    stored = {
        path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
        for path in SCHEMAS.glob("*.schema.json")
    }
    assert stored == event_schemas(), "zwrotnica events docs/events"
