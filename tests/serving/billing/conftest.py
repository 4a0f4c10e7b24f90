from pathlib import Path

import pytest

from serving.storage.sqlite import FILE_NAME


@pytest.fixture
def folder(any_folder: Path) -> Path:
    """A data folder whose database has all tables and no row."""
    return any_folder


@pytest.fixture
def sqlite_folder(tmp_path: Path, empty_database: bytes) -> Path:
    """The same, where the test knows that it is a file."""
    (tmp_path / FILE_NAME).write_bytes(empty_database)
    return tmp_path
