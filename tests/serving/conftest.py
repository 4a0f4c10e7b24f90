from pathlib import Path

import anyio
import pytest
from scripted.databases import DATABASES, make_database

from serving.settings import StorageSettings
from serving.storage.database import open_database
from serving.storage.sqlite import FILE_NAME


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with all tables, made once: most tests do not care how."""
    folder = tmp_path_factory.mktemp("empty")

    async def make() -> None:
        async with open_database(StorageSettings(), folder):
            pass

    anyio.run(make)
    return (folder / FILE_NAME).read_bytes()


@pytest.fixture(params=DATABASES)
def any_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A data folder; its database, of either kind, has all tables and no row."""
    make_database(request, tmp_path)
    return tmp_path
