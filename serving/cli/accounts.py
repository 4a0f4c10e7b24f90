"""What the commands for users, groups and keys share: the opened accounts, times, tables."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

import click

from serving.assembly import new_id
from serving.auth.accounts import Accounts
from serving.auth.keys import Keys
from serving.auth.signing_in.opening import Entrances, open_sign_ins
from serving.cli.terminal import printable
from serving.clock import SystemClock
from serving.settings import load_settings
from serving.storage import load_keyring, open_data_dir
from serving.storage.database import open_database

ACTOR: Final = "command line"
"""Who makes a change here, as the log of changes tells it."""
Callback: TypeAlias = Callable[..., None]


def split_names(text: str) -> frozenset[str]:
    """Names, separated by commas; none at all where ``text`` is empty."""
    return frozenset(name.strip() for name in text.split(",") if name.strip())


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """The accounts and keys of one data folder."""

    accounts: Accounts
    keys: Keys
    entrances: Entrances
    clock: SystemClock


@asynccontextmanager
async def open_accounts(config: Path | None) -> AsyncIterator[Opened]:
    """The accounts and keys of these settings; a server that runs sees changes within a second.

    Raises:
        SettingsError: the settings cannot be used.
        StorageUnavailable: the database cannot be used.
    """
    settings = load_settings(config, calls_engines=False)
    folder = open_data_dir(settings.data_dir)
    clock = SystemClock()
    async with open_database(settings.storage, folder) as database:
        keyring = load_keyring(settings, folder)
        yield Opened(
            accounts=Accounts(database, clock=clock, new_id=new_id),
            keys=Keys(database, keyring=keyring, clock=clock),
            entrances=open_sign_ins(settings.auth, database, keyring, clock, new_id=new_id),
            clock=clock,
        )


def show_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns below their heads."""
    lines = [tuple(heads), *(tuple(map(printable, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def show_time(moment: datetime | None) -> str:
    """A moment to the minute, in UTC; a dash for none."""
    return "-" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


JSON: Final = click.option("--json", "is_json", is_flag=True, help="Print JSON.")
