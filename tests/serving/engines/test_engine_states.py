import json
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from serving.engines.claims import EngineClaimed, claim_engine, is_claimed
from serving.engines.states import (
    EngineState,
    ServerState,
    engines_folder,
    read_states,
    write_state,
)

STATE = EngineState(
    name="router",
    kind="vllm",
    model="llama",
    url="http://127.0.0.1:8001/v1",
    state="ready",
    pid=17,
    supervisor=16,
    since=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    restarts=2,
    last_exit="signal SIGKILL",
    log=Path("/log/router.log"),
)
HOLD = """
import sys
from pathlib import Path
from serving.engines.claims import claim_engine
with claim_engine(Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = engines_folder(tmp_path)
    folder.mkdir()
    return folder


@contextmanager
def held_elsewhere(folder: Path, name: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process that holds the claim on an engine."""
    command = (sys.executable, "-c", HOLD, str(folder), name)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        try:
            yield holder
        finally:
            holder.kill()


def test_a_state_is_read_as_it_was_written(tmp_path: Path, folder: Path) -> None:
    with claim_engine(folder, "router"):
        write_state(folder, STATE)
        assert read_states(tmp_path) == (STATE,)


def test_a_state_replaces_the_earlier_one_and_leaves_nothing_else(
    tmp_path: Path, folder: Path
) -> None:
    write_state(folder, STATE)
    write_state(folder, replace(STATE, state="stopped"))
    assert [state.state for state in read_states(tmp_path)] == ["stopped"]
    assert [path.name for path in folder.iterdir()] == ["router.json"]


def test_a_state_is_for_its_owner_alone(folder: Path) -> None:
    write_state(folder, STATE)
    assert stat.S_IMODE((folder / "router.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("state", ["starting", "ready", "resting"])
def test_a_server_whose_supervisor_died_is_lost(
    tmp_path: Path, folder: Path, state: ServerState
) -> None:
    with held_elsewhere(folder, "router") as holder:
        write_state(folder, replace(STATE, state=state))
        assert [found.state for found in read_states(tmp_path)] == [state]
        holder.kill()
        holder.wait()
        assert [found.state for found in read_states(tmp_path)] == ["lost"]


@pytest.mark.parametrize("state", ["stopped", "failed"])
def test_an_end_that_was_told_stays_what_it_was(
    tmp_path: Path, folder: Path, state: ServerState
) -> None:
    write_state(folder, replace(STATE, state=state))
    assert [found.state for found in read_states(tmp_path)] == [state]


def test_where_nothing_was_ever_started_there_is_no_state(tmp_path: Path) -> None:
    assert read_states(tmp_path) == ()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"name": "router"}', "\0", json.dumps({"name": "x" * 70_000})]
)
def test_a_damaged_file_is_passed_over(tmp_path: Path, folder: Path, text: str) -> None:
    write_state(folder, replace(STATE, name="other", state="stopped"))
    (folder / "router.json").write_text(text)
    assert [found.name for found in read_states(tmp_path)] == ["other"]


def test_a_state_under_another_name_is_passed_over(tmp_path: Path, folder: Path) -> None:
    write_state(folder, STATE)
    (folder / "router.json").rename(folder / "copy.json")
    assert read_states(tmp_path) == ()


def test_an_engine_is_claimed_once(folder: Path) -> None:
    with (
        held_elsewhere(folder, "router"),
        pytest.raises(EngineClaimed, match="'router' is supervised by another process"),
        claim_engine(folder, "router"),
    ):
        pass


def test_a_claim_on_one_engine_leaves_the_others_free(folder: Path) -> None:
    with held_elsewhere(folder, "router"), claim_engine(folder, "default"):
        assert is_claimed(folder, "default")


def test_a_claim_ends_with_its_holder(folder: Path) -> None:
    with held_elsewhere(folder, "router") as holder:
        holder.kill()
        holder.wait()
        assert not is_claimed(folder, "router")


def test_asking_who_is_there_claims_nothing(folder: Path) -> None:
    assert not is_claimed(folder, "router")
    with claim_engine(folder, "router"):
        assert is_claimed(folder, "router")
    assert not is_claimed(folder, "router")
