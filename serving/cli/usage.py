"""`zwrotnica usage`: what was used and charged, as a table, CSV, JSON or a spreadsheet."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import anyio
import click

from serving.assembly import new_id
from serving.auth.accounts import Accounts
from serving.billing.usage import GROUPINGS, By, UsageQuery, UsageRow, read_usage
from serving.cli.accounts import show_table
from serving.cli.text import Utf8
from serving.clock import SystemClock
from serving.gateway.usage_files import (
    usage_cells,
    usage_fields,
    usage_heads,
    write_csv,
    write_sheet,
)
from serving.gateway.usage_names import by_name, name_rows
from serving.settings import Settings, load_settings
from serving.storage import open_data_dir
from serving.storage.database import open_database

_DAY: Final = click.DateTime(formats=["%Y-%m-%d"])
_DAYS: Final = 31


@click.command()
@click.option("--by", type=click.Choice(GROUPINGS), default="day", show_default=True)
@click.option("--from", "first", type=_DAY, help="First day; unset: 30 days before the last.")
@click.option("--to", "last", type=_DAY, help="Last day; unset: today.")
@click.option("--user", type=Utf8(), help="One user alone, by name or by the account's id.")
@click.option("--group", type=Utf8(), help="What members of one group used, by its name.")
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
    group: str | None,
    form: str,
) -> None:
    """Print what was used and charged: requests, tokens, pictures, amounts."""
    settings = load_settings(config, calls_engines=False)
    today = datetime.now(UTC).astimezone(ZoneInfo(settings.billing.time_zone)).date()
    until = last.date() if last else today
    since = first.date() if first else until - timedelta(days=min(_DAYS, until.toordinal()) - 1)
    query = UsageQuery(by=by, first=since, last=until, owner=None)
    rows = anyio.run(_read, settings, query, user, group)
    _show(rows, by, settings.billing.currency, form)


async def _read(
    settings: Settings, query: UsageQuery, user: str | None, group: str | None
) -> list[UsageRow]:
    folder = open_data_dir(settings.data_dir)
    async with open_database(settings.storage, folder) as database:
        accounts = Accounts(database, clock=SystemClock(), new_id=new_id)
        ids = {one.name: one.account_id for one in await accounts.list()}
        whose = ids.get(user, user) if user is not None else None
        of = (await accounts.find_group(group)).group_id if group is not None else None
        rows = await read_usage(database, replace(query, owner=whose, group=of))
        if user is not None and not rows and whose not in ids.values():
            await accounts.find(user)  # which tells the nearest name
        return by_name(await name_rows(accounts, query.by, rows))


def _show(rows: Sequence[UsageRow], by: By, currency: str, form: str) -> None:
    heads = usage_heads(by, currency)
    match form:
        case "json":
            told = {"by": by, "currency": currency, "rows": [usage_fields(row) for row in rows]}
            click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        case "csv":
            click.echo(write_csv(heads, rows), nl=False)
        case "xlsx":
            click.echo(write_sheet(heads, rows), nl=False)
        case _:
            show_table(tuple(head.upper() for head in heads), [usage_cells(row) for row in rows])
