from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted.stage import Stage, open_stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with open_stage(tmp_path) as stage:
        yield stage
