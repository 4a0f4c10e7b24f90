"""`zwrotnica engines drain`: one server out of use, and back."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from serving.cli.main import zwrotnica
from serving.engines.replicas.drains import read_drained

FIRST, SECOND = "http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "zwrotnica.toml"
    path.write_text(
        f'data_dir = "{tmp_path}"\n[engines.bielik]\nkind = "vllm"\n'
        f'urls = ["{FIRST}", "{SECOND}"]\n'
    )
    return path


def run(config: Path, *words: str) -> Result:
    return CliRunner().invoke(zwrotnica, ["--config", str(config), "engines", *words])


def test_a_server_is_drained_and_shown_so_until_it_is_undone(config: Path) -> None:
    said = run(config, "drain", "bielik", FIRST).output
    drained = read_drained(config.parent / "engines", "bielik")
    listed = run(config, "list").output
    run(config, "drain", "bielik", FIRST, "--undo")

    assert f"the server at {FIRST} gets no new requests" in said
    assert drained == {FIRST}
    assert listed.count("drained: gets no new requests") == 1
    assert read_drained(config.parent / "engines", "bielik") == frozenset()


@pytest.mark.parametrize(
    ("name", "url", "word"),
    [("bielk", FIRST, "engines: bielik"), ("bielik", "http://a", f"{FIRST}, {SECOND}")],
)
def test_what_is_not_there_cannot_be_drained(config: Path, name: str, url: str, word: str) -> None:
    result = run(config, "drain", name, url)
    assert result.exit_code == 2
    assert word in result.output


def test_the_only_server_cannot_be_drained(config: Path) -> None:
    config.write_text(config.read_text().replace(f', "{SECOND}"', ""))
    result = run(config, "drain", "bielik", FIRST)
    assert result.exit_code == 2
    assert "one server alone, which cannot be drained" in result.output
