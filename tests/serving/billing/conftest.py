from pathlib import Path

import anyio
import pytest

from serving.settings import StorageSettings
from serving.storage.database import open_database
from serving.storage.sqlite import FILE_NAME


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with all tables, made once."""
    folder = tmp_path_factory.mktemp("empty-ledger")

    async def make() -> None:
        async with open_database(StorageSettings(), folder):
            pass

    anyio.run(make)
    return (folder / FILE_NAME).read_bytes()


@pytest.fixture
def folder(tmp_path: Path, empty_database: bytes) -> Path:
    """A data folder whose database has all tables and no row."""
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    return tmp_path
