"""The access log: one line a request, without anybody's words, kept for some days."""

import json
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import requests
from scripted.gateway import Backstage, running_gateway
from scripted.keyed import bearing, make_keys
from scripted.patience import PATIENCE_S
from scripted.tables import every_row

from serving.auth.scopes import USUAL
from serving.settings import LogSettings, Settings
from serving.storage.sqlite import FILE_NAME
from serving.telemetry import AccessLog
from serving.telemetry.access_log import shorten

NOW = datetime(2026, 11, 24, 23, 59, 59, tzinfo=UTC)


class Log:
    """An access log with a clock of its own."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.now = NOW
        self.log = AccessLog(
            LogSettings.model_validate(settings), folder=folder, now=lambda: self.now
        )

    @property
    def days(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.jsonl"))

    def lines(self, day: str) -> list[dict[str, object]]:
        text = (self.folder / f"{day}.jsonl").read_text("utf-8")
        return [json.loads(line) for line in text.splitlines()]


async def test_a_line_is_in_the_file_of_its_day(tmp_path: Path) -> None:
    kept = Log(tmp_path / "access")
    async with kept.log as log:
        log.add({"route": "/a"}, client="192.0.2.7")
        kept.now += timedelta(seconds=2)
        log.add({"route": "/b", "x": "\ud800"}, client=None)
    assert kept.days == ["2026-11-24", "2026-11-25"]
    assert kept.lines("2026-11-24") == [{"at": "2026-11-24T23:59:59.000+00:00", "route": "/a"}]
    assert kept.lines("2026-11-25")[0]["route"] == "/b"
    assert (kept.folder / "2026-11-24.jsonl").stat().st_mode & 0o777 == 0o600


async def test_old_days_and_too_many_bytes_are_forgotten(tmp_path: Path) -> None:
    (tmp_path / "2026-10-01.jsonl").write_text("x\n")
    (tmp_path / "2026-11-22.jsonl").write_text("x" * 900 + "\n")
    (tmp_path / "2026-11-23.jsonl").write_text("x" * 100 + "\n")
    kept = Log(tmp_path, access_days=3, access_bytes=1000)
    async with kept.log as log:
        log.add({"route": "/a"}, client=None)
    assert kept.days == ["2026-11-23", "2026-11-24"]


async def test_two_processes_lose_no_line_of_each_other(tmp_path: Path) -> None:
    one, other = Log(tmp_path), Log(tmp_path)
    async with one.log as first, other.log as second:
        for number in range(500):
            first.add({"number": number}, client=None)
            second.add({"number": number}, client=None)
    assert len(one.lines("2026-11-24")) == 1000


async def test_a_disk_that_refuses_is_told_and_ends_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    (tmp_path / "access").write_text("a file where the folder should be")
    async with Log(tmp_path / "access").log as log:
        log.add({"route": "/a"}, client=None)
    told = [record.message for record in caplog.records]
    assert told == ["access_log_not_written", "access_log_incomplete"]


@every_row(
    ("client", "form", "kept"),
    [
        ("192.0.2.77", "none", None),
        ("192.0.2.77", "network", "192.0.2.0/24"),
        ("2001:db8:1:2::9", "network", "2001:db8:1::/48"),
        ("192.0.2.77", "full", "192.0.2.77"),
        ("testclient", "network", None),
        (None, "full", None),
    ],
)
def test_addresses_are_kept_as_the_settings_say(client: str, form: str, kept: str | None) -> None:
    assert shorten(client, form) == kept  # type: ignore[arg-type]  # one of the three


@pytest.fixture
def folder(tmp_path: Path, empty_database: bytes) -> Path:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    return tmp_path


def test_requests_are_told_without_queries_texts_and_addresses(folder: Path) -> None:
    settings = Settings(data_dir=folder, log=LogSettings(access=True))
    key = make_keys(settings, ala=USUAL)["ala"]
    words = "Tajemnica-Ali"
    with running_gateway(settings, Backstage()) as gateway:

        def ask(method: str, path: str, body: object = None, **headers: str) -> requests.Response:
            url = gateway.url + path
            return requests.request(method, url, json=body, headers=headers, timeout=PATIENCE_S)

        account = ask("GET", "/api/me", **bearing(key)).json()["account"]
        made = ask("POST", "/api/conversations", {"title": words}, **bearing(key)).json()["id"]
        ask("GET", f"/api/conversations?q={words}", **bearing(key))
        ask("GET", f"/api/conversations/{made}", **bearing(key))
        refused = ask("GET", "/api/me")
    (path,) = (folder / "access").glob("*.jsonl")
    text = path.read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/api/me", 200),
        ("POST", "/api/conversations", 201),
        ("GET", "/api/conversations", 200),
        ("GET", "/api/conversations/{conversation_id}", 200),
        ("GET", "/api/me", 401),
    ]
    assert [line.get("account") for line in lines] == [account] * 4 + [None]
    assert lines[4]["request_id"] == refused.headers["x-request-id"]
    assert lines[0]["key"] == key.split("_")[1]
    assert {type(line["ms"]) for line in lines} == {int}
    for trace in (words, made, "127.0.0.1", key):
        assert trace not in text


def test_by_default_there_is_no_access_log(folder: Path) -> None:
    with running_gateway(Settings(data_dir=folder), Backstage()) as gateway:
        requests.get(f"{gateway.url}/api/me", timeout=PATIENCE_S)
    assert not (folder / "access").exists()
