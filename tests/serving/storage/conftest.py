from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from scripted.stored import Store, open_store

from serving.storage.sqlite import FILE_NAME


@pytest.fixture
async def store(any_folder: Path) -> AsyncIterator[Store]:
    """A store on a database of either kind."""
    async with open_store(any_folder) as opened:
        yield opened


@pytest.fixture
async def file_store(tmp_path: Path, empty_database: bytes) -> AsyncIterator[Store]:
    """A store on SQLite, for tests that look into its file or have it damaged."""
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    async with open_store(tmp_path) as opened:
        yield opened
