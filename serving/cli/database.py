"""`zwrotnica db`: brings the tables up to date, or says how old they are."""

from pathlib import Path

import anyio
import click

from serving.settings import Settings, load_settings
from serving.storage import open_data_dir
from serving.storage.backends import backend_of, find_url
from serving.storage.database import connect, open_database
from serving.storage.tables import REVISION


@click.group("db")
def database() -> None:
    """Look at the database of conversations or bring it up to date."""


@database.command()
@click.pass_obj
def upgrade(config: Path | None) -> None:
    """Make the tables or bring them to the newest revision; the gateway does so as it starts."""
    anyio.run(_upgrade, load_settings(config, calls_engines=False))
    click.echo(f"revision {REVISION}")


@database.command()
@click.pass_obj
def current(config: Path | None) -> None:
    """Print the tables' revision, changing nothing."""
    revision = anyio.run(_current, load_settings(config, calls_engines=False))
    if revision is None:
        click.echo("no tables yet")
    else:
        click.echo(f"revision {revision}{' (newest)' if revision == REVISION else ''}")


async def _upgrade(settings: Settings) -> None:
    async with open_database(settings.storage, open_data_dir(settings.data_dir)):
        pass


async def _current(settings: Settings) -> str | None:
    url = find_url(settings.storage, settings.data_dir.expanduser().absolute())
    if not backend_of(url).has_database(url):
        return None
    async with connect(url, settings.storage) as opened:
        return await opened.revision()
