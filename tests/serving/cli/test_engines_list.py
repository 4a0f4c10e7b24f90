"""`zwrotnica engines list`, also while it repeats itself."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from scripted.answering_server import Answer, AnsweringServer, answering_server

from serving.cli.main import zwrotnica
from serving.engines.claims import claim_engine
from serving.engines.states import EngineState, engines_folder, write_state

RESTING = EngineState(
    name="bielik",
    kind="vllm",
    model=None,
    url="http://127.0.0.1:8002/v1",
    state="resting",
    pid=None,
    supervisor=1,
    since=datetime(2026, 6, 7, 8, 9, 10, tzinfo=UTC),
    restarts=3,
    last_exit="code 137",
    log=Path("/log/bielik.log"),
)
ANSWERS = {
    "/v1/models": Answer(body=b'{"data": [{"id": "bielik-11b"}]}'),
    "/metrics": Answer(
        body=b"vllm:num_requests_running 2\nvllm:num_requests_waiting 5\n"
        b"vllm:kv_cache_usage_perc 0.31\n"
    ),
}


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering_server(ANSWERS) as server:
        yield server


@pytest.fixture
def environ(server: AnsweringServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZWROTNICA_ENGINES__BIELIK__KIND", "vllm")
    monkeypatch.setenv("ZWROTNICA_ENGINES__BIELIK__URL", f"{server.url}/v1")
    monkeypatch.setenv("ZWROTNICA_ENGINES__BIELIK__API_KEY", "tajny-klucz")


pytestmark = pytest.mark.usefixtures("environ")


def run(*words: str) -> str:
    return CliRunner().invoke(zwrotnica, ["engines", "list", *words]).output


def test_state_queue_and_cache_are_shown_beside_what_is_configured() -> None:
    titles, embedded, bielik = run().splitlines()
    assert titles.split()[-4:] == ["STATE", "QUEUE", "CACHE", "ROLES"]
    assert "in process" in embedded
    assert "answers" in bielik
    assert "2 running, 5 waiting" in bielik
    assert bielik.endswith("  31%    default, client tools")


def test_each_server_of_an_engine_has_its_row(
    server: AnsweringServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZWROTNICA_ENGINES__BIELIK__URL")
    monkeypatch.setenv("ZWROTNICA_ENGINES__BIELIK__URLS", f"{server.url}/v1, http://127.0.0.1:1/v1")
    rows = [line.split() for line in run().splitlines() if line.startswith("bielik")]

    assert [(row[3], row[4]) for row in rows] == [
        (f"{server.url}/v1", "answers"),
        ("http://127.0.0.1:1/v1", "does"),
    ]


def test_json_holds_every_figure_and_no_key() -> None:
    printed = run("--json")
    embedded, bielik = json.loads(printed)
    assert (embedded["state"], embedded["load"]) == ("in_process", None)
    assert bielik["load"] == {"running": 2, "waiting": 5, "cache_share": 0.31}
    assert (bielik["state"], bielik["problems"]) == ("answers", [])
    assert "tajny-klucz" not in printed


def test_what_cannot_be_read_is_a_question_mark_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ZWROTNICA_ENGINES__BIELIK__KIND", "sglang")
    _, _, bielik, problem = run().splitlines()
    assert bielik.split("answers")[1].split()[:2] == ["?", "?"]
    assert problem.strip().startswith("its figures at /metrics cannot be read")
    assert problem.endswith("start the server with --enable-metrics")


def test_a_second_router_is_a_role(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZWROTNICA_ENGINES__BIELIK__DIALECT", "bielik")
    monkeypatch.setenv("ZWROTNICA_ROUTER__SECOND_ENGINE", "bielik")
    assert json.loads(run("--json"))[1]["roles"] == ["second router", "default", "client tools"]


def test_what_a_supervisor_says_stands_below_the_engine(tmp_path: Path) -> None:
    folder = engines_folder(tmp_path / ".zwrotnica")
    with claim_engine(folder, "bielik"):
        write_state(folder, RESTING)
        _, _, bielik, server = run().splitlines()
        told = json.loads(run("--json"))[1]["server"]
    assert bielik.startswith("bielik")
    assert server.startswith("  server: resting since 2026-")
    assert server.endswith(", last exit: code 137, restarts: 3, log: /log/bielik.log")
    assert (told["state"], told["restarts"], told["last_exit"]) == ("resting", 3, "code 137")


def test_a_supervisor_that_died_is_told(tmp_path: Path) -> None:
    folder = engines_folder(tmp_path / ".zwrotnica")
    folder.mkdir(parents=True)
    write_state(folder, RESTING)
    assert json.loads(run("--json"))[1]["server"]["state"] == "lost"


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Let commands be interrupted where these tests are a shell's background job, which is not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("words", [("--watch",), ("--watch", "0.2")])
def test_watching_prints_block_after_block_until_interrupted(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "serving.cli", "engines", "list", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        blocks = [[it.stdout.readline() for _ in range(4)] for _ in range(2)]
        it.send_signal(signal.SIGINT)
        it.communicate()
    assert [block[0].split()[0] for block in blocks] == ["ENGINE", "ENGINE"]
    assert [block[3] for block in blocks] == ["\n", "\n"]
    assert it.returncode == 130
