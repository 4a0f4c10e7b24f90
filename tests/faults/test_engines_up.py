import json
import signal
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from scripted.engines_up import engines_up, list_group
from scripted.gateway import wait_until
from scripted.patience import NEVER_S, PATIENCE_S
from scripted.supervised_server import NAME, write_settings

from serving.cli.main import zwrotnica
from serving.engines.claims import EngineClaimed, claim_engine
from serving.engines.states import engines_folder, read_states
from serving.engines.supervision.listening import AddressUnusable
from serving.settings import SettingsError

pytestmark = pytest.mark.faults


def write_config(folder: Path, play: str = "", **launch: object) -> Path:
    """The settings of a scripted server, as a file."""
    lines: list[str] = []
    add_table(lines, "", write_settings(folder / "data", play, **launch))
    config = folder / "zwrotnica.toml"
    config.write_text("\n".join(lines))
    return config


def add_table(lines: list[str], name: str, table: Mapping[str, object]) -> None:
    lines.extend(f"{key} = {json.dumps(v)}" for key, v in table.items() if not isinstance(v, dict))
    for key, below in table.items():
        if isinstance(below, dict):
            lines.append(f"[{name}{key}]")
            add_table(lines, f"{name}{key}.", below)


def run(config: Path, *names: str) -> BaseException | None:
    """What the command ends with, in this process; it starts nothing."""
    found = CliRunner().invoke(zwrotnica, ["--config", str(config), "engines", "up", *names])
    return found.exception


def test_a_signal_ends_the_servers_and_the_command_well(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    config, address = write_config(tmp_path, "parent"), str(tmp_path / "notify")
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
        engines_up(config, tmp_path / "data", NOTIFY_SOCKET=address) as up,
    ):
        manager.bind(address)
        manager.settimeout(PATIENCE_S)
        server = up.wait_ready(PATIENCE_S).pid or 0
        assert manager.recv(100) == b"READY=1"
        assert up.stop(PATIENCE_S) == 0
        assert manager.recv(100) == b"STOPPING=1"

    assert list_group(server) == []
    assert [state.state for state in read_states(tmp_path / "data")] == ["stopped"]
    assert "engine_" not in capfd.readouterr().err  # told once, in plain words


def test_a_second_signal_kills_a_server_that_does_not_end(tmp_path: Path) -> None:
    config = write_config(tmp_path, "deaf", stop_s=NEVER_S)
    with engines_up(config, tmp_path / "data", NAME) as up:
        server = up.wait_ready(PATIENCE_S).pid or 0
        up.process.send_signal(signal.SIGINT)
        up.wait_told("stopping", PATIENCE_S)
        assert list_group(server) != []
        up.process.send_signal(signal.SIGINT)
        assert up.process.wait(PATIENCE_S) == 0
    assert list_group(server) == []


def test_a_killed_command_leaves_no_server_behind(tmp_path: Path) -> None:
    with engines_up(write_config(tmp_path, "parent deaf"), tmp_path / "data") as up:
        server = up.wait_ready(PATIENCE_S).pid or 0
        up.process.kill()
        wait_until(lambda: not list_group(server))

    assert [state.state for state in read_states(tmp_path / "data")] == ["lost"]


def test_an_engine_that_another_process_runs_is_left_to_it(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    with claim_engine(engines_folder(tmp_path / "data"), NAME):
        assert isinstance(run(config), EngineClaimed)


def test_a_port_that_somebody_holds_is_told_before_anything_starts(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        config.write_text(config.read_text().replace("port = ", f"port = {port} # "))
        assert isinstance(run(config), AddressUnusable)

    [state] = read_states(tmp_path / "data")
    assert (state.state, state.pid) == ("failed", None)
    assert str(port) in (state.last_exit or "")


def test_a_program_that_is_missing_is_told_before_anything_starts(tmp_path: Path) -> None:
    error = run(write_config(tmp_path, program=["no-such-vllm"]))
    assert isinstance(error, SettingsError)
    assert "'no-such-vllm' is not there" in error.message


def test_a_model_that_cannot_fit_is_told_before_anything_starts(tmp_path: Path) -> None:
    error = run(write_config(tmp_path, gpus=[], parameters=1e6))
    assert isinstance(error, SettingsError)
    assert "GiB" in error.message
    assert read_states(tmp_path / "data") == ()


def test_a_data_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    config = write_config(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "engines").touch()
    error = run(config)
    assert isinstance(error, SettingsError)
    assert "cannot be used" in error.message
