"""Metrics kept on the local disk: a line each time, a file a day, bounded."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scripted.gateway import wait_until
from scripted.stage import open_stage

from serving.settings import TelemetrySettings
from serving.telemetry import Metrics, Snapshots

FIRST = datetime(2026, 11, 1, 12, tzinfo=UTC)
ASKED = 'zwrotnica_turns_refused_total{code="queue_full"}'


def written(folder: Path, days: int, **limits: int) -> list[Path]:
    """The files after a line a day, of growing figures."""
    metrics = Metrics()
    times = [FIRST + timedelta(days=day) for day in range(days)]
    waiting = iter(times)
    settings = TelemetrySettings.model_validate(limits)
    snapshots = Snapshots(metrics, folder=folder, settings=settings, now=lambda: next(waiting))
    for _ in times:
        metrics.refused.labels("queue_full").inc()
        snapshots.write()
    return sorted(folder.glob("*"))


def test_each_day_has_a_file_of_what_was_counted_by_then(tmp_path: Path) -> None:
    files = written(tmp_path, 2)
    assert [file.name for file in files] == ["2026-11-01.jsonl", "2026-11-02.jsonl"]
    lines = [json.loads(file.read_text()) for file in files]
    assert [line["at"] for line in lines] == [
        "2026-11-01T12:00:00+00:00",
        "2026-11-02T12:00:00+00:00",
    ]
    assert [line["figures"][ASKED] for line in lines] == [1, 2]


def test_what_is_zero_is_left_out(tmp_path: Path) -> None:
    (file,) = written(tmp_path, 1)
    assert 0 not in json.loads(file.read_text())["figures"].values()


def test_old_days_are_forgotten(tmp_path: Path) -> None:
    files = written(tmp_path, 5, snapshot_days=3)
    assert [file.stem for file in files] == ["2026-11-03", "2026-11-04", "2026-11-05"]


def test_the_oldest_days_go_when_all_are_too_large(tmp_path: Path) -> None:
    (whole,) = written(tmp_path / "one", 1)
    room = 3 * whole.stat().st_size
    assert len(written(tmp_path / "many", 6, snapshot_bytes=room)) < 4


def test_a_gateway_writes_while_it_runs(tmp_path: Path) -> None:
    with open_stage(tmp_path) as stage:
        often = TelemetrySettings(snapshot_s=0.05)
        stage.settings = stage.settings.model_copy(update={"telemetry": often})
        stage.gateway()
        wait_until(lambda: any((tmp_path / "metrics").glob("*.jsonl")))


def test_a_gateway_that_shall_not_writes_nothing(tmp_path: Path) -> None:
    with open_stage(tmp_path) as stage:
        never = TelemetrySettings(snapshot_s=0)
        stage.settings = stage.settings.model_copy(update={"telemetry": never})
        stage.gateway()
    assert not (tmp_path / "metrics").exists()
