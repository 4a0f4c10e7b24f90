from pathlib import Path

import pytest
from scripted.tables import every_row

from serving.settings import EngineSettings, SettingsError, list_settings, load, load_settings

ROUTER = "[engines.router]\nkind = 'vllm'\nport = 8001\n"


def written(folder: Path, launch: str = "") -> Path:
    path = folder / "zwrotnica.toml"
    path.write_text(f"{ROUTER}[engines.router.launch]\n{launch}")
    return path


def test_a_port_stands_for_the_address_on_this_machine(tmp_path: Path) -> None:
    engine = load_settings(written(tmp_path), environ={}).engines["router"]
    assert engine.url == "http://127.0.0.1:8001/v1"


def test_a_port_may_come_from_the_environment() -> None:
    environ = {"ZWROTNICA_ENGINES__A__KIND": "vllm", "ZWROTNICA_ENGINES__A__PORT": "8003"}
    assert load_settings(environ=environ).engines["a"].url == "http://127.0.0.1:8003/v1"


def test_engine_settings_that_were_read_can_be_read_again() -> None:
    engine = EngineSettings(kind="vllm", port=8001)
    assert EngineSettings.model_validate(engine.model_dump()) == engine


def test_an_engine_without_the_table_is_started_elsewhere() -> None:
    assert EngineSettings(kind="vllm", port=8001).launch is None


def test_launch_settings_are_read_and_listed(tmp_path: Path) -> None:
    loaded = load(written(tmp_path, "gpus = [0, 1]\ngpu_share = 0.25\nprogram = ['vllm', 'serve']"))
    launch = loaded.settings.engines["router"].launch
    assert launch is not None
    assert (launch.gpus, launch.gpu_share, launch.program) == ((0, 1), 0.25, ("vllm", "serve"))
    rows = {row.name: row.value for row in list_settings(loaded)}
    assert rows["engines.router.launch.gpus"] == "[0, 1]"


def test_lists_come_from_the_environment_too(tmp_path: Path) -> None:
    environ = {
        "ZWROTNICA_ENGINES__ROUTER__LAUNCH__GPUS": "0, 1",
        "ZWROTNICA_ENGINES__ROUTER__LAUNCH__EXTRA_FLAGS": "--enforce-eager,--seed=1",
    }
    launch = load_settings(written(tmp_path), environ=environ).engines["router"].launch
    assert launch is not None
    assert launch.gpus == (0, 1)
    assert launch.extra_flags == ("--enforce-eager", "--seed=1")


@pytest.mark.parametrize("name", ["HF_TOKEN", "vllm_api_key", "DB_PASSWORD"])
def test_a_secret_is_refused_where_it_would_be_shown(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name!r} looks like a secret") as caught:
        load(written(tmp_path, f"environment = {{ {name} = 'tajny' }}"), environ={})
    assert "tajny" not in caught.value.message


@every_row(
    ("launch", "word"),
    [
        ("gpu_share = 1.5", "gpu_share"),
        ("gpu_share = 0", "gpu_share"),
        ("gpus = [-1]", "gpus"),
        ("tensor_paralel = 2", "engines.router.launch.tensor_parallel"),
        ("environment = { 'A B' = '1' }", "environment"),
    ],
)
def test_an_unusable_launch_setting_is_named(tmp_path: Path, launch: str, word: str) -> None:
    with pytest.raises(SettingsError, match=word):
        load(written(tmp_path, launch), environ={})
