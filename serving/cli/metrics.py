"""`zwrotnica metrics`: what the metrics kept on this machine say of a time."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final

import click

from serving.cli.metrics_output import as_csv, as_json, as_table
from serving.settings import load_settings
from serving.telemetry.history import KeptLines, divide, make_report
from serving.telemetry.snapshots import metrics_folder

_DURATION: Final = re.compile(r"(\d{1,6})([smhdw])")
_UNITS: Final[Mapping[str, timedelta]] = MappingProxyType({
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
})
_MOST_ROWS: Final = 10_000


class _Duration(click.ParamType[timedelta]):
    """``90s``, ``5m``, ``24h``, ``7d``, ``2w``."""

    name = "duration"

    def convert(
        self, value: str | timedelta, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        if isinstance(value, timedelta):
            return value
        found = _DURATION.fullmatch(value)
        if found is None or not int(found[1]):
            self.fail(f"{value!r} is no duration such as 90s, 5m, 24h or 7d", param, ctx)
        return int(found[1]) * _UNITS[found[2]]


class _Moment(click.ParamType[datetime]):
    """A duration before now, or a date or time as ISO 8601 writes it, in UTC."""

    name = "time"

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        if (found := _DURATION.fullmatch(value)) is not None:
            return datetime.now(UTC) - int(found[1]) * _UNITS[found[2]]
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(
                f"{value!r} is no time such as 24h, 2026-11-23 or 2026-11-23T08:30", param, ctx
            )
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command()
@click.option("--since", type=_Moment(), default="24h", show_default=True, help="From when on.")
@click.option("--until", type=_Moment(), help="Before when; else now.")
@click.option("--every", type=_Duration(), help="One row for each so long, such as 5m or 1h.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON.")
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV, a line for each figure.")
@click.pass_obj
def metrics(
    config: Path | None,
    *,
    since: datetime,
    until: datetime | None,
    every: timedelta | None,
    is_json: bool,
    is_csv: bool,
) -> None:
    """Print requests, turns, first text, tokens, refusals and failures of a time (UTC).

    Times are dates or times in UTC, or how long ago: 90m, 24h, 7d.
    """
    if is_json and is_csv:
        raise click.UsageError("give --json or --csv, not both")
    until = until or datetime.now(UTC)
    if since >= until:
        raise click.UsageError("--since must be before --until")
    if every is not None and (until - since) / every > _MOST_ROWS:
        raise click.UsageError(f"--every makes more than {_MOST_ROWS} rows; give a longer one")
    settings = load_settings(config, calls_engines=False)
    kept = KeptLines(metrics_folder(settings.data_dir))
    lines = kept.read(since, until)
    reports = [make_report(one) for one in divide(lines, since=since, until=until, every=every)]
    if kept.unreadable:
        click.echo(f"zwrotnica: {kept.unreadable} lines could not be read", err=True)
    if not reports:
        raise click.ClickException(
            f"no metrics of this time are kept in {str(metrics_folder(settings.data_dir))!r}: "
            "a running gateway writes them each telemetry.snapshot_s seconds"
        )
    show = as_json if is_json else as_csv if is_csv else as_table
    click.echo(show(reports), nl=not is_csv)
