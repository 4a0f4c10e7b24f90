"""`zwrotnica engines check`: every router with its own dialect, findings in words and as JSON."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from anyio import to_thread
from click.testing import CliRunner, Result
from scripted.fault_server import FaultServer

from serving.cli.main import zwrotnica


async def check(server: FaultServer, folder: Path, router: str, second: str, *words: str) -> Result:
    """Check two engines of one server: what each plays is told by its model's name."""
    config = folder / "zwrotnica.toml"
    config.write_text(
        f"""
        data_dir = "{folder}"
        default_engine = "small"

        [engines.small]
        kind = "vllm"
        url = "{server.url}"
        model = "fault=family:writes={router}"
        dialect = "mistral"

        [engines.large]
        kind = "vllm"
        url = "{server.url}"
        model = "fault=family:writes={second}"
        dialect = "hermes"

        [router]
        engine = "small"
        dialect = "llama3.1"
        second_engine = "large"
        """,
        "utf-8",
    )
    server.models = [f"fault=family:writes={name}" for name in (router, second)]
    command = ["--config", str(config), "engines", "check", *words]
    return await to_thread.run_sync(lambda: CliRunner().invoke(zwrotnica, command))


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer() as server:
        yield server


async def test_each_router_is_checked_in_its_own_dialect(
    server: FaultServer, tmp_path: Path
) -> None:
    result = await check(server, tmp_path, "llama", "hermes", "--json")

    small, large = json.loads(result.stdout)
    assert (small["role"], small["dialect"], small["is_fit"]) == ("router", "llama3.1", True)
    assert (large["role"], large["dialect"], large["is_fit"]) == ("second router", "hermes", True)
    assert result.exit_code == 0


async def test_a_second_router_with_a_wrong_dialect_is_unfit(
    server: FaultServer, tmp_path: Path
) -> None:
    result = await check(server, tmp_path, "llama", "mistral", "--json")

    _, large = json.loads(result.stdout)
    assert [finding["code"] for finding in large["findings"]] == ["wrong_dialect"]
    assert 'set engines.large.dialect = "mistral"' in large["findings"][0]["text"]
    assert result.exit_code == 1


async def test_the_setting_that_holds_is_the_one_to_change(
    server: FaultServer, tmp_path: Path
) -> None:
    result = await check(server, tmp_path, "hermes", "hermes", "small")

    title, finding = result.stdout.splitlines()
    assert title.startswith("small as router: unfit")
    assert finding.startswith("  wrong_dialect: ")
    assert finding.endswith('set router.dialect = "hermes"')


async def test_each_server_of_an_engine_is_checked(server: FaultServer, tmp_path: Path) -> None:
    config = tmp_path / "zwrotnica.toml"
    config.write_text(
        f'data_dir = "{tmp_path}"\n[engines.bielik]\nkind = "vllm"\n'
        f'urls = ["{server.url}", "http://127.0.0.1:1/v1"]\n',
        "utf-8",
    )
    command = ["--config", str(config), "engines", "check"]
    result = await to_thread.run_sync(lambda: CliRunner().invoke(zwrotnica, command))

    assert f"bielik at {server.url}: fit" in result.stdout
    assert "bielik at http://127.0.0.1:1/v1: unfit" in result.stdout
    assert result.exit_code == 1
