"""Every route of the application names what a key needs for it, and sees to it."""

import logging
from pathlib import Path

import pytest
import requests
from fastapi.routing import APIRoute
from scripted.gateway import RunningGateway, wait_until
from scripted.keyed import bearing, make_keys
from scripted.patience import PATIENCE_S
from scripted.stage import Stage

from serving.app import create_app
from serving.auth.scopes import ALL, Scope
from serving.gateway.authorization import ANY_KEY, PUBLIC
from serving.gateway.route_table import HOME, OPENAPI, ROUTES, SIGN_IN, Route
from serving.settings import Settings

CHAT = {"model": "zwrotnica", "messages": [{"role": "user", "content": "Cześć"}]}
NAMES = [f"{route.method} {route.path}" for route in ROUTES]
UNKNOWN = "zw_0123456789abcdef_" + "0" * 48


@pytest.fixture
def keyed_stage(stage: Stage) -> Stage:
    return stage


def ask(gateway: RunningGateway, route: Route, **headers: str) -> requests.Response:
    path = route.path.replace("{", "").replace("}", "")
    body = CHAT if route.body else None
    return requests.request(
        route.method, gateway.url + path, json=body, headers=headers, timeout=PATIENCE_S
    )


@pytest.mark.parametrize("path", ["/api/conversations", "/api/export", "/v1/models"])
def test_a_server_without_keys_answers_to_no_name_of_others(stage: Stage, path: str) -> None:
    gateway = stage.gateway()

    def ask_as(host: str) -> requests.Response:
        return requests.get(gateway.url + path, headers={"host": host}, timeout=PATIENCE_S)

    for host in ("localhost", "127.0.0.1:1", "[::1]:1", "192.168.1.7:80", "zwrotnica:7860"):
        assert ask_as(host).status_code == 200
    assert ask_as("[evil.example").status_code == 403
    refused = ask_as(f"evil.example:{gateway.port}")
    assert refused.status_code == 403
    assert "set public_url, if clients know it as 'evil.example'" in refused.text


def test_a_server_without_keys_answers_to_the_name_that_it_is_known_by(stage: Stage) -> None:
    stage.settings = stage.settings.model_copy(update={"public_url": "https://czat.example/bot"})
    url = f"{stage.gateway().url}/api/conversations"
    reply = requests.get(url, headers={"host": "czat.example"}, timeout=PATIENCE_S)
    assert reply.status_code == 200


def test_pages_of_others_change_nothing_on_a_server_without_keys(stage: Stage) -> None:
    gateway = stage.gateway()

    def change(**headers: str) -> int:
        url = f"{gateway.url}/api/conversations"
        plain = {"content-type": "text/plain", **headers}
        return requests.post(url, data=b"{}", headers=plain, timeout=PATIENCE_S).status_code

    assert change() == change(origin=gateway.url) == 201
    assert change(**{"sec-fetch-site": "same-origin"}) == 201
    assert change(origin="https://evil.example") == 403
    for site in ("cross-site", "same-site"):
        assert change(origin=gateway.url, **{"sec-fetch-site": site}) == 403


