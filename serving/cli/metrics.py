"""`zwrotnica metrics`: what the metrics kept on this machine say of a time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click

from serving.cli.durations import Duration, read_duration
from serving.cli.metrics_output import as_csv, as_json, as_table
from serving.settings import load_settings
from serving.telemetry.history import KeptLines, divide, make_report
from serving.telemetry.snapshots import metrics_folder

_MOST_ROWS: Final = 10_000


class _Moment(click.ParamType[datetime]):
    """A duration before now, or a date or time as ISO 8601 writes it, in UTC."""

    name = "time"

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        if read_duration(value) is not None:
            return datetime.now(UTC) - Duration().convert(value, param, ctx)
        try:
            moment = datetime.fromisoformat(value)
            return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError):  # in UTC the year may be none from 1 to 9999
            self.fail(
                f"{value!r} is no time such as 24h, 2026-11-23 or 2026-11-23T08:30", param, ctx
            )


@click.command()
@click.option("--since", type=_Moment(), default="24h", show_default=True, help="From when on.")
@click.option("--until", type=_Moment(), help="Before when; else now.")
@click.option("--every", type=Duration(), help="One row for each so long, such as 5m or 1h.")
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
