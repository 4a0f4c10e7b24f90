"""`zwrotnica engines up` with a real vLLM: started, killed, started again, ended."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from engines.conftest import INSTALL
from engines.slow_twin import TINY
from engines.vllm_server import MODEL, PYTHON, QUIET, free_port, is_installed
from scripted.engines_up import EnginesUp, engines_up, list_group
from scripted.gateway import wait_until
from scripted.missing import stop_without
from scripted.patience import PATIENCE_S

from serving.engines.states import read_states

pytestmark = [pytest.mark.engines, pytest.mark.timeout(600)]

START_S = 300.0
KEY = "sk-of-the-tiny-model"
CONFIG = """
data_dir = {folder}

[engines.router]
kind = "vllm"
port = {port}
model = "{model}"
api_key = "{key}"
dialect = "llama3.1"
context_tokens = 4096

[engines.router.launch]
weights = {weights}
program = [{python}, "-m", "vllm.entrypoints.openai.api_server"]
sequences = 8
extra_flags = ["--dtype", "float32", "--enforce-eager", "--generation-config", "vllm"]
rest_s = 1.0

[engines.router.launch.environment]
{environment}

[router]
engine = "router"
"""


@pytest.fixture
def up(tmp_path: Path) -> Iterator[EnginesUp]:
    if not is_installed():
        stop_without(f"vLLM is not installed; {INSTALL}")
    config = tmp_path / "zwrotnica.toml"
    config.write_text(
        CONFIG.format(
            folder=json.dumps(str(tmp_path / "data")),
            port=free_port(),
            model=MODEL,
            key=KEY,
            weights=json.dumps(str(TINY)),
            python=json.dumps(str(PYTHON)),
            environment="\n".join(f"{name} = {json.dumps(QUIET[name])}" for name in QUIET),
        )
    )
    with engines_up(config, tmp_path / "data", "router") as running:
        yield running


def test_a_killed_vllm_is_mended_and_ends_when_it_is_told(up: EnginesUp) -> None:
    first = up.wait_ready(START_S)
    assert generate(first.url) == 200
    os.kill(first.pid or 0, signal.SIGKILL)
    assert up.wait_told("ended with", PATIENCE_S).startswith("router: ended with signal SIGKILL")
    up.wait_told("starts again in 1 s", PATIENCE_S)
    assert list_group(first.pid or 0) == []

    second = up.wait_ready(START_S)
    assert generate(second.url) == 200
    assert (second.restarts, second.last_exit) == (1, "signal SIGKILL")

    assert up.stop(PATIENCE_S) == 0
    assert list_group(second.pid or 0) == []
    assert [state.state for state in read_states(up.folder)] == ["stopped"]
    assert KEY not in "".join(up.lines) + second.log.read_text()


def test_a_killed_supervisor_leaves_no_process_of_vllm(up: EnginesUp) -> None:
    state = up.wait_ready(START_S)
    assert len(list_group(state.pid or 0)) > 1
    up.process.kill()
    wait_until(lambda: not list_group(state.pid or 0), PATIENCE_S)
    assert [found.state for found in read_states(up.folder)] == ["lost"]


def generate(url: str) -> int:
    reply = requests.post(
        f"{url}/chat/completions",
        json={"model": MODEL, "messages": [{"role": "user", "content": "a"}], "max_tokens": 1},
        headers={"authorization": f"Bearer {KEY}"},
        timeout=PATIENCE_S,
    )
    return reply.status_code