def test_the_application_has_no_route_beside_the_table(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path))
    table = {(route.path, route.method): route for route in (*ROUTES, HOME)}
    heads = {(path, "HEAD") for path, method in table if method == "GET"}
    found = {
        (route.path, method)
        for route in app.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    others = [route for route in app.routes if not isinstance(route, APIRoute)]
    assert found == table.keys() | heads
    assert [getattr(route, "path", None) for route in others] == [OPENAPI]


def test_what_is_public_is_known() -> None:
    public = {route.path for route in (*ROUTES, HOME) if route.scopes == PUBLIC}
    notices = {"/privacy", "/accessibility"}
    people = {
        "/sign-in/oidc",
        "/sign-in/oidc/callback",
        "/sign-in",
        "/sign-in/password",
        "/sign-out",
        "/account",
        "/account/password",
        "/account/delete",
    }
    assert public == {"/images/{link}", "/livez", "/readyz", "/docs", "/"} | people | notices
    assert all(route.scopes <= ALL for route in ROUTES)


def test_without_a_key_that_counts_no_route_but_the_public_ones_answers(
    keyed_stage: Stage,
) -> None:
    make_keys(keyed_stage.settings, ala=ALL)
    gateway = keyed_stage.gateway()
    for route, name in zip(ROUTES, NAMES, strict=True):
        for headers in ({}, bearing(UNKNOWN), {"x-api-key": UNKNOWN}):
            reply = ask(gateway, route, **headers)
            refused = (reply.status_code, reply.headers.get("www-authenticate"))
            assert (refused == (401, "Bearer")) == (route.scopes != PUBLIC), name
    head = requests.head(f"{gateway.url}/v1/models", timeout=PATIENCE_S)
    assert head.status_code == 401


def test_a_key_without_the_scope_is_refused_on_each_route(keyed_stage: Stage) -> None:
    scopes = {scope.value: frozenset({scope}) for scope in Scope}
    keys = make_keys(keyed_stage.settings, **scopes)
    gateway = keyed_stage.gateway()
    for route, name in zip(ROUTES, NAMES, strict=True):
        lacking = [keys[scope] for scope in scopes if route.scopes and scope not in route.scopes]
        statuses = {ask(gateway, route, **bearing(key)).status_code for key in lacking}
        assert statuses <= {403}, name
        assert bool(statuses) == (route.scopes not in {PUBLIC, ANY_KEY}), name


def test_a_key_with_the_scope_is_let_in_on_each_route(keyed_stage: Stage) -> None:
    key = make_keys(keyed_stage.settings, ala=ALL)["ala"]
    gateway = keyed_stage.gateway()
    for route in [route for route in ROUTES if route not in SIGN_IN]:
        assert ask(gateway, route, **bearing(key)).status_code not in {401, 403}, route.path


def test_an_engine_by_its_name_needs_a_scope_of_its_own(keyed_stage: Stage) -> None:
    keys = make_keys(
        keyed_stage.settings, ala=frozenset({Scope.CHAT}), ola=frozenset({Scope.ENGINES})
    )
    gateway = keyed_stage.gateway()

    def status(user: str, model: str) -> int:
        url, body = f"{gateway.url}/v1/chat/completions", {**CHAT, "model": model}
        return requests.post(
            url, json=body, headers=bearing(keys[user]), timeout=PATIENCE_S
        ).status_code

    assert [status("ala", "zwrotnica"), status("ola", "zwrotnica")] == [200, 403]
    assert [status("ala", "bielik"), status("ola", "bielik")] == [403, 404]


def test_the_log_tells_which_key_was_let_in(
    keyed_stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    key = make_keys(keyed_stage.settings, ala=frozenset({Scope.CHAT}))["ala"]
    gateway = keyed_stage.gateway()
    for path, sent in (("/api/me", key), ("/metrics", key), ("/api/me", UNKNOWN)):
        requests.get(gateway.url + path, headers=bearing(sent), timeout=PATIENCE_S)
    wait_until(lambda: len(told(caplog)) == 3)
    key_id = key.split("_")[1]
    assert told(caplog) == [(200, key_id), (403, key_id), (401, None)]


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[int, str | None]]:
    """Status and key of each request in the log."""
    ended = [vars(record) for record in caplog.records if record.message == "request"]
    return [(record["status"], record.get("key")) for record in ended]


def test_the_docs_tell_the_scopes_of_each_route(stage: Stage) -> None:
    page = requests.get(f"{stage.gateway().url}/docs", timeout=PATIENCE_S).text
    assert page.count("Scope: chat or engines.") == 1
    shown = [route for route in ROUTES if route.is_shown]
    assert page.count("Any key.") == sum(route.scopes == ANY_KEY for route in shown)
    assert page.count("Needs no key.") == sum(route.scopes == PUBLIC for route in shown)


@pytest.mark.parametrize(("query", "needs"), [("", 200), ("?by=user", 403), ("?all=true", 403)])
def test_only_administrators_see_what_others_used(
    keyed_stage: Stage, query: str, needs: int
) -> None:
    keys = make_keys(keyed_stage.settings, ala=frozenset({Scope.CHAT}), ola=ALL)
    url = f"{keyed_stage.gateway().url}/v1/usage{query}"

    def status(user: str) -> int:
        return requests.get(url, headers=bearing(keys[user]), timeout=PATIENCE_S).status_code

    assert (status("ala"), status("ola")) == (needs, 200)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_a_scheme_is_read_in_any_case(keyed_stage: Stage, scheme: str) -> None:
    key = make_keys(keyed_stage.settings, ala=ALL)["ala"]
    headers = {"authorization": f"{scheme} {key}"}
    url = f"{keyed_stage.gateway().url}/api/me"
    assert requests.get(url, headers=headers, timeout=PATIENCE_S).status_code == 200


def test_two_different_keys_are_a_400_that_repeats_neither(keyed_stage: Stage) -> None:
    keys = make_keys(keyed_stage.settings, ala=ALL, ola=ALL)
    headers = {**bearing(keys["ala"]), "x-api-key": keys["ola"]}
    url = f"{keyed_stage.gateway().url}/api/me"
    reply = requests.get(url, headers=headers, timeout=PATIENCE_S)
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_request")
    assert not [key for key in keys.values() if key in reply.text]


@pytest.mark.parametrize(
    "path",
    ["//v1/models", "/v1/..;/v1/models", "/v1/%2e%2e/v1/models", "/v1//models", "/V1/models"],
)
def test_other_spellings_of_a_path_open_nothing(keyed_stage: Stage, path: str) -> None:
    make_keys(keyed_stage.settings, ala=ALL)
    gateway = keyed_stage.gateway()
    request = requests.Request("GET", gateway.url).prepare()
    request.url = gateway.url + path
    with requests.Session() as session:
        assert session.send(request, timeout=PATIENCE_S).status_code in {401, 404}


def test_a_large_body_is_refused_before_it_is_read(keyed_stage: Stage) -> None:
    make_keys(keyed_stage.settings, ala=ALL)
    url = f"{keyed_stage.gateway().url}/v1/chat/completions"
    reply = requests.post(url, data=b"x" * 3_000_000, timeout=PATIENCE_S)
    assert reply.status_code == 401


def test_conversations_belong_to_the_account_of_the_key(keyed_stage: Stage) -> None:
    keys = make_keys(keyed_stage.settings, ala=ALL, ola=ALL)
    url = f"{keyed_stage.gateway().url}/api/conversations"
    made = requests.post(url, json={}, headers=bearing(keys["ala"]), timeout=PATIENCE_S).json()
    statuses = [
        requests.get(f"{url}/{made['id']}", headers=bearing(key), timeout=PATIENCE_S).status_code
        for key in keys.values()
    ]
    assert statuses == [200, 404]


def test_the_openapi_document_tells_the_scopes_of_each_route(stage: Stage) -> None:
    document = requests.get(f"{stage.gateway().url}{OPENAPI}", timeout=PATIENCE_S).json()
    assert set(document["components"]["securitySchemes"]) == {"bearer", "apiKey"}
    for route in ROUTES:
        if route.is_shown:
            path = route.path.replace(":path}", "}")
            told = document["paths"][path][route.method.lower()]["security"]
            scopes = {name for one in told for names in one.values() for name in names}
            is_any = route.scopes == ANY_KEY
            assert scopes == (set() if is_any else {scope.value for scope in route.scopes})
            assert bool(told) == (route.scopes != PUBLIC), route.path
