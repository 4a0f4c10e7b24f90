from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from scripted.databases import storage_in
from scripted.keyed import Keyed, open_keyed

from chatbot.testing import ManualClock
from serving.settings import Settings


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def keyed(any_folder: Path, clock: ManualClock) -> AsyncIterator[Keyed]:
    settings = Settings(data_dir=any_folder, storage=storage_in(any_folder))
    async with open_keyed(settings, clock=clock) as opened:
        yield opened
