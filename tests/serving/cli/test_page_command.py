from pathlib import Path

import pytest

from serving.cli.page import page_command
from serving.page.process import UI


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "zwrotnica.toml"
    path.write_text('host = "::1"\nport = 8123\n', encoding="utf-8")
    return path


def test_the_page_asks_the_gateway_of_the_settings(config: Path) -> None:
    command = page_command(config, port=9, host=None)

    assert command == [*UI, "--port", "9", "--gateway", "http://[::1]:8123"]


def test_a_gateway_that_is_named_is_asked(config: Path) -> None:
    assert page_command(config, gateway="http://x:1") == [*UI, "--gateway", "http://x:1"]
