from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from scripted.keyed import Keyed, open_keyed

from chatbot.testing import ManualClock
from serving.settings import Settings
from serving.storage.sqlite import FILE_NAME


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def keyed(tmp_path: Path, clock: ManualClock, empty_database: bytes) -> AsyncIterator[Keyed]:
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    async with open_keyed(Settings(data_dir=tmp_path), clock=clock) as opened:
        yield opened
