"""`zwrotnica usage`: what was used and charged, as a table, CSV, JSON or a spreadsheet."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import anyio
import click
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

from serving.billing.prices import MICRO
from serving.billing.usage import GROUPINGS, By, UsageQuery, UsageRow, read_usage
from serving.cli.accounts import show_table
from serving.gateway.exports.cleaning import defuse, fit_cell
from serving.settings import Settings, load_settings
from serving.storage import open_data_dir
from serving.storage.database import open_database

_DAY: Final = click.DateTime(formats=["%Y-%m-%d"])
_DAYS: Final = 31


@click.command()
@click.option("--by", type=click.Choice(GROUPINGS), default="day", show_default=True)
@click.option("--from", "first", type=_DAY, help="First day; unset: 30 days before the last.")
@click.option("--to", "last", type=_DAY, help="Last day; unset: today.")
@click.option("--user", help="One account alone, by its id.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json", "xlsx"]),
    default="table",
    show_default=True,
)
@click.pass_obj
def usage(
    config: Path | None,
    *,
    by: By,
    first: datetime | None,
    last: datetime | None,
    user: str | None,
    form: str,
) -> None:
    """Print what was used and charged: requests, tokens, pictures, amounts."""
    settings = load_settings(config, calls_engines=False)
    today = datetime.now(UTC).astimezone(ZoneInfo(settings.billing.time_zone)).date()
    until = last.date() if last else today
    since = first.date() if first else until - timedelta(days=_DAYS - 1)
    query = UsageQuery(by=by, first=since, last=until, owner=user)
    rows = anyio.run(_read, settings, query)
    _show(rows, by, settings.billing.currency, form)


async def _read(settings: Settings, query: UsageQuery) -> list[UsageRow]:
    folder = open_data_dir(settings.data_dir)
    async with open_database(settings.storage, folder) as database:
        return await read_usage(database, query)


def _show(rows: Sequence[UsageRow], by: By, currency: str, form: str) -> None:
    counted = ("requests", "prompt tokens", "completion tokens", "images")
    heads: tuple[str, ...] = (by, *counted, f"charged {currency}", f"house {currency}")
    match form:
        case "json":
            told = {"by": by, "currency": currency, "rows": [asdict(row) for row in rows]}
            click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        case "csv":
            click.echo(_as_csv(heads, rows), nl=False)
        case "xlsx":
            click.echo(_as_sheet(heads, rows), nl=False)
        case _:
            show_table(tuple(head.upper() for head in heads), [_cells(row) for row in rows])


def _as_csv(heads: Sequence[str], rows: Sequence[UsageRow]) -> str:
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows((defuse(row.key), *_cells(row)[1:]) for row in rows)
    return written.getvalue()


def _as_sheet(heads: Sequence[str], rows: Sequence[UsageRow]) -> bytes:
    """Every key is a text, whatever it begins with; amounts are numbers."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("usage")
    sheet.append(list(heads))
    for row in rows:
        key = WriteOnlyCell(sheet, fit_cell(row.key, "…"))
        key.data_type = "s"
        amounts = (row.charged / MICRO, row.house / MICRO)
        counts = (row.requests, row.prompt_tokens, row.completion_tokens, row.images)
        sheet.append([key, *counts, *amounts])
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _cells(row: UsageRow) -> tuple[str, ...]:
    counts = (row.requests, row.prompt_tokens, row.completion_tokens, row.images)
    return (row.key or "-", *map(str, counts), _amount(row.charged), _amount(row.house))


def _amount(micro: int) -> str:
    """Micro-units as a number with six decimals, exactly."""
    whole, rest = divmod(micro, MICRO)
    return f"{whole}.{rest:06d}"
