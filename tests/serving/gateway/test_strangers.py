"""What one account has made does not exist for another, on whichever route it is asked for."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from scripted.gateway import Backstage, RunningGateway, call, running_gateway
from scripted.keyed import bearing, make_keys
from scripted.patience import NEVER_S, PATIENCE_S

from chatbot.testing import ScriptedEngine
from serving.auth.key_text import KeyText
from serving.auth.scopes import USUAL, Scope
from serving.gateway.route_table import ROUTES, Route
from serving.settings import LimitsSettings, Settings
from serving.storage.sqlite import FILE_NAME

NO_OBJECTS = frozenset({"model_id", "link"})
"""Parts of paths that name no account's object: a model, a link that is its own permission."""
OF_OBJECTS = [
    route for route in ROUTES if "{" in route.path and not any(n in route.path for n in NO_OBJECTS)
]
BODIES: dict[str, dict[str, object]] = {
    "MessageBody": {"text": "Cześć"},
    "ChangeBody": {"title": "Moja"},
    "FeedbackBody": {"rating": "up"},
    "RotationBody": {},
    "UserChange": {"disabled": True},
    "GroupChange": {"tools": []},
}
NAMES = {"user_name": "ala", "group_name": "kadra"}
UNKNOWN_NAMES = {"user_name": "nikt", "group_name": "nie-ma"}
CLOSED = {frozenset({Scope.ADMIN}): 403}
"""What is for administrators is refused before anything is looked up; all else is 404."""


@dataclass(frozen=True, kw_only=True)
class Two:
    """A gateway, and what Ala has made there, by the names of the paths' parts."""

    gateway: RunningGateway
    keys: dict[str, str]
    made: dict[str, str]
    is_running: bool

    def ask(self, user: str, method: str, path: str, body: object = None) -> requests.Response:
        return requests.request(
            method,
            self.gateway.url + path,
            json=body,
            headers=bearing(self.keys[user]),
            timeout=PATIENCE_S,
        )


@pytest.fixture(scope="module", params=["ended", "running"])
def two(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, empty_database: bytes
) -> Iterator[Two]:
    folder: Path = tmp_path_factory.mktemp("two")
    (folder / FILE_NAME).write_bytes(empty_database)
    settings = Settings(data_dir=folder, limits=LimitsSettings(heartbeat_s=0.2, drain_s=0.5))
    keys = make_keys(settings, ala=USUAL, ola=USUAL)
    ended = call("draw", '{"description": "kot Ali"}')
    running = call("wait", f'{{"seconds": {NEVER_S}}}')
    script = ended if request.param == "ended" else running
    with running_gateway(settings, Backstage(router=ScriptedEngine(script=script))) as gateway:
        made, answer = make_objects(gateway, keys["ala"])
        with answer:
            if request.param == "ended":
                assert b"event: done" in answer.content
            yield Two(gateway=gateway, keys=keys, made=made, is_running=request.param == "running")


def make_objects(gateway: RunningGateway, key: str) -> tuple[dict[str, str], requests.Response]:
    """The objects, and the reply in which the answer comes."""
    headers = bearing(key)
    url = f"{gateway.url}/api/conversations"
    conversation = requests.post(url, json={}, headers=headers, timeout=PATIENCE_S).json()["id"]
    answer = requests.post(
        f"{url}/{conversation}/messages",
        json={"text": "Narysuj kota Ali"},
        headers=headers,
        stream=True,
        timeout=PATIENCE_S,
    )
    text = KeyText.read(key)
    assert text is not None
    made = {
        "conversation_id": conversation,
        "message_id": answer.headers["x-message-id"],
        "key_id": text.key_id,
    }
    return made, answer


def visible(reply: requests.Response) -> tuple[int, str, dict[str, str]]:
    """All that a client sees, without what differs from one reply to the next."""
    own = {"date", "x-request-id"}
    headers = {name.lower(): value for name, value in reply.headers.items()}
    text = reply.text.replace(headers["x-request-id"], "")
    return reply.status_code, text, {name: headers[name] for name in headers.keys() - own}


@pytest.mark.parametrize("route", OF_OBJECTS, ids=lambda route: f"{route.method} {route.path}")
def test_what_is_anothers_looks_as_if_it_did_not_exist(two: Two, route: Route) -> None:
    body = None if route.body is None else BODIES[route.body.__name__]
    unknown = {name: made[::-1] for name, made in two.made.items()}
    of_ala = route.path.format(**two.made, **NAMES)
    of_nobody = route.path.format(**unknown, **UNKNOWN_NAMES)
    assert of_ala != of_nobody
    anothers, nobodys = (
        visible(two.ask("ola", route.method, path, body)) for path in (of_ala, of_nobody)
    )
    assert anothers == nobodys
    assert anothers[0] == CLOSED.get(route.scopes, 404)


def test_ala_herself_finds_all_of_it_afterwards(two: Two) -> None:
    conversation = two.ask("ala", "GET", f"/api/conversations/{two.made['conversation_id']}")
    message = next(
        one for one in conversation.json()["messages"] if one["id"] == two.made["message_id"]
    )
    assert (conversation.json()["busy"], message["running"]) == (two.is_running, two.is_running)
    assert (message["rating"], conversation.json()["title"]) != ("up", "Moja")
    assert two.ask("ala", "GET", "/api/keys").json()["keys"][0]["state"] == "valid"


def test_no_list_and_no_export_tells_of_anothers(two: Two) -> None:
    listing = [
        route
        for route in ROUTES
        if route.method == "GET" and "{" not in route.path and route.scopes
    ]
    assert len(listing) > 5
    for route in listing:
        told = two.ask("ola", "GET", route.path)
        assert [made for made in two.made.values() if made in told.text] == [], route.path
    exported = json.loads(two.ask("ola", "GET", "/api/export?format=json").text)
    assert exported["conversations"] == []


@pytest.mark.parametrize("field", ["parent", "current"])
def test_a_message_of_another_named_in_a_body_does_not_exist(two: Two, field: str) -> None:
    own = two.ask("ola", "POST", "/api/conversations", {}).json()["id"]
    path = f"/api/conversations/{own}"

    def name(message_id: str) -> tuple[int, str, dict[str, str]]:
        if field == "parent":
            body = {"text": "Cześć", "parent": message_id}
            return visible(two.ask("ola", "POST", f"{path}/messages", body))
        return visible(two.ask("ola", "PATCH", path, {"current": message_id}))

    anothers, nobodys = name(two.made["message_id"]), name(two.made["message_id"][::-1])
    two.ask("ola", "DELETE", path)
    assert anothers == nobodys
    assert anothers[0] == 404
