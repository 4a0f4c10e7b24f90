import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import requests
from click.testing import CliRunner, Result
from openpyxl import load_workbook
from scripted.databases import address_in, storage_in
from scripted.gateway import Backstage, RunningGateway, running_gateway
from scripted.ledgers import ended, entry, house_leg, leg
from scripted.patience import PATIENCE_S

from serving.billing import store
from serving.billing.ledger import connect
from serving.billing.records import NewEntry
from serving.cli.main import zwrotnica
from serving.settings import Settings
from serving.storage.backends import find_url

FORMULA = "=1+1"


def on(new: NewEntry, day: str) -> NewEntry:
    return replace(new, day=day)


@pytest.fixture
def filled(folder: Path) -> Path:
    """Two of `local` in July, one in August that failed, a formula's in July, one still open."""
    storage = storage_in(folder)
    engine = connect(find_url(storage, folder), storage)
    entries = [
        on(entry("a"), "2026-07-30"),
        on(entry("b"), "2026-07-31"),
        on(entry("c"), "2026-08-01"),
        on(entry("d", owner=FORMULA), "2026-07-31"),
        on(entry("e"), "2026-07-31"),
        on(entry("void"), "2026-07-31"),
    ]
    with engine.begin() as connection:
        store.write(connection, (), entries)
        store.write(
            connection,
            [
                ended("a", leg(amount=1_500_000, tokens=3), house_leg(amount=2)),
                ended("b", leg(amount=7, tokens=4)),
                ended("c", leg(amount=100, tokens=5), error="engine_lost"),
                ended("d", leg(amount=20, tokens=6)),
                ended("void", error="engine_timeout"),
            ],
            (),
        )
    engine.dispose()
    return folder


@pytest.fixture
def gateway(filled: Path) -> Iterator[RunningGateway]:
    settings = Settings(data_dir=filled, storage=storage_in(filled))
    with running_gateway(settings, Backstage()) as gateway:
        yield gateway


@pytest.fixture
def idle(sqlite_folder: Path) -> Iterator[RunningGateway]:
    """A gateway that has been asked for nothing."""
    with running_gateway(Settings(data_dir=sqlite_folder), Backstage()) as gateway:
        yield gateway


def asked(gateway: RunningGateway, query: str, path: str = "/api/usage") -> requests.Response:
    return requests.get(f"{gateway.url}{path}?{query}", timeout=PATIENCE_S)


def command(folder: Path, *words: str) -> Result:
    environ = {"ZWROTNICA_DATA_DIR": str(folder)}
    if address := address_in(folder):
        environ["ZWROTNICA_STORAGE__URL"] = address
    span = ("--from", "2026-07-01", "--to", "2026-08-31")
    result = CliRunner().invoke(zwrotnica, ["usage", *span, *words], env=environ)
    assert result.exit_code == 0, result.output
    return result


def test_the_callers_own_usage_is_told_by_day(gateway: RunningGateway) -> None:
    told = asked(gateway, "from=2026-07-01&to=2026-08-31").json()
    assert (told["currency"], told["by"], told["next_cursor"]) == ("PLN", "day", None)
    assert told["rows"][0] == {
        "key": "2026-07-30",
        "requests": 1,
        "prompt_tokens": 4,
        "completion_tokens": 4,
        "images": 0,
        "charged": 1_500_000,
        "house": 2,
    }
    assert [(row["key"], row["charged"]) for row in told["rows"][1:]] == [
        ("2026-07-31", 7),
        ("2026-08-01", 100),
    ]


@pytest.mark.parametrize("path", ["/api/usage", "/v1/usage"])
def test_pages_follow_each_other(gateway: RunningGateway, path: str) -> None:
    query = "from=2026-07-01&to=2026-08-31&limit=2"
    first = asked(gateway, query, path).json()
    second = asked(gateway, f"{query}&cursor={first['next_cursor']}", path).json()
    keys = [row["key"] for row in (*first["rows"], *second["rows"])]
    assert keys == ["2026-07-30", "2026-07-31", "2026-08-01"]
    assert second["next_cursor"] is None


@pytest.mark.parametrize(
    ("by", "charged"),
    [
        ("month", {"2026-07": 1_500_007, "2026-08": 100}),
        ("engine", {"bielik": 1_500_107, "llama": 0}),
        ("role", {"answer": 1_500_107, "router": 0}),
        ("user", {"local": 1_500_107, FORMULA: 20}),
    ],
)
def test_usage_is_told_by_what_is_asked_for(
    gateway: RunningGateway, by: str, charged: dict[str, int]
) -> None:
    rows = asked(gateway, f"by={by}&from=2026-07-01&to=2026-08-31").json()["rows"]
    assert {row["key"]: row["charged"] for row in rows} == charged


def test_all_months_of_the_institution_are_told(gateway: RunningGateway) -> None:
    rows = asked(gateway, "by=month&all=true&from=2026-01-01&to=2026-12-31").json()["rows"]
    assert {row["key"]: row["charged"] for row in rows} == {"2026-07": 1_500_027, "2026-08": 100}


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("by=week", "by"),
        ("from=yesterday", "from"),
        ("to=2026-13-01", "to"),
        ("from=2026-08-02&to=2026-08-01", "from"),
        ("from=0001-01-01&to=9999-12-31", "from"),
        ("limit=0", "limit"),
        ("limit=401", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("limit=-1", "limit"),
        ("all=yes", "all"),
        (f"cursor={'x' * 200}", "cursor"),
    ],
)
def test_what_is_out_of_bounds_is_named(idle: RunningGateway, query: str, param: str) -> None:
    reply = asked(idle, query)
    assert reply.status_code == 400
    assert reply.json()["error"]["param"] == param


def test_the_first_days_of_time_can_be_asked_for(gateway: RunningGateway) -> None:
    assert asked(gateway, "to=0001-01-05").json()["rows"] == []


def test_a_table_has_exact_amounts(filled: Path) -> None:
    lines = command(filled, "--by", "month").stdout.splitlines()
    assert lines[0].split()[:2] == ["MONTH", "REQUESTS"]
    assert lines[1].split() == ["2026-07", "3", "14", "14", "0", "1.500027", "0.000002"]


def test_one_user_alone(filled: Path) -> None:
    told = json.loads(command(filled, "--format", "json", "--user", FORMULA).stdout)
    assert [row["charged"] for row in told["rows"]] == [20]
    assert date.fromisoformat(told["rows"][0]["key"]) == date(2026, 7, 31)


def test_a_name_is_no_formula_in_a_csv(filled: Path) -> None:
    rows = list(csv.reader(io.StringIO(command(filled, "--by", "user", "--format", "csv").stdout)))
    assert [row[0] for row in rows] == ["user", f"'{FORMULA}", "local"]


def test_a_name_is_no_formula_in_a_spreadsheet(filled: Path) -> None:
    written = command(filled, "--by", "user", "--format", "xlsx").stdout_bytes
    sheet = load_workbook(io.BytesIO(written)).active
    assert sheet is not None
    cell = sheet["A2"]
    assert (cell.value, cell.data_type) == (FORMULA, "s")
    assert (sheet["A3"].value, sheet["B3"].value) == ("local", "local")
    assert sheet["G3"].value == pytest.approx(1.500107)
