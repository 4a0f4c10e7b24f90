"""What administrators do over HTTP with users, groups and keys, and what they see of engines."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
import requests
from scripted.gateway import Backstage, RunningGateway, running_gateway, wait_until
from scripted.keyed import bearing, make_keys
from scripted.patience import PATIENCE_S

from chatbot.errors import EngineUnavailable
from chatbot.testing import ScriptedEngine
from serving.auth.quotas import NAMES, SIZES
from serving.auth.scopes import ALL, USUAL
from serving.settings import LimitsSettings, Settings
from serving.storage.sqlite import FILE_NAME

SECRET_WORDS = "Mój numer to 12345"


class Office:
    """A gateway, asked as `szef` unless somebody else is named."""

    def __init__(self, gateway: RunningGateway, keys: dict[str, str]) -> None:
        self.url = gateway.url
        self.keys = keys

    def ask(
        self, method: str, path: str, body: object = None, *, user: str = "szef"
    ) -> requests.Response:
        return requests.request(
            method,
            self.url + path,
            json=body,
            headers=bearing(self.keys[user]),
            timeout=PATIENCE_S,
        )

    def users(self) -> list[str]:
        return [one["name"] for one in self.ask("GET", "/api/users").json()["users"]]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, empty_database: bytes) -> Iterator[Office]:
    folder: Path = tmp_path_factory.mktemp("office")
    (folder / FILE_NAME).write_bytes(empty_database)
    settings = Settings(data_dir=folder, limits=LimitsSettings(heartbeat_s=0.2, drain_s=0.5))
    keys = make_keys(settings, szef=ALL, ala=USUAL)
    failing = ScriptedEngine(script=(EngineUnavailable("no engine", engine="model"),))
    with running_gateway(settings, Backstage(router=failing, engine=failing)) as gateway:
        yield Office(gateway, keys)


def test_a_user_is_added_and_changed(office: Office) -> None:
    assert office.ask("POST", "/api/groups", {"name": "kadra"}).status_code == 201
    made = office.ask("POST", "/api/users", {"name": "jan", "groups": ["kadra"]})
    assert (made.status_code, made.json()["groups"]) == (201, ["kadra"])
    changed = office.ask("PATCH", "/api/users/jan", {"tools": ["calculate"], "groups": []}).json()
    assert (changed["tools"], changed["engines"], changed["groups"]) == (["calculate"], None, [])
    assert office.ask("PATCH", "/api/users/jan", {"tools": None}).json()["tools"] is None
    assert office.ask("PATCH", "/api/users/jan", {"disabled": True}).json()["disabled_at"]
    assert office.ask("PATCH", "/api/users/jan", {"disabled": False}).json()["disabled_at"] is None


def test_budgets_stay_where_other_limits_change(office: Office) -> None:
    made = office.ask("POST", "/api/users", {"name": "iga", "quotas": {"tokens_per_day": 5}})
    assert made.json()["quotas"]["tokens_per_day"] == 5
    office.ask("PATCH", "/api/users/iga", {"tools": [], "quotas": {"images_per_month": 7}})
    office.ask("PATCH", "/api/users/iga", {"tools": ["calculate"]})
    (told,) = office.ask("GET", "/api/users?q=iga").json()["users"]
    assert (told["quotas"]["tokens_per_day"], told["quotas"]["images_per_month"]) == (5, 7)
    lifted = office.ask("PATCH", "/api/users/iga", {"quotas": {"tokens_per_day": None}}).json()
    assert lifted["quotas"]["tokens_per_day"] is None


LIMITED = pytest.mark.parametrize(
    ("kind", "part"), [("users", "quotas"), ("groups", "quotas"), ("groups", "total")]
)


@LIMITED
def test_null_in_place_of_limits_lifts_all_of_them(office: Office, kind: str, part: str) -> None:
    name = f"bez-{kind}-{part}"
    given = {"tokens_per_day": 5, "requests_at_once": 2}
    office.ask("POST", f"/api/{kind}", {"name": name, part: given})
    kept = office.ask("PATCH", f"/api/{kind}/{name}", {"tools": []}).json()[part]
    assert kept == {**dict.fromkeys(NAMES), **given}
    lifted = office.ask("PATCH", f"/api/{kind}/{name}", {part: None}).json()[part]
    assert lifted == dict.fromkeys(NAMES)


@LIMITED
def test_changes_at_the_same_time_all_count(office: Office, kind: str, part: str) -> None:
    name = f"razem-{kind}-{part}"
    office.ask("POST", f"/api/{kind}", {"name": name})
    wanted = {quota: 7 for quota in NAMES if quota not in SIZES}
    bodies = [{part: {quota: value}} for quota, value in wanted.items()]
    with ThreadPoolExecutor(len(bodies)) as threads:
        change = partial(office.ask, "PATCH", f"/api/{kind}/{name}")
        replies = list(threads.map(change, bodies))
    assert [reply.status_code for reply in replies] == [200] * len(bodies)
    (told,) = office.ask("GET", f"/api/{kind}?q={name}").json()[kind]
    assert told[part] == {**wanted, **dict.fromkeys(SIZES)}


def test_groups_of_a_user_are_those_of_one_change_never_of_two(office: Office) -> None:
    names = [f"zbiór-{number}" for number in range(6)]
    for name in names:
        office.ask("POST", "/api/groups", {"name": name})
    office.ask("POST", "/api/users", {"name": "pola"})
    wanted = [names[:3], names[3:], names[1:4], names[::2]] * 3
    with ThreadPoolExecutor(len(wanted)) as threads:
        change = partial(office.ask, "PATCH", "/api/users/pola")
        replies = list(threads.map(change, [{"groups": groups} for groups in wanted]))
    assert [reply.status_code for reply in replies] == [200] * len(wanted)
    assert [reply.json()["groups"] for reply in replies] == wanted
    (told,) = office.ask("GET", "/api/users?q=pola").json()["users"]
    assert told["groups"] in wanted


def test_all_parts_of_a_change_are_of_one_change(office: Office) -> None:
    office.ask("POST", "/api/groups", {"name": "całość"})
    office.ask("POST", "/api/users", {"name": "remi"})
    bodies = [
        {"disabled": True, "groups": [], "tools": []},
        {"disabled": False, "groups": ["całość"], "tools": ["calculate"]},
    ] * 6
    with ThreadPoolExecutor(len(bodies)) as threads:
        replies = list(threads.map(partial(office.ask, "PATCH", "/api/users/remi"), bodies))
    told = [reply.json() for reply in replies]
    assert [
        {
            "disabled": one["disabled_at"] is not None,
            "groups": one["groups"],
            "tools": one["tools"],
        }
        for one in told
    ] == bodies


def test_limits_of_a_group_are_those_of_one_change(office: Office) -> None:
    office.ask("POST", "/api/groups", {"name": "zespół"})
    bodies = [
        {"quotas": {"tokens_per_day": number}, "total": {"tokens_per_day": number}}
        for number in range(12)
    ]
    with ThreadPoolExecutor(len(bodies)) as threads:
        replies = list(threads.map(partial(office.ask, "PATCH", "/api/groups/zespół"), bodies))
    told = [reply.json() for reply in replies]
    assert [
        {part: {"tokens_per_day": one[part]["tokens_per_day"]} for part in ("quotas", "total")}
        for one in told
    ] == bodies


def test_every_limit_can_be_set_and_lifted_over_http(office: Office) -> None:
    wanted = dict(zip(NAMES, range(1, 1 + len(NAMES)), strict=True))
    together = {name: value for name, value in wanted.items() if name not in SIZES}
    assert office.ask("POST", "/api/users", {"name": "zoe", "quotas": wanted}).status_code == 201
    body = {"name": "chór", "quotas": wanted, "total": together}
    made = office.ask("POST", "/api/groups", body).json()
    assert made["quotas"] == wanted
    assert made["total"] == {**wanted, **dict.fromkeys(SIZES)}
    changed = office.ask("PATCH", "/api/groups/chór", {"total": {"tokens_per_day": None}}).json()
    assert changed["total"] == {**made["total"], "tokens_per_day": None}
    assert changed["quotas"] == wanted


def test_users_and_groups_are_told_with_what_is_left_of_their_limits(office: Office) -> None:
    office.ask("POST", "/api/groups", {"name": "studio", "total": {"requests_at_once": 4}})
    quotas = {"tokens_per_day": 500, "requests_per_minute": 60}
    office.ask("POST", "/api/users", {"name": "nina", "groups": ["studio"], "quotas": quotas})
    key = office.ask("POST", "/api/keys", {"user": "nina", "scopes": ["chat"]}).json()["key"]
    office.keys["nina"] = key
    (told,) = office.ask("GET", "/api/users?q=nina").json()["users"]
    (shared,) = office.ask("GET", "/api/groups?q=studio").json()["groups"]
    me = office.ask("GET", "/api/me", user="nina").json()
    assert [(one["name"], one["group"], one["left"]) for one in told["limits"]] == [
        ("requests_per_minute", None, 60),
        ("tokens_per_day", None, 500),
        ("requests_at_once", "studio", 4),
    ]
    assert without_moments(told["limits"]) == without_moments(me["limits"])
    assert shared["limits"] == told["limits"][2:]


def without_moments(limits: list[dict[str, object]]) -> list[dict[str, object]]:
    """All but when a limit of a minute is whole, which is at once."""
    return [{**one, "resets_at": None} for one in limits]


def test_an_unknown_group_changes_nothing(office: Office) -> None:
    office.ask("POST", "/api/users", {"name": "ewa"})
    reply = office.ask("PATCH", "/api/users/ewa", {"groups": ["nie-ma"], "disabled": True})
    assert (reply.status_code, reply.json()["error"]["param"]) == (404, "groups")
    listed = office.ask("GET", "/api/users?q=EWA&limit=1").json()["users"]
    assert [(one["name"], one["disabled_at"]) for one in listed] == [("ewa", None)]


@pytest.mark.parametrize(
    ("limits", "param", "told"),
    [
        ({"engines": ["embeded"]}, "engines", "no engine 'embeded'; did you mean 'embedded'?"),
        ({"tools": ["get_wether"]}, "tools", "no tool 'get_wether'; did you mean 'get_weather'?"),
        ({"tools": ["calculate", "xxxx"]}, "tools", "no tool 'xxxx'; there are: calculate, "),
    ],
)
@pytest.mark.parametrize("kind", ["users", "groups"])
def test_engines_and_tools_that_are_not_there_are_refused(
    office: Office, kind: str, limits: dict[str, object], param: str, told: str
) -> None:
    office.ask("POST", f"/api/{kind}", {"name": "adam"})
    for reply in (
        office.ask("POST", f"/api/{kind}", {"name": "nowa", **limits}),
        office.ask("PATCH", f"/api/{kind}/adam", limits),
    ):
        error = reply.json()["error"]
        assert (reply.status_code, error["param"]) == (400, param)
        assert told in error["message"]
    listed = office.ask("GET", f"/api/{kind}").json()[kind]
    assert "nowa" not in {one["name"] for one in listed}
    assert [one[param] for one in listed if one["name"] == "adam"] == [None]


def test_nobody_disables_the_account_that_asks(office: Office) -> None:
    reply = office.ask("PATCH", "/api/users/szef", {"disabled": True})
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, "disabled")


def test_groups_tell_their_members_and_limits(office: Office) -> None:
    office.ask("POST", "/api/groups", {"name": "lab", "engines": []})
    office.ask("PATCH", "/api/users/ala", {"groups": ["lab"]})
    changed = office.ask("PATCH", "/api/groups/lab", {"tools": ["get_weather"]}).json()
    assert (changed["engines"], changed["tools"]) == ([], ["get_weather"])
    (listed,) = office.ask("GET", "/api/groups?q=lab").json()["groups"]
    assert listed["members"] == 1


def test_lists_are_told_page_by_page(office: Office) -> None:
    names, cursor = list[str](), ""
    while cursor is not None:
        page = office.ask("GET", f"/api/users?limit=1&cursor={cursor}").json()
        names += [one["name"] for one in page["users"]]
        cursor = page["next_cursor"]
    assert names == office.users()
    assert {"ala", "szef"} <= set(names)


@pytest.mark.parametrize(
    ("method", "path", "body", "param"),
    [
        ("POST", "/api/users", {"name": ""}, "name"),
        ("POST", "/api/users", {"name": "x" * 129}, "name"),
        ("POST", "/api/users", {"name": "ala"}, "name"),
        ("POST", "/api/groups", {"name": "z ł a"}, "name"),
        ("POST", "/api/users", {"name": "x", "tools": ["y"] * 257}, "tools"),
        ("POST", "/api/users", {"name": "x", "admin": True}, "admin"),
        ("PATCH", "/api/users/ala", {"disabled": "yes"}, "disabled"),
        ("PATCH", "/api/users/ala", {"quotas": {"money_per_day": -1}}, "quotas.money_per_day"),
        (
            "POST",
            "/api/users",
            {"name": "x", "quotas": {"answer_tokens": 0}},
            "quotas.answer_tokens",
        ),
        (
            "POST",
            "/api/groups",
            {"name": "x", "total": {"answer_tokens": 9}},
            "total.answer_tokens",
        ),
        ("GET", "/api/users?limit=501", None, "limit"),
        ("GET", f"/api/users?q={'x' * 129}", None, "q"),
        ("GET", "/api/errors?limit=0", None, "limit"),
    ],
)
def test_what_is_out_of_bounds_is_refused(
    office: Office, method: str, path: str, body: object, param: str
) -> None:
    reply = office.ask(method, path, body)
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, param)


@pytest.mark.parametrize("name", ["nikt", "x" * 129, "%00", "%E2%80%AE"])
@pytest.mark.parametrize("kind", ["users", "groups"])
def test_what_has_no_such_name_is_not_found(office: Office, kind: str, name: str) -> None:
    assert office.ask("PATCH", f"/api/{kind}/{name}", {"tools": []}).status_code == 404


def test_engines_are_told_with_what_they_do(office: Office) -> None:
    told = office.ask("GET", "/api/engines").json()
    assert told["turns"]["running"] == 0
    assert ("embedded", "in_process") in {(one["name"], one["state"]) for one in told["engines"]}


def test_failed_requests_are_told_without_what_was_said(office: Office) -> None:
    body = {"model": "zwrotnica", "messages": [{"role": "user", "content": SECRET_WORDS}]}
    reply = office.ask("POST", "/v1/chat/completions", body, user="ala")
    assert reply.status_code == 503
    wait_until(lambda: bool(office.ask("GET", "/api/errors").json()["errors"]))
    told = office.ask("GET", "/api/errors")
    (failed,) = told.json()["errors"]
    assert (failed["user"], failed["error"]) == ("ala", "engine_unavailable")
    assert failed["request_id"] == reply.headers["x-request-id"]
    assert SECRET_WORDS not in told.text


def test_a_rotated_key_is_followed_by_one_that_opens_the_same(office: Office) -> None:
    made = office.ask("POST", "/api/keys", {"scopes": ["chat"]}, user="ala").json()
    path = f"/api/keys/{made['id']}/rotate"
    reply = office.ask("POST", path, {"overlap_hours": 0}, user="ala")
    assert (reply.status_code, reply.json()["scopes"]) == (201, ["chat"])
    listed = office.ask("GET", "/api/keys", user="ala").json()["keys"]
    assert {key["id"]: key["replaced_by"] for key in listed}[made["id"]] == reply.json()["id"]
    assert office.ask("POST", path, {"overlap_hours": 0}, user="ala").status_code == 400
    assert office.ask("POST", path, {"overlap_hours": 721}, user="ala").status_code == 400


def test_a_key_is_not_rotated_into_more_than_the_asking_one_opens(office: Office) -> None:
    wide = office.ask("POST", "/api/keys", {"user": "ala", "scopes": ["admin", "chat"]}).json()
    reply = office.ask("POST", f"/api/keys/{wide['id']}/rotate", {}, user="ala")
    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "insufficient_scope")


def test_a_rotated_key_ends_no_later_than_the_asking_one(office: Office) -> None:
    lasting = office.ask("POST", "/api/keys", {"scopes": ["chat"]}, user="ala").json()
    short = office.ask("POST", "/api/keys", {"expires_days": 2}, user="ala").json()
    office.keys["short"] = short["key"]
    reply = office.ask("POST", f"/api/keys/{lasting['id']}/rotate", {}, user="short")
    assert reply.json()["expires_at"] == short["expires_at"]


def test_a_server_open_to_everybody_is_not_changed_over_http(
    tmp_path: Path, empty_database: bytes
) -> None:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    with running_gateway(Settings(data_dir=tmp_path), Backstage()) as gateway:
        reply = requests.post(f"{gateway.url}/api/users", json={"name": "obcy"}, timeout=PATIENCE_S)
        listed = requests.get(f"{gateway.url}/api/users", timeout=PATIENCE_S).json()
    assert reply.status_code == 403
    assert "obcy" not in str(listed)


@pytest.mark.parametrize(
    ("form", "begins", "kind"),
    [("csv", b"month,requests", "text/csv"), ("xlsx", b"PK", "application/vnd.openxmlformats")],
)
def test_usage_is_downloaded_as_a_file(office: Office, form: str, begins: bytes, kind: str) -> None:
    reply = office.ask("GET", f"/api/usage?by=month&all=true&format={form}")
    assert reply.content.startswith(begins)
    assert reply.headers["content-type"].startswith(kind)
    assert f'.{form}"' in reply.headers["content-disposition"]
    assert office.ask("GET", f"/api/usage?all=true&format={form}", user="ala").status_code == 403


def test_usage_has_no_other_formats(office: Office) -> None:
    reply = office.ask("GET", "/api/usage?format=pdf")
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, "format")
