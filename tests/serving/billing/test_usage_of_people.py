import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest
import requests
from click.testing import CliRunner, Result
from scripted.databases import address_in, storage_in
from scripted.gateway import Backstage, RunningGateway, running_gateway
from scripted.keyed import ACTOR, open_keyed
from scripted.ledgers import ended, entry, leg
from scripted.patience import PATIENCE_S
from sqlalchemy import Connection

from serving.billing import store
from serving.cli.main import zwrotnica
from serving.settings import Settings

SPAN = "from=2026-09-01&to=2026-09-30"
DAYS = ("--from", "2026-09-01", "--to", "2026-09-30")
GROUPS = {"ala": ("lab",), "jan": ("kadra", "lab"), "ola": ()}
CHARGED = {"ala": 10, "jan": 400, "ola": 30}


@dataclass(frozen=True, kw_only=True)
class Club:
    """Ala is in the lab, Jan also among the staff, Ola nowhere; each has asked once."""

    folder: Path
    people: Mapping[str, str]
    groups: Mapping[str, str]

    @contextmanager
    def gateway(self) -> Iterator[RunningGateway]:
        settings = Settings(data_dir=self.folder, storage=storage_in(self.folder))
        with running_gateway(settings, Backstage()) as gateway:
            yield gateway

    def run(self, *words: str) -> Result:
        environ = {"ZWROTNICA_DATA_DIR": str(self.folder)}
        if address := address_in(self.folder):
            environ["ZWROTNICA_STORAGE__URL"] = address
        return CliRunner().invoke(zwrotnica, ["usage", *DAYS, *words], env=environ)


@pytest.fixture
def club(folder: Path) -> Club:
    return anyio.run(found_club, folder)


async def found_club(folder: Path) -> Club:
    async with open_keyed(Settings(data_dir=folder, storage=storage_in(folder))) as keyed:
        names = {name for groups in GROUPS.values() for name in groups}
        groups = {
            name: (await keyed.accounts.add_group(name, actor=ACTOR)).group_id for name in names
        }
        people = {name: (await keyed.accounts.add(name, actor=ACTOR)).account_id for name in GROUPS}

        def ask(connection: Connection) -> None:
            for day, (name, owner) in enumerate(people.items(), start=1):
                of = tuple(groups[group] for group in GROUPS[name])
                asked = replace(entry(name, owner=owner, groups=of), day=f"2026-09-{day:02}")
                store.write(connection, (), [asked])
                store.write(connection, [ended(name, leg(amount=CHARGED[name]))], ())

        await keyed.database.write(ask)
        return Club(folder=folder, people=people, groups=groups)


def asked(gateway: RunningGateway, query: str) -> requests.Response:
    return requests.get(f"{gateway.url}/api/usage?{query}&{SPAN}", timeout=PATIENCE_S)


def test_users_and_groups_are_told_by_name(club: Club) -> None:
    with club.gateway() as gateway:
        users = asked(gateway, "by=user").json()["rows"]
        groups = asked(gateway, "by=group").json()["rows"]
    assert {row["name"]: row["charged"] for row in users} == CHARGED
    assert {row["name"]: row["charged"] for row in groups} == {"": 30, "kadra": 400, "lab": 410}
    assert {row["name"]: row["key"] for row in groups} == {**club.groups, "": ""}


def test_pages_of_groups_follow_each_other(club: Club) -> None:
    with club.gateway() as gateway:
        first = asked(gateway, "by=group&limit=1").json()
        rest = asked(gateway, f"by=group&cursor={first['next_cursor']}").json()["rows"]
    assert [row["key"] for row in (*first["rows"], *rest)] == ["", *sorted(club.groups.values())]


@pytest.mark.parametrize(("by", "order"), [("user", ["jan", "ola"]), ("group", ["lab", "kadra"])])
def test_who_used_the_most_comes_first_on_demand(club: Club, by: str, order: list[str]) -> None:
    with club.gateway() as gateway:
        told = asked(gateway, f"by={by}&order=most&limit=2").json()
    assert [row["name"] for row in told["rows"]] == order
    assert told["next_cursor"] is None


@pytest.mark.parametrize(
    ("query", "charged"),
    [
        ("user=ala", {"2026-09-01": 10}),
        ("group=lab", {"2026-09-01": 10, "2026-09-02": 400}),
        ("group=lab&by=month", {"2026-09": 410}),
        ("group=lab&user=jan", {"2026-09-02": 400}),
    ],
)
def test_one_user_or_group_is_asked_for_by_name(
    club: Club, query: str, charged: dict[str, int]
) -> None:
    with club.gateway() as gateway:
        rows = asked(gateway, query).json()["rows"]
    assert {row["key"]: row["charged"] for row in rows} == charged


@pytest.mark.parametrize(("query", "near"), [("user=alu", "ala"), ("group=lap", "lab")])
def test_who_is_not_there_is_told_with_the_nearest(club: Club, query: str, near: str) -> None:
    with club.gateway() as gateway:
        reply = asked(gateway, query)
    assert reply.status_code == 404
    assert f"did you mean '{near}'?" in reply.json()["error"]["message"]
    told = club.run(*f"--{query}".split("="))
    assert told.exit_code != 0
    assert f"did you mean '{near}'?" in str(told.exception)


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("order=least", "order"),
        ("order=most&cursor=x", "cursor"),
        ("user=a%00b", "user"),
        ("group=%00", "group"),
        (f"user={'x' * 200}", "user"),
    ],
)
def test_what_cannot_be_asked_for_is_named(club: Club, query: str, param: str) -> None:
    with club.gateway() as gateway:
        reply = asked(gateway, query)
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, param)


def test_a_table_has_names_and_ids(club: Club) -> None:
    lines = [line.split() for line in club.run("--by", "group").stdout.splitlines()]
    assert lines[0][:3] == ["GROUP", "ID", "REQUESTS"]
    assert [line[:3] for line in lines[1:]] == [
        ["-", "-", "1"],
        ["kadra", club.groups["kadra"], "1"],
        ["lab", club.groups["lab"], "2"],
    ]


def test_the_command_tells_of_one_group_or_user(club: Club) -> None:
    lines = club.run("--by", "user", "--group", "lab").stdout.splitlines()[1:]
    assert [line.split()[:2] for line in lines] == [
        [name, club.people[name]] for name in ("ala", "jan")
    ]
    for user in ("ala", club.people["ala"]):
        told = json.loads(club.run("--user", user, "--format", "json").stdout)
        assert [row["charged"] for row in told["rows"]] == [CHARGED["ala"]]


def test_a_downloaded_file_has_names_and_ids(club: Club) -> None:
    with club.gateway() as gateway:
        lines = asked(gateway, "by=user&format=csv").text.splitlines()
    assert lines[0].startswith("user,id,requests,")
    assert lines[1].startswith(f"ala,{club.people['ala']},1,")
