"""Brings the tables to the newest revision (Alembic, imported only where there is work)."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection

from serving.settings import SettingsError, StorageSettings
from serving.storage.database import connect

FOLDER: Final = Path(__file__).with_name("migrations")
CONNECTION: Final = "connection"
"""Name under which `migrations/env.py` finds the open connection."""


async def migrate(url: URL, settings: StorageSettings) -> None:
    """Bring the tables up to date in one transaction.

    Of several processes that do it at once, the first migrates and the others wait for it.

    Raises:
        SettingsError: a newer version wrote the database.
        StorageUnavailable: it cannot be written within ``storage.keep_s``.
    """
    async with connect(url, settings, enforces_keys=False) as database:
        await database.write(_upgrade, patience_s=settings.keep_s)


def _upgrade(connection: Connection) -> None:
    config = alembic_config()
    found = MigrationContext.configure(connection).get_current_heads()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if unknown := set(found) - known:
        raise SettingsError(
            f"the database has revision {min(unknown)!r}, which this version does not know: "
            "install the newer version that wrote it, or set storage.url to another database"
        )
    config.attributes[CONNECTION] = connection
    command.upgrade(config, "head")


def alembic_config() -> Config:
    """What Alembic works with: our folder of revisions, and no file of its own."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config
