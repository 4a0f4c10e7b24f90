from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from scripted.stored import Store, open_store

from serving.storage.sqlite import FILE_NAME


@pytest.fixture
async def store(tmp_path: Path, empty_database: bytes) -> AsyncIterator[Store]:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    async with open_store(tmp_path) as opened:
        yield opened
