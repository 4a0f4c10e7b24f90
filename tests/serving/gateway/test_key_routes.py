from datetime import UTC, datetime, timedelta

import anyio
import pytest
import requests
from scripted.keyed import bearing, make_keys, open_keyed
from scripted.patience import PATIENCE_S
from scripted.stage import Stage
from sqlalchemy import update

from serving.auth.key_text import KeyText
from serving.auth.records import LEAVING
from serving.auth.scopes import ALL, USUAL, Scope
from serving.storage.tables import ACCOUNTS

CHAT = frozenset({Scope.CHAT})
Fields = dict[str, object]


class Keys:
    """`/api/keys` of a gateway, asked with the keys of several users."""

    def __init__(self, url: str, keys: dict[str, str]) -> None:
        self.url = f"{url}/api/keys"
        self.keys = keys

    def ask(self, who: str, method: str, path: str = "", /, **body: object) -> requests.Response:
        headers = bearing(self.keys[who])
        sent = body if method == "POST" else None
        return requests.request(
            method, self.url + path, json=sent, headers=headers, timeout=PATIENCE_S
        )

    def users(self, user: str) -> list[str]:
        return [key["user"] for key in self.ask(user, "GET").json()["keys"]]

    def status(self, user: str) -> int:
        """What the user's key is answered with."""
        return self.ask(user, "GET").status_code


@pytest.fixture
def keys(stage: Stage) -> Keys:
    made = make_keys(stage.settings, ala=CHAT, ola=USUAL, szef=ALL)
    return Keys(stage.gateway().url, made)


def key_id(whole: str) -> str:
    text = KeyText.read(whole)
    assert text is not None
    return text.key_id


def test_one_sees_ones_own_keys_and_an_admin_everyones(keys: Keys) -> None:
    assert keys.users("ala") == ["ala"]
    assert sorted(keys.users("szef")) == ["ala", "ola", "szef"]


def test_keys_of_an_account_that_is_being_deleted_are_not_listed(stage: Stage) -> None:
    made = make_keys(stage.settings, ola=USUAL, szef=ALL)
    leaving = update(ACCOUNTS).where(ACCOUNTS.c.name == "ola").values(name=f"{LEAVING}ola")

    async def leave() -> None:
        async with open_keyed(stage.settings) as keyed:
            await keyed.database.write(lambda connection: connection.execute(leaving).rowcount)

    anyio.run(leave)
    assert Keys(stage.gateway().url, made).users("szef") == ["szef"]


def test_no_list_holds_a_secret(keys: Keys) -> None:
    listed = keys.ask("szef", "GET").text
    for whole in keys.keys.values():
        text = KeyText.read(whole)
        assert text is not None
        assert text.key_id in listed
        assert text.secret not in listed


def test_a_new_key_works_and_nobody_on_the_way_keeps_it(keys: Keys) -> None:
    reply = keys.ask("ola", "POST", name="skrypt", scopes=["chat"], expires_days=7)
    made = reply.json()
    assert (reply.status_code, reply.headers["cache-control"]) == (201, "no-store")
    assert (made["user"], made["name"], made["scopes"]) == ("ola", "skrypt", ["chat"])
    ends = datetime.fromisoformat(made["expires_at"])
    assert abs(ends - datetime.now(UTC) - timedelta(days=7)) < timedelta(minutes=5)
    keys.keys["nowy"] = made["key"]
    assert keys.users("nowy") == ["ola", "ola"]


def test_a_key_passes_on_no_more_than_it_has(keys: Keys) -> None:
    reply = keys.ask("ala", "POST", scopes=["chat", "images"])
    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "insufficient_scope")
    assert keys.ask("ala", "POST").json()["scopes"] == ["chat"]


def test_a_key_made_by_a_key_that_ends_ends_no_later(keys: Keys) -> None:
    first = keys.ask("ola", "POST", expires_days=2).json()
    keys.keys["krotki"] = first["key"]
    for days in ({}, {"expires_days": 90}):
        assert keys.ask("krotki", "POST", **days).json()["expires_at"] == first["expires_at"]


def test_only_an_admin_makes_a_key_for_another(keys: Keys) -> None:
    assert keys.ask("ola", "POST", user="ala").status_code == 403
    made = keys.ask("szef", "POST", user="ala", scopes=["images"]).json()
    assert (made["user"], made["scopes"]) == ("ala", ["images"])
    assert keys.ask("szef", "POST", user="nikt").status_code == 404


def test_a_revoked_key_is_refused_soon(keys: Keys) -> None:
    made = keys.ask("ola", "POST").json()
    keys.keys["nowy"] = made["key"]
    assert keys.ask("ola", "DELETE", f"/{made['id']}").status_code == 204
    assert keys.ask("nowy", "GET").status_code in {200, 401}  # within two seconds
    listed = {key["id"]: key["state"] for key in keys.ask("ola", "GET").json()["keys"]}
    assert listed[made["id"]] == "revoked"


def test_an_admin_revokes_everyones_keys(keys: Keys) -> None:
    reply = keys.ask("szef", "DELETE", f"/{key_id(keys.keys['ala'])}")
    assert reply.status_code == 204


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"scopes": ["cat"]}, "scopes"),
        ({"scopes": []}, "scopes"),
        ({"expires_days": 0}, "expires_days"),
        ({"expires_days": 10**9}, "expires_days"),
        ({"name": "x" * 129}, "name"),
        ({"naem": "x"}, "naem"),
    ],
)
def test_odd_wishes_are_refused(keys: Keys, body: Fields, param: str) -> None:
    reply = keys.ask("szef", "POST", **body)
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, param)


@pytest.fixture
def two_at_most(stage: Stage) -> Keys:
    """Ala has one key and may have two."""
    auth = stage.settings.auth.model_copy(update={"keys": 2})
    stage.settings = stage.settings.model_copy(update={"auth": auth})
    made = make_keys(stage.settings, ala=ALL)
    return Keys(stage.gateway().url, made)


def test_an_account_has_only_so_many_keys(two_at_most: Keys) -> None:
    assert [two_at_most.ask("ala", "POST").status_code for _ in range(2)] == [201, 400]


def test_rotating_makes_no_more_keys_than_an_account_may_have(two_at_most: Keys) -> None:
    first = key_id(two_at_most.keys["ala"])
    second = two_at_most.ask("ala", "POST", f"/{first}/rotate", overlap_hours=1).json()["id"]
    refused = two_at_most.ask("ala", "POST", f"/{second}/rotate", overlap_hours=1)
    words = two_at_most.ask("ala", "POST").json()["error"]["message"]
    assert (refused.status_code, refused.json()["error"]["message"]) == (400, words)
    listed = two_at_most.ask("ala", "GET").json()["keys"]
    assert [(key["id"], key["replaced_by"]) for key in listed] == [(first, second), (second, None)]


def test_an_account_with_all_its_keys_rotates_without_an_overlap(two_at_most: Keys) -> None:
    made = two_at_most.ask("ala", "POST").json()["id"]
    for _ in range(2):
        reply = two_at_most.ask("ala", "POST", f"/{made}/rotate", overlap_hours=0)
        assert reply.status_code == 201
        made = reply.json()["id"]


def test_the_first_key_is_not_made_over_http(stage: Stage) -> None:
    url = f"{stage.gateway().url}/api/keys"
    reply = requests.post(url, json={}, timeout=PATIENCE_S)
    assert reply.status_code == 403
    assert "zwrotnica keys create" in reply.json()["error"]["message"]
    assert requests.get(url, timeout=PATIENCE_S).json() == {"keys": []}
