from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from serving.cli.main import zwrotnica
from serving.storage.sqlite import FILE_NAME
from serving.storage.tables import REVISION

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def start(*words: str) -> Result:
        environ = {"ZWROTNICA_DATA_DIR": str(tmp_path / "kept")}
        return CliRunner().invoke(zwrotnica, words, env=environ)

    return start


def test_looking_makes_nothing(run: Run, tmp_path: Path) -> None:
    assert run("db", "current").stdout == "no tables yet\n"
    assert list(tmp_path.iterdir()) == []


def test_an_upgrade_makes_the_newest_tables(run: Run, tmp_path: Path) -> None:
    assert run("db", "upgrade").stdout == f"revision {REVISION}\n"
    assert (tmp_path / "kept" / FILE_NAME).is_file()
    assert run("db", "upgrade").exit_code == 0
    assert run("db", "current").stdout == f"revision {REVISION} (newest)\n"
